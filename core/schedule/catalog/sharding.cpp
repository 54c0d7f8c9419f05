#include "core/schedule/catalog/sharding.h"

#include <cstdint>
#include <map>

namespace bubblescope::catalog {
namespace {

using Ref = ScheduleBuilder::Ref;

/// Positions of the first and last task on the compute lane; W needs no weights and belongs to none.
struct Burst {
    std::uint32_t first;
    std::uint32_t last;
};

std::vector<Burst> burstsOf(const std::vector<Task>& order)
{
    std::vector<Burst> bursts;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        if (order[i].work == Work::WeightGradient)
            continue;
        const bool goesOn = !bursts.empty() && order[bursts.back().last].stage == order[i].stage &&
                            order[bursts.back().last].work == order[i].work;
        if (!goesOn)
            bursts.push_back({i, i});
        bursts.back().last = i;
    }
    return bursts;
}

} // namespace

void addSharding(ScheduleBuilder& builder, Device device, const std::vector<Task>& order, int unit)
{
    const std::uint32_t compute = builder.lane(device);
    const std::uint32_t lane = builder.lane(device, LaneKind::Collective);
    const std::vector<Burst> bursts = burstsOf(order);
    const int microbatches = builder.schedule().shape.microbatches.front();
    std::map<std::pair<Work, Stage>, int> ordinals;
    const auto collective = [&](Work work, std::uint32_t position) {
        const Stage stage = order[position].stage;
        return builder.add(lane, {.work = work, .stage = stage, .microbatch = Microbatch(ordinals[{work, stage}]++)});
    };
    std::size_t gathered = 0;
    const auto gather = [&] {
        if (gathered == bursts.size())
            return;
        const Ref done = collective(Work::Gather, bursts[gathered].first);
        builder.edge(done, {compute, bursts[gathered].first}, Payload::Weight);
        if (gathered >= 2)
            builder.edge({compute, bursts[gathered - 2].last}, done);
        ++gathered;
    };
    gather();
    gather();
    const auto barrier = static_cast<std::uint32_t>(order.size()); // the step ends right behind
    std::size_t over = 0;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        if (over < bursts.size() && bursts[over].last == i) {
            gather();
            ++over;
        }
        const bool gradient = order[i].work == Work::Backward || order[i].work == Work::WeightGradient;
        const int done = order[i].microbatch + 1;
        if (gradient && (done % unit == 0 || done == microbatches)) {
            const Ref reduced = collective(Work::ReduceScatter, i);
            builder.edge({compute, i}, reduced);
            builder.edge(reduced, {compute, barrier});
        }
    }
}

} // namespace bubblescope::catalog
