#include "core/schedule/catalog/split_step.h"

namespace bubblescope::catalog {
namespace {

Schedule barrierStep(const RecipeRequest& request, const StepLanes& lanes)
{
    ScheduleBuilder builder(singlePipe(request));
    for (int stage = 0; stage < request.devices; ++stage)
        for (const Task& task : lanes[static_cast<std::size_t>(stage)])
            builder.compute(Device(stage), task);
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

/// Steps that run into each other. Check 2j of a stage is step j's on the way down, 2j+1 the one on the way up.
class ValidatedSteps {
public:
    ValidatedSteps(const RecipeRequest& request, const StepLanes& lanes)
        : m_request(request), m_lanes(lanes), m_builder(shapeFor(request))
    {
    }

    Schedule operator()()
    {
        for (int stage = 0; stage < m_request.devices; ++stage)
            writeLane(stage);
        const auto steps = static_cast<std::size_t>(m_request.steps);
        for (std::size_t at = steps; at < m_down.size(); ++at) {
            m_builder.edge(m_down[at - steps], m_down[at]);
            m_builder.edge(m_up[at], m_up[at - steps]);
        }
        m_builder.placeLooped();
        Semantics& semantics = m_builder.schedule().semantics;
        semantics.updateEvery = m_request.microbatches;
        semantics.stepBarrier = Semantics::StepBarrier::PostValidation;
        return m_builder.finish();
    }

private:
    static Shape shapeFor(const RecipeRequest& request)
    {
        Shape shape = singlePipe(request);
        shape.steps = request.steps;
        return shape;
    }

    void writeLane(int stage)
    {
        for (int step = 0; step < m_request.steps; ++step) {
            bool validated = step == 0;
            for (Task next : m_lanes[static_cast<std::size_t>(stage)]) {
                if (propagatesGradient(next.work) && !validated) {
                    m_up.push_back(check(stage, 2 * step - 1));
                    validated = true;
                }
                next.microbatch = Microbatch(next.microbatch + step * m_request.microbatches);
                m_builder.compute(Device(stage), next);
            }
            m_down.push_back(check(stage, 2 * step));
            m_builder.compute(Device(stage), task(Work::Update, stage, step));
        }
        m_up.push_back(check(stage, 2 * m_request.steps - 1)); // the last step is validated too
    }

    ScheduleBuilder::Ref check(int stage, int number)
    {
        return m_builder.compute(Device(stage), task(Work::Check, stage, number));
    }

    const RecipeRequest& m_request;
    const StepLanes& m_lanes;
    ScheduleBuilder m_builder;
    std::vector<ScheduleBuilder::Ref> m_down; // by stage, by step
    std::vector<ScheduleBuilder::Ref> m_up;
};

} // namespace

RecipeParameter updateParameter()
{
    return {"update",
            "a barrier before all updates, or each stage's own and validated later",
            "barrier",
            {"barrier", "post-validation"}};
}

bool postValidates(const RecipeRequest& request)
{
    return request.parameter("update") == "post-validation";
}

StepLanes tasksOf(const SplitLanes& words)
{
    constexpr std::array<Work, 3> works{Work::Forward, Work::InputGradient, Work::WeightGradient};
    StepLanes lanes;
    for (const std::string& word : words) {
        std::array<int, 3> next{};
        const auto stage = static_cast<int>(lanes.size());
        lanes.emplace_back().reserve(word.size());
        for (const char letter : word) {
            const auto kind = SplitPipeline::kindOf(letter);
            lanes.back().push_back(task(works[kind], stage, next[kind]++));
        }
    }
    return lanes;
}

Schedule splitSteps(const RecipeRequest& request, const StepLanes& lanes)
{
    if (postValidates(request))
        return ValidatedSteps(request, lanes)();
    Schedule step = barrierStep(request, lanes);
    return request.steps == 1 ? std::move(step) : repeatSteps(step, request.steps);
}

} // namespace bubblescope::catalog
