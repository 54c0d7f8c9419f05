#include "core/execute/verify.h"

#include "core/base/error.h"
#include "core/execute/replicas.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

namespace bubblescope {
namespace {

double norm(const std::vector<float>& values)
{
    double sum = 0;
    for (const float value : values)
        sum += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(sum);
}

/// |a − b| ÷ |b|; a tensor of zeros has to be met exactly. NaN counts as infinitely wrong.
double relativeError(const std::vector<float>& a, const std::vector<float>& b)
{
    std::vector<float> difference(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        difference[i] = a[i] - b[i];
    const double apart = norm(difference);
    if (apart == 0)
        return 0;
    const double error = apart / norm(b);
    return std::isfinite(error) ? error : HUGE_VAL;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

std::string outcome(const VerifyResult& result)
{
    if (result.bitEqual)
        return fmt::format("All {} gradient tensors have the bits of a run on one device.", result.tensors);
    if (!(std::abs(result.loss - result.referenceLoss) <=
          VerifyResult::lossTolerance * std::max(1.0, std::abs(result.referenceLoss))))
        return fmt::format("The loss is {}, on one device it is {}.", result.loss, result.referenceLoss);
    const std::string apart = fmt::format("The gradient of {} differs from that of one device by {:.2e} of its norm",
                                          result.worstTensor, result.maxRelativeGradientError);
    if (result.passed)
        return apart + "; up to 1e-05 is the order of the additions.";
    if (result.bitsExpected && result.maxRelativeGradientError <= VerifyResult::gradientTolerance)
        return apart + "; microbatches are added in the same order here, so the bits should be equal.";
    return apart + fmt::format("; at most {:.0e} is allowed.", VerifyResult::gradientTolerance);
}

} // namespace

void collectGradients(const std::vector<ParameterView>& views, StepGradients& gradients)
{
    for (const ParameterView& view : views) {
        if (view.width == 0 && view.wholeWidth == 0) {
            gradients.tensors.push_back({view.name, std::vector<float>(view.gradient, view.gradient + view.count)});
            continue;
        }
        const auto same = [&](const TensorGradient& tensor) { return tensor.name == view.name; };
        auto whole = std::find_if(gradients.tensors.begin(), gradients.tensors.end(), same);
        if (whole == gradients.tensors.end())
            whole = gradients.tensors.insert(whole, {view.name, {}});
        const std::size_t rows = view.width == 0 ? 0 : view.count / view.width;
        whole->values.resize(std::max(whole->values.size(), rows * view.wholeWidth));
        for (std::size_t row = 0; row < rows; ++row)
            std::copy_n(view.gradient + row * view.width, view.width,
                        whole->values.begin() + static_cast<std::ptrdiff_t>(row * view.wholeWidth + view.first));
    }
}

namespace {

/// The model on one device: as one stage, or as stages one after another where microbatches take paths.
class Reference {
public:
    Reference(const StageMaker& maker, const ReferenceStep& step, const StepData& data) : m_step(step)
    {
        const int blocks = std::accumulate(step.partition.begin(), step.partition.end(), 0);
        if (step.paths.empty())
            m_stages.push_back(maker.make({.blocks = blocks, .embedding = true, .head = true}, data, m_arena));
        int first = 0;
        for (std::size_t stage = 0; !step.paths.empty() && stage < step.partition.size(); ++stage) {
            const StageLayers layers{.firstBlock = first,
                                     .blocks = step.partition[stage],
                                     .embedding = stage == 0,
                                     .head = stage + 1 == step.partition.size()};
            m_stages.push_back(maker.make(layers, data, m_arena));
            first += layers.blocks;
        }
        for (int layer = 0; layer < step.components; ++layer)
            m_encoder.push_back(maker.makeFrozen(layer, data, m_arena));
    }

    void run(const DataKey& key)
    {
        Buffer flow;
        for (const auto& layer : m_encoder)
            flow = layer->forward(key, std::move(flow));
        const std::vector<Stage>& path = pathOf(key);
        for (const Stage stage : path)
            flow = m_stages[stage]->forward(key, std::move(flow));
        for (auto stage = path.rbegin(); stage != path.rend(); ++stage) {
            if (m_step.recompute)
                m_stages[*stage]->recompute(key);
            flow = m_stages[*stage]->inputGradient(key, std::move(flow));
            m_stages[*stage]->weightGradient(key);
        }
    }

    StepGradients result()
    {
        StepGradients gradients;
        for (const auto& stage : m_stages) {
            collectGradients(stage->parameters(), gradients);
            gradients.loss += stage->takeLoss();
        }
        return gradients;
    }

private:
    const std::vector<Stage>& pathOf(const DataKey& key) const
    {
        static const std::vector<Stage> whole{Stage(0)};
        return m_step.paths.empty() ? whole
                                    : m_step.paths[m_step.pathOfMicrobatch[static_cast<std::size_t>(key.microbatch)]];
    }

    const ReferenceStep& m_step;
    Arena m_arena; // before all that holds its buffers
    std::vector<std::unique_ptr<StageModule>> m_stages;
    std::vector<std::unique_ptr<FrozenLayer>> m_encoder;
};

} // namespace

StepGradients referenceStep(const StageMaker& maker, const ReferenceStep& step, const Progress& progress)
{
    const auto pipes = static_cast<int>(step.microbatches.size());
    const int all = std::accumulate(step.microbatches.begin(), step.microbatches.end(), 0);
    Reference reference(maker, step, {all, pipes, step.slicing});
    int done = 0;
    for (int number = 0; done < all; ++number) {
        const DataKey key{Microbatch(number / pipes), Slice{}, Pipe(number % pipes)};
        if (key.microbatch >= step.microbatches[key.pipe])
            continue; // a pipe with fewer of them
        progress.report(-1, fmt::format("microbatch {} of {} on one device", ++done, all));
        progress.check();
        reference.run(key);
    }
    return reference.result();
}

bool addsInOrder(const Schedule& schedule)
{
    if (homesOf(schedule).size() != static_cast<std::size_t>(schedule.shape.stages))
        return false; // replicas are summed afterwards
    std::map<std::pair<Pipe, Stage>, int> added;
    for (const Task& task : schedule.tasks) {
        if (task.work == Work::ReduceScatter || task.work == Work::VocabularyS)
            return false; // each burst, or shard, is summed by itself first
        if (task.work == Work::Backward || task.work == Work::WeightGradient)
            if (task.microbatch != added[{task.pipe, task.stage}]++)
                return false;
    }
    return true;
}

VerifyResult compareGradients(const StepGradients& pipeline, const StepGradients& reference, bool bitsExpected)
{
    std::map<std::string, const TensorGradient*> known;
    for (const TensorGradient& tensor : reference.tensors)
        known[tensor.name] = &tensor;
    VerifyResult result{.ran = true,
                        .bitEqual = true,
                        .bitsExpected = bitsExpected,
                        .tensors = static_cast<int>(pipeline.tensors.size()),
                        .loss = pipeline.loss,
                        .referenceLoss = reference.loss};
    for (const TensorGradient& tensor : pipeline.tensors) {
        const auto found = known.find(tensor.name);
        if (found == known.end() || found->second->values.size() != tensor.values.size())
            throw Failure(fmt::format("the model on one device has no tensor {} of {} numbers", tensor.name,
                                      tensor.values.size()));
        const std::vector<float>& expected = found->second->values;
        const bool same = sameBits(tensor.values, expected);
        const double error = same ? 0 : relativeError(tensor.values, expected);
        result.bitEqual = result.bitEqual && same;
        if (!same && (result.worstTensor.empty() || error > result.maxRelativeGradientError)) {
            result.maxRelativeGradientError = error;
            result.worstTensor = tensor.name;
        }
    }
    if (pipeline.tensors.size() != reference.tensors.size())
        throw Failure(fmt::format("the stages hold {} parameter tensors together, the model on one device {}",
                                  pipeline.tensors.size(), reference.tensors.size()));
    const double lossAllowance = VerifyResult::lossTolerance * std::max(1.0, std::abs(reference.loss));
    result.bitEqual = result.bitEqual && pipeline.loss == reference.loss;
    result.passed =
        std::abs(pipeline.loss - reference.loss) <= lossAllowance &&
        (bitsExpected ? result.bitEqual : result.maxRelativeGradientError <= VerifyResult::gradientTolerance);
    result.sentence = outcome(result);
    return result;
}

} // namespace bubblescope
