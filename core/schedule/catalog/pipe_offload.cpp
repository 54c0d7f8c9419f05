// PipeOffload: the building block of GIS repeated for single microbatches, and activations that wait long
// moved to host memory meanwhile.
//
//     compute    0F0       0F1       …      0I0            0F0 takes an activation, 0o0 gives it back,
//     copies         0o0       0o1    … 0h0                0h0 takes it again, 0W0 gives it back
//
// One copy lane serves both directions by turns: its time is cut into slots, one for an offload and one
// for a reload (Qi et al. 2025, section 4.2, and the authors' offloading.py). The slots are laid beside the
// block's own timeline, before any squeezing; what stays of them in the schedule are the order of the copies
// and what they and the forwards wait for.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"
#include "core/schedule/catalog/group_block.h"

#include <algorithm>
#include <cmath>

namespace bubblescope::catalog {
namespace {

using Ref = ScheduleBuilder::Ref;
using Placed = GroupBlock::Placed;

/// An activation that leaves: its F and I on the compute lane, and the round trips of the copy lane that
/// begin with its offload and end with its reload.
struct Trip {
    std::uint32_t forward = 0;
    std::uint32_t input = 0;
    std::int64_t offload = 0;
    std::int64_t reload = 0;
};

/// Times are in slots of the block, from the end of the device's first forward, where the copies begin.
class CopyPlan {
public:
    /// `copy` is how long a copy takes; the first `offloaded` chunks leave.
    CopyPlan(const std::vector<Placed>& lane, const Shape& shape, int offloaded, double copy)
        : m_lane(lane), m_copy(copy), m_trip(2 * copy)
    {
        std::vector<std::uint32_t> forwards(lane.size());
        const auto visit = [&](const Task& task) {
            return static_cast<std::size_t>(task.microbatch * shape.chunks + task.stage / shape.devices);
        };
        for (std::uint32_t i = 0; i < lane.size(); ++i) {
            const Task& task = lane[i].task;
            if (task.stage >= offloaded * shape.devices || task.work == Work::WeightGradient)
                continue;
            if (task.work == Work::Forward)
                forwards[visit(task)] = i;
            else if (begin(i) - slack - end(forwards[visit(task)]) > shortest * m_trip)
                m_trips.push_back({forwards[visit(task)], i, 0, 0});
        }
        giveSlots();
    }

    const std::vector<Trip>& trips() const { return m_trips; }

    /// The first position of the lane that begins when the offload is over, or the lane's end.
    std::uint32_t afterOffload(const Trip& trip) const
    {
        const double done = static_cast<double>(trip.offload) * m_trip + m_copy;
        return firstAt(done);
    }

    /// One past the last position that is over when the reload begins.
    std::uint32_t beforeReload(const Trip& trip) const
    {
        const double start = static_cast<double>(trip.reload) * m_trip + m_copy;
        const std::uint32_t next = firstAt(start - 1);
        return next < m_lane.size() && begin(next) <= start - 1 + tolerance ? next + 1 : next;
    }

private:
    static constexpr double slack = 1;    ///< of a reload, before its I begins
    static constexpr double shortest = 3; ///< round trips that an activation has to wait to be worth one
    static constexpr double tolerance = 1e-6;

    double begin(std::uint32_t position) const
    {
        return static_cast<double>(m_lane[position].slot - m_lane.front().slot - 1);
    }

    double end(std::uint32_t position) const { return begin(position) + 1; }

    std::uint32_t firstAt(double time) const
    {
        const auto found = std::partition_point(m_lane.begin(), m_lane.end(), [&](const Placed& placed) {
            return static_cast<double>(placed.slot - m_lane.front().slot - 1) < time - tolerance;
        });
        return static_cast<std::uint32_t>(found - m_lane.begin());
    }

    /// Offloads from the left as early as they can, reloads from the right as late as they can. A pair whose
    /// reload would come before its offload is over stays.
    void giveSlots()
    {
        std::sort(m_trips.begin(), m_trips.end(), [](const Trip& a, const Trip& b) { return a.forward < b.forward; });
        std::int64_t next = 0;
        for (Trip& trip : m_trips) {
            trip.offload = std::max(next, static_cast<std::int64_t>(std::ceil(end(trip.forward) / m_trip - tolerance)));
            next = trip.offload + 1;
        }
        std::sort(m_trips.begin(), m_trips.end(), [](const Trip& a, const Trip& b) { return a.input > b.input; });
        next = INT64_MAX;
        for (Trip& trip : m_trips) {
            const double latest = (begin(trip.input) - slack) / m_trip - 1;
            trip.reload = std::min(next, static_cast<std::int64_t>(std::floor(latest + tolerance)));
            next = trip.reload - 1;
        }
        std::erase_if(m_trips, [](const Trip& trip) { return trip.reload <= trip.offload; });
    }

    const std::vector<Placed>& m_lane;
    double m_copy;
    double m_trip;
    std::vector<Trip> m_trips;
};

/// A copy of the lane, in its slot.
struct Copy {
    std::int64_t slot;
    Work work;
    const Trip* trip;
};

/// The copy lane of a device. Stash follows F → offload → reload → I. A forward waits for the place that an
/// offload frees, and a reload for the moment when its own is due, so that memory doesn't depend on how
/// long anything takes.
void writeCopies(ScheduleBuilder& builder, Device device, const std::vector<Placed>& lane, const CopyPlan& plan)
{
    std::vector<Copy> copies;
    for (const Trip& trip : plan.trips()) {
        copies.push_back({2 * trip.offload, Work::Offload, &trip});
        copies.push_back({2 * trip.reload + 1, Work::Reload, &trip});
    }
    std::sort(copies.begin(), copies.end(), [](const Copy& a, const Copy& b) { return a.slot < b.slot; });
    std::vector<std::uint32_t> nextForward(lane.size() + 1, static_cast<std::uint32_t>(lane.size()));
    for (std::size_t i = lane.size(); i-- > 0;)
        nextForward[i] = lane[i].task.work == Work::Forward ? static_cast<std::uint32_t>(i) : nextForward[i + 1];

    const std::uint32_t compute = builder.lane(device);
    std::vector<Ref> offloads(lane.size()); // by position of F
    for (const Copy& copy : copies) {
        const Trip& trip = *copy.trip;
        Task task = lane[trip.forward].task;
        task.work = copy.work;
        const Ref ref = builder.add(builder.lane(device, LaneKind::CopyOut), task);
        if (copy.work == Work::Offload) {
            offloads[trip.forward] = ref;
            builder.edge({compute, trip.forward}, ref, Payload::Stash);
            const std::uint32_t waits = nextForward[plan.afterOffload(trip)];
            if (waits < lane.size())
                builder.edge(ref, {compute, waits});
        } else {
            builder.edge(offloads[trip.forward], ref, Payload::Stash);
            builder.edge(ref, {compute, trip.input}, Payload::Stash);
            if (const std::uint32_t before = plan.beforeReload(trip); before > 0)
                builder.edge({compute, before - 1}, ref);
        }
    }
}

/// Length of a copy in slots of a mean F, I or W; copies that cost nothing are planned a slot long.
double copySlots(const Costs* costs)
{
    if (costs == nullptr)
        return 1;
    const Nanoseconds copy = std::max(meanCost(*costs, Work::Offload), meanCost(*costs, Work::Reload));
    const Nanoseconds work = meanCost(*costs, Work::Forward) + meanCost(*costs, Work::InputGradient) +
                             meanCost(*costs, Work::WeightGradient);
    return copy > 0 && work > 0 ? 3 * static_cast<double>(copy) / static_cast<double>(work) : 1;
}

int offloadedChunks(const RecipeRequest& request)
{
    const std::string& offload = request.parameter("offload");
    if (offload == "none")
        return 0;
    return offload == "full" ? request.chunks : std::max(1, request.chunks / 2);
}

Schedule generate(const RecipeRequest& request)
{
    const Shape shape = singlePipe(request);
    ScheduleBuilder builder(shape);
    const GroupBlock block(request.devices, request.chunks, 1);
    const int offloaded = offloadedChunks(request);
    const double copy = copySlots(request.costs);
    for (int device = 0; device < request.devices; ++device) {
        const std::vector<Placed> lane = block.lane(device, request.microbatches);
        for (const Placed& placed : lane)
            builder.compute(Device(device), placed.task);
        if (offloaded > 0)
            writeCopies(builder, Device(device), lane, CopyPlan(lane, shape, offloaded, copy));
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

} // namespace

const RecipeInfo pipeOffload{
    .id = "pipeoffload",
    .title = "PipeOffload",
    .paper =
        "Qi et al. 2025, PipeOffload: Improving Scalability of Pipeline Parallelism with Memory Optimization, arXiv "
        "2503.01328",
    .idea = "Activations that wait long are moved to host memory and back while the device computes.",
    .page = R"(The compute order is the building block of `gis` with groups of one microbatch, repeated uniformly: every
microbatch follows the one before in the same distance, so what a chunk contributes to the memory is
proportional to how long its activations wait. The first chunks wait longest.

`offload=half` (PO-H) moves the activations of the first half of the chunks to host memory after F (task
`o`) and back before I (task `h`), `offload=full` (PO-F) those of all chunks; `none`, the default, is the
order alone. One copy lane per device serves both directions in alternating slots: offloads as early as they
can, reloads as late as they can with one I to spare. An activation whose wait is shorter than three round
trips stays, and so does one that copies too slow couldn't bring back in time.

How long a copy takes is a cost, `--cost F=1,I=1,W=1,o=1,h=1`: copies that cost nothing are planned as long
as an F. With a copy of a third of F+I+W half of the chunks, or all for one of a sixth and less, travel
without a wait. Forwards wait until an offload has freed the place that they take, and reloads until their
time has come, so the memory is kept however long tasks take; slow copies are paid for in time, and the
wait has the cause memory.

Device 0 holds about (v+2)/(8v) of what 1F1B holds with half of the chunks offloaded, and two to four chunks
with all. Two GPUs that share a link to the host are not modelled.

With p=4, m=8, v=2 and F=I=W=1 a chunk the makespan is 57; device 0 holds 7 chunks, with copies of 1 and
`offload=half` 3.)",
    .formulas =
        "half: peak about (v+2)/(8v) of 1F1B's v*p chunks; full: a few chunks; idle below v(p-1)(F+I+W) with F, I "
        "and W of a chunk (bounds of the paper's Table 1)",
    .parameters = {{"offload", "which chunks' activations leave", "none", {"none", "half", "full"}}},
    .defaultChunks = 2,
    .maximumChunks = 64,
    .splitsBackward = true,
    .constraints = "any m of 1 or more",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
};

} // namespace bubblescope::catalog
