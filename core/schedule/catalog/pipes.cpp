#include "core/schedule/catalog/pipes.h"

namespace bubblescope::catalog {
namespace {

std::vector<int> dealt(int microbatches, std::size_t pipes)
{
    std::vector<int> counts;
    for (std::size_t pipe = 0; pipe < pipes; ++pipe)
        counts.push_back((microbatches + static_cast<int>(pipes - pipe) - 1) / static_cast<int>(pipes));
    return counts;
}

Shape shapeOf(const RecipeRequest& request, const std::vector<int>& microbatches, std::size_t stages)
{
    Shape shape;
    shape.devices = request.devices;
    shape.stages = static_cast<int>(stages);
    shape.chunks = shape.stages / shape.devices;
    shape.pipes = static_cast<int>(microbatches.size());
    shape.microbatches = microbatches;
    return shape;
}

} // namespace

PipesWriter::PipesWriter(const RecipeRequest& request, std::vector<std::vector<Device>> homes)
    : m_microbatches(dealt(request.microbatches, homes.size()))
    , m_builder(shapeOf(request, m_microbatches, homes.front().size()))
    , m_homes(std::move(homes))
    , m_last(m_homes.size(), std::vector<ScheduleBuilder::Ref>(m_homes.front().size()))
{
}

ScheduleBuilder::Ref PipesWriter::add(Work work, int pipe, int stage, int microbatch)
{
    const auto q = static_cast<std::size_t>(pipe);
    const auto s = static_cast<std::size_t>(stage);
    const ScheduleBuilder::Ref ref = m_builder.compute(
        m_homes[q][s], {.work = work, .pipe = Pipe(pipe), .stage = Stage(stage), .microbatch = Microbatch(microbatch)});
    if (work == Work::Backward || work == Work::WeightGradient)
        m_last[q][s] = ref;
    return ref;
}

Schedule PipesWriter::finish()
{
    const std::size_t stages = m_homes.front().size();
    // The deepest stage first: on every device it has its gradients first, and all devices agree.
    for (std::size_t stage = stages; stage-- > 0;) {
        std::vector<ScheduleBuilder::Ref> members;
        for (std::size_t pipe = 0; pipe < m_homes.size(); ++pipe) {
            const Device home = m_homes[pipe][stage];
            m_builder.place(Pipe(pipe), Stage(stage), {home});
            members.push_back(m_builder.add(
                m_builder.lane(home, LaneKind::Collective),
                {.work = Work::AllReduce, .pipe = Pipe(pipe), .stage = Stage(stage), .part = Part(pipe)}));
            m_builder.edge(m_last[pipe][stage], members.back());
        }
        m_builder.group(members);
    }
    m_builder.endSynchronousStep();
    m_builder.schedule().semantics.replicas = Semantics::Replicas::SumBeforeUpdate;
    return m_builder.finish();
}

std::vector<std::vector<Device>> mirrored(const std::vector<Device>& homes, int devices)
{
    std::vector<std::vector<Device>> both{homes, {}};
    for (const Device home : homes)
        both[1].emplace_back(devices - 1 - home);
    return both;
}

std::vector<std::string> refuseOddDevices(const RecipeRequest& request, std::string_view title)
{
    const int p = request.devices;
    if (p % 2 == 0)
        return {};
    return {fmt::format("{} runs two directions that meet in the middle, so it needs an even number of devices: {} "
                        "stages is odd. {} would do.",
                        title, p, p > 1 ? fmt::format("{} or {}", p - 1, p + 1) : std::string("2"))};
}

} // namespace bubblescope::catalog
