// SPPO: Seq1F1B whose early slices wait in host memory.
//
//     compute    F0.0 F0.1 F0.2 …         B0.2 B0.1 B0.0      slice 0 is there longest: most of it leaves;
//     copy-out        o0.0 o0.1                               slice 2 goes back at once: it stays
//     copy-in                    …        h0.1 h0.0
//
// How much of a slice leaves follows its position: what the copies have time for between its forward and its backward.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/slices.h"

#include <algorithm>
#include <cmath>

namespace bubblescope::catalog {
namespace {

using Ref = ScheduleBuilder::Ref;

/// A stage's mean durations of one microbatch; without costs, those of the teaching units.
struct MeanCosts {
    double compute = 3; ///< F and B
    double backward = 2;
    double offload = 0;
    double reload = 0;

    explicit MeanCosts(const Costs* costs)
    {
        if (costs == nullptr)
            return;
        backward = static_cast<double>(meanCost(*costs, Work::Backward));
        compute = backward + static_cast<double>(meanCost(*costs, Work::Forward));
        offload = static_cast<double>(meanCost(*costs, Work::Offload));
        reload = static_cast<double>(meanCost(*costs, Work::Reload));
    }
};

/// The compute lane of a stage by its costs alone, as if it never waited, and the copies beside it.
class LaneTimes {
public:
    struct Entry {
        Work work;
        int unit; ///< microbatch · slices + slice
    };

    LaneTimes(const Slicing& slicing, const MeanCosts& mean, int microbatches, int warmup)
        : m_lengths(slicing.cuts.front().lengths), m_whole(slicing.whole), m_mean(mean)
    {
        for (const double work : sliceWork(slicing, slicing.cuts.front()))
            m_work.push_back(work / slicing.workOfOne);
        const int units = microbatches * slices();
        m_forwardEnd.resize(static_cast<std::size_t>(units));
        m_backwardBegin.resize(static_cast<std::size_t>(units));
        int forwards = 0;
        for (int i = 0; i < units; ++i) {
            while (forwards < std::min(units, warmup + 1 + i))
                add(Work::Forward, forwards++);
            add(Work::Backward, i / slices() * slices() + slices() - 1 - i % slices());
        }
    }

    const std::vector<Entry>& order() const { return m_order; }

    int slices() const { return static_cast<int>(m_lengths.size()); }

    /// When the reload of each unit has to begin at the latest, on a lane that has one after another.
    std::vector<double> latestReloads(const std::vector<double>& parts) const
    {
        std::vector<double> latest(m_forwardEnd.size());
        double next = m_end.back();
        for (std::size_t i = m_order.size(); i-- > 0;) {
            const auto unit = static_cast<std::size_t>(m_order[i].unit);
            const double moved = movedOf(parts, unit);
            if (m_order[i].work == Work::Forward || moved == 0)
                continue;
            next = std::min(next, m_backwardBegin[unit]) - moved * m_mean.reload;
            latest[unit] = next;
        }
        return latest;
    }

    /// True when every offload is over when its reload has to begin.
    bool fits(const std::vector<double>& parts) const
    {
        const std::vector<double> latest = latestReloads(parts);
        double lane = 0;
        for (const Entry& entry : m_order) {
            const auto unit = static_cast<std::size_t>(entry.unit);
            const double moved = movedOf(parts, unit);
            if (entry.work != Work::Forward || moved == 0)
                continue;
            lane = std::max(lane, m_forwardEnd[unit]) + moved * m_mean.offload;
            if (lane > latest[unit])
                return false;
        }
        return true;
    }

    /// Tasks of the lane that are over at a time.
    std::uint32_t over(double time) const
    {
        return static_cast<std::uint32_t>(std::upper_bound(m_end.begin(), m_end.end(), time) - m_end.begin());
    }

private:
    void add(Work work, int unit)
    {
        const double begin = m_end.empty() ? 0 : m_end.back();
        const double share = m_work[static_cast<std::size_t>(unit % slices())];
        m_end.push_back(begin + share * (work == Work::Forward ? m_mean.compute - m_mean.backward : m_mean.backward));
        (work == Work::Forward ? m_forwardEnd : m_backwardBegin)[static_cast<std::size_t>(unit)] =
            work == Work::Forward ? m_end.back() : begin;
        m_order.push_back({work, unit});
    }

    /// In microbatches.
    double movedOf(const std::vector<double>& parts, std::size_t unit) const
    {
        const std::size_t slice = unit % m_lengths.size();
        return parts[slice] * m_lengths[slice] / m_whole;
    }

    std::vector<int> m_lengths;
    double m_whole;
    MeanCosts m_mean;
    std::vector<double> m_work; ///< of a slice, in microbatches
    std::vector<Entry> m_order;
    std::vector<double> m_end;        ///< by position
    std::vector<double> m_forwardEnd; ///< by unit
    std::vector<double> m_backwardBegin;
};

/// Forwards of a stage before it alternates.
int warmupOf(const RecipeRequest& request, int slices, int stage)
{
    return request.devices - stage - 2 + slices;
}

/// Part of each slice's activations that leaves. On the last stage, where time is shortest, slice i waits for F and B of
/// all later slices, and its copies have to fit there; both copy lanes together have to keep up with the compute lane.
std::vector<double> offloadedParts(const RecipeRequest& request, const Slicing& slicing)
{
    const MeanCosts mean(request.costs);
    const SliceCut& cut = slicing.cuts.front();
    const std::vector<double> work = sliceWork(slicing, cut);
    const auto slices = static_cast<int>(work.size());
    std::vector<double> parts(work.size(), 0.0);
    double window = mean.compute;
    double most = request.decimal("offload");
    for (std::size_t i = 0; i + 1 < work.size(); ++i) {
        window -= work[i] / slicing.workOfOne * mean.compute;
        const double trip = cut.lengths[i] / slicing.whole * (mean.offload + mean.reload);
        most = trip > 0 ? std::min(most, window / trip) : most; // never more than of the slice before
        parts[i] = most;
    }
    constexpr int enough = 3; // the first microbatch, the last, and one between
    const LaneTimes times(slicing, mean, std::min(enough, request.microbatches),
                          warmupOf(request, slices, request.devices - 1));
    const auto scaled = [&](double factor) {
        std::vector<double> smaller = parts;
        for (double& part : smaller)
            part = std::floor(part * factor * 1e6) / 1e6;
        return smaller;
    };
    if (times.fits(scaled(1)))
        return scaled(1);
    double least = 0;
    double tooMuch = 1;
    for (int i = 0; i < 20; ++i) {
        const double middle = (least + tooMuch) / 2;
        (times.fits(scaled(middle)) ? least : tooMuch) = middle;
    }
    return scaled(least);
}

/// One device: its compute lane as Seq1F1B has it, and the copies of each slice that leaves.
void writeDevice(ScheduleBuilder& builder, Device device, const LaneTimes& times)
{
    const std::vector<double>& parts = builder.schedule().slicing.offloaded;
    const std::vector<double> latest = times.latestReloads(parts);
    std::vector<Ref> offloads(latest.size());
    const std::uint32_t lane = builder.lane(device);
    for (const LaneTimes::Entry& entry : times.order()) {
        const int slice = entry.unit % times.slices();
        const auto taskOf = [&](Work work) { return sliceTask(work, device, entry.unit / times.slices(), slice); };
        const Ref done = builder.add(lane, taskOf(entry.work));
        const auto unit = static_cast<std::size_t>(entry.unit);
        if (parts[static_cast<std::size_t>(slice)] == 0)
            continue;
        if (entry.work == Work::Forward) {
            offloads[unit] = builder.add(builder.lane(device, LaneKind::CopyOut), taskOf(Work::Offload));
            builder.edge(done, offloads[unit], Payload::Stash);
            continue;
        }
        const Ref copy = builder.add(builder.lane(device, LaneKind::CopyIn), taskOf(Work::Reload));
        builder.edge(offloads[unit], copy, Payload::Stash);
        builder.edge(copy, done, Payload::Stash);
        // The reload runs beside what lies between. Its slice can't come back earlier, or memory would depend on luck.
        if (const std::uint32_t over = std::min(times.over(latest[unit]), done.position); over > 0)
            builder.edge({lane, over - 1}, copy);
    }
}

Schedule generate(const RecipeRequest& request)
{
    Slicing slicing = sliceEqually(request);
    slicing.offloaded = offloadedParts(request, slicing);
    const Shape shape = slicedPipe(request, slicing);
    ScheduleBuilder builder(shape);
    builder.schedule().slicing = slicing;
    for (int stage = 0; stage < request.devices; ++stage)
        writeDevice(
            builder, Device(stage),
            LaneTimes(slicing, MeanCosts(request.costs), request.microbatches, warmupOf(request, shape.slices, stage)));
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

std::vector<RecipeParameter> parameters()
{
    std::vector<RecipeParameter> all = sliceParameters(4);
    all.push_back(
        {"offload",
         "most of a slice's activations that may leave; how much does follows from its position and the costs",
         "1",
         {},
         0,
         1,
         RecipeParameter::Kind::Number});
    return all;
}

} // namespace

const RecipeInfo sppo{
    .id = "sppo",
    .title = "SPPO",
    .paper = "Chen et al. 2025, SPPO: Efficient Long-sequence LLM Training via Adaptive Sequence Pipeline Parallel "
             "Offloading, arXiv 2503.10377",
    .idea =
        "Seq1F1B whose slices wait in host memory: the earlier a slice, the longer it waits and the more of it leaves.",
    .page =
        R"(The compute order is that of `seq1f1b`. Inside a microbatch the first slice goes forwards first and backwards
last, so its activations wait longest; the last slice goes back at once. SPPO moves activations to host memory after
the forward (task `o`) and back before the backward (task `h`), each slice with its own ratio a_i, decreasing in i:

    a_i = min(offload, a of the slice before, window of slice i / (o + h))

The window is the time that the last stage, where it is shortest, takes for F and B of all later slices; o and h are the
costs of copying the slice's activations whole. If the copies of a whole step would still not keep up there, all
ratios are made smaller alike until they do. So copies don't hold up evenly loaded devices, the last slice always
stays, and slow links move less. Offloads run on the copy-out lane and reloads on the copy-in lane; a reload
begins as late as it can and still be there in time.

Say what copies cost, as in `--cost F=1,B=2,o=1,h=1`; copies that cost nothing move everything but the last
slice. What stays on the device is 1-a_i of each slice. Keys and values stay too when the schedule is executed, since later
slices read them.

Derived by us from the abstract: the formula of the ratio, that whole tensors are moved when it is executed (the largest that
fit the ratio), and that nothing is recomputed in the place of moving it (the paper's second level). The number
of slices is given, or `sizes=auto` takes TeraPipe's programme, in place of the paper's solver.)",
    .formulas = "idle per device (p-1)(F+B)/k with k equal slices and copies that keep up; held of a microbatch "
                "sum (1-a_i) A_i",
    .parameters = parameters(),
    .constraints = "any number of microbatches and slices of 1 or more; balanced: no more slices than units",
    .problems = sliceProblems,
    .warnings = sliceWarnings,
    .generate = generate,
};

} // namespace bubblescope::catalog
