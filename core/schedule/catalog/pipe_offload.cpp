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

/// Times are in slots of the block, from where the device's copies may begin.
class CopyPlan {
public:
    /// `origin` is that place in slots of the lane, `copy` how long a copy takes; the first `offloaded` chunks leave.
    CopyPlan(const std::vector<Placed>& lane, const Shape& shape, int offloaded, double origin, double copy)
        : m_lane(lane), m_origin(origin), m_copy(copy), m_trip(2 * copy)
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

    double begin(std::uint32_t position) const { return static_cast<double>(m_lane[position].slot) - m_origin; }

    double end(std::uint32_t position) const { return begin(position) + 1; }

    std::uint32_t firstAt(double time) const
    {
        const auto found = std::partition_point(m_lane.begin(), m_lane.end(), [&](const Placed& placed) {
            return static_cast<double>(placed.slot) - m_origin < time - tolerance;
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
    double m_origin;
    double m_copy;
    double m_trip;
    std::vector<Trip> m_trips;
};

/// A copy, in its slot of the lane.
struct Copy {
    std::int64_t slot;
    Work work;
    const Trip* trip;
};

/// The copy lane of a device. Stash follows F → offload → reload → I. A forward waits for the place that an
/// offload frees, and a reload for the moment when its own is due, so that memory doesn't depend on how
/// long anything takes.
class CopyLane {
public:
    CopyLane(ScheduleBuilder& builder, Device device, const std::vector<Placed>& lane, const CopyPlan& plan)
        : m_builder(builder)
        , m_compute(builder.lane(device))
        , m_lane(builder.lane(device, LaneKind::CopyOut))
        , m_tasks(lane)
        , m_plan(plan)
        , m_offloads(lane.size())
        , m_nextForward(lane.size() + 1, static_cast<std::uint32_t>(lane.size()))
    {
        for (const Trip& trip : plan.trips()) {
            m_copies.push_back({2 * trip.offload, Work::Offload, &trip});
            m_copies.push_back({2 * trip.reload + 1, Work::Reload, &trip});
        }
        std::sort(m_copies.begin(), m_copies.end(), [](const Copy& a, const Copy& b) { return a.slot < b.slot; });
        for (std::size_t i = lane.size(); i-- > 0;)
            m_nextForward[i] =
                lane[i].task.work == Work::Forward ? static_cast<std::uint32_t>(i) : m_nextForward[i + 1];
    }

    /// Slot of the next copy; INT64_MAX when all are written.
    std::int64_t next() const { return m_written < m_copies.size() ? m_copies[m_written].slot : INT64_MAX; }

    void writeNext()
    {
        const Copy& copy = m_copies[m_written++];
        const Trip& trip = *copy.trip;
        Task task = m_tasks[trip.forward].task;
        task.work = copy.work;
        const Ref ref = m_builder.add(m_lane, task);
        if (copy.work == Work::Offload) {
            m_offloads[trip.forward] = ref;
            m_builder.edge({m_compute, trip.forward}, ref, Payload::Stash);
            if (const std::uint32_t waits = m_nextForward[m_plan.afterOffload(trip)]; waits < m_tasks.size())
                m_builder.edge(ref, {m_compute, waits});
        } else {
            m_builder.edge(m_offloads[trip.forward], ref, Payload::Stash);
            m_builder.edge(ref, {m_compute, trip.input}, Payload::Stash);
            if (const std::uint32_t before = m_plan.beforeReload(trip); before > 0)
                m_builder.edge({m_compute, before - 1}, ref);
        }
    }

    /// A member of the barrier that comes before the next copy of the link.
    Ref writeBarrier(const Task& barrier) { return m_builder.add(m_lane, barrier); }

private:
    ScheduleBuilder& m_builder;
    std::uint32_t m_compute;
    std::uint32_t m_lane;
    const std::vector<Placed>& m_tasks;
    const CopyPlan& m_plan;
    std::vector<Copy> m_copies;
    std::size_t m_written = 0;
    std::vector<Ref> m_offloads;              // by position of F
    std::vector<std::uint32_t> m_nextForward; // by position
};

/// Two devices share a link to the host: the grid of the second is a slot behind, so that one offloads while the
/// other reloads, and before each slot in which something is copied both wait for each other.
void writePair(ScheduleBuilder& builder, Device first, CopyLane& even, CopyLane& odd)
{
    const auto oddNext = [&] { return odd.next() == INT64_MAX ? INT64_MAX : odd.next() + 1; };
    for (int slot = 0;; ++slot) {
        const std::int64_t now = std::min(even.next(), oddNext());
        if (now == INT64_MAX)
            return;
        Task barrier{.work = Work::Barrier, .stage = Stage(first + 1), .microbatch = Microbatch(slot)};
        barrier.part = Part(first.value);
        const Ref one = even.writeBarrier(barrier);
        barrier.part = Part(first + 1);
        builder.group({one, odd.writeBarrier(barrier)});
        if (even.next() == now)
            even.writeNext();
        if (oddNext() == now)
            odd.writeNext();
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

/// Where the copies of a device may begin, in slots of its lane: at the end of its first forward, or in a pair at
/// that of the first device, and a copy later for the second.
double originOf(const RecipeRequest& request, const GroupBlock& block, int device, double copy)
{
    const bool second = request.parameter("link") == "shared" && device % 2 == 1;
    const int first = second ? device - 1 : device; // its first forward stands in the slot of its number
    const int shift = block.lateness(first) - block.lateness(device);
    return first + shift + 1 + (second ? copy : 0);
}

void writeCopies(ScheduleBuilder& builder, const RecipeRequest& request, const GroupBlock& block,
                 const std::vector<std::vector<Placed>>& lanes)
{
    const double copy = copySlots(request.costs);
    const int offloaded = offloadedChunks(request);
    for (int device = 0; device < request.devices; ++device) {
        const auto planOf = [&](int of) {
            return CopyPlan(lanes[static_cast<std::size_t>(of)], builder.schedule().shape, offloaded,
                            originOf(request, block, of, copy), copy);
        };
        const CopyPlan plan = planOf(device);
        CopyLane lane(builder, Device(device), lanes[static_cast<std::size_t>(device)], plan);
        if (request.parameter("link") == "shared" && device + 1 < request.devices) {
            const CopyPlan otherPlan = planOf(device + 1);
            CopyLane other(builder, Device(device + 1), lanes[static_cast<std::size_t>(device) + 1], otherPlan);
            writePair(builder, Device(device), lane, other);
            ++device;
        }
        while (lane.next() != INT64_MAX)
            lane.writeNext();
    }
}

Schedule generate(const RecipeRequest& request)
{
    ScheduleBuilder builder(singlePipe(request));
    const GroupBlock block(request.devices, request.chunks, 1);
    std::vector<std::vector<Placed>> lanes;
    for (int device = 0; device < request.devices; ++device) {
        lanes.push_back(block.lane(device, request.microbatches));
        for (const Placed& placed : lanes.back())
            builder.compute(Device(device), placed.task);
    }
    if (offloadedChunks(request) > 0)
        writeCopies(builder, request, block, lanes);
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

How long a copy takes is a cost, `--cost F=1,I=1,W=1,o=1,h=1`; copies that cost nothing are planned as long
as an F. The lane keeps up with all chunks while the way there and back takes no longer than F+I+W of a chunk,
and with half of them up to twice that. For a transformer of width h and sequence length s it takes about
10/(3(6h+s)) times (flop/s of the device)/(byte/s of the link) of F+I+W: 0.84 on an A100 with 15 GB/s for
h=8192 and s=8192, so all can leave; 1.70 for h=4096 and s=4096, where half can.

Forwards wait until an offload has freed the place that they take, and reloads until their time has come, so
the memory is kept however long tasks take; slow copies are paid for in time, and the wait has the cause
memory.

Device 0 holds about (v+2)/(8v) of what 1F1B holds with half of the chunks offloaded, and two to four chunks
with all.

Where two devices share a link to the host (`link=shared`: 0 and 1, 2 and 3, …), the second one's slots are a
copy later, so that one offloads while the other reloads, and a barrier (task `y` on both copy lanes) before
each slot in use keeps them in step. How long a copy takes on such a link is up to the costs.

With p=4, m=8, v=2 and F=I=W=1 a chunk the makespan is 57; device 0 holds 7 chunks, with copies of 1 and
`offload=half` 3.)",
    .formulas =
        "half: peak about (v+2)/(8v) of 1F1B's v*p chunks; full: a few chunks; idle below v(p-1)(F+I+W) with F, I "
        "and W of a chunk (bounds of the paper's Table 1)",
    .parameters = {{"offload", "which chunks' activations leave", "none", {"none", "half", "full"}},
                   {"link", "to the host: one for each device, or for each two", "own", {"own", "shared"}}},
    .defaultChunks = 2,
    .maximumChunks = 64,
    .splitsBackward = true,
    .constraints = "any m of 1 or more",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
};

} // namespace bubblescope::catalog
