#include "core/execute/verify.h"

#include "core/base/error.h"
#include "core/execute/replicas.h"

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

void collectGradients(const StageModule& module, StepGradients& gradients)
{
    for (const ParameterView& view : module.parameters())
        gradients.tensors.push_back({view.name, std::vector<float>(view.gradient, view.gradient + view.count)});
}

StepGradients referenceStep(const StageMaker& maker, const ReferenceStep& step, const Progress& progress)
{
    const auto pipes = static_cast<int>(step.microbatches.size());
    const int all = std::accumulate(step.microbatches.begin(), step.microbatches.end(), 0);
    Arena arena;
    const auto module =
        maker.make({.firstBlock = 0, .blocks = step.blocks, .embedding = true, .head = true}, {all, pipes}, arena);
    int done = 0;
    for (int number = 0; done < all; ++number) {
        const DataKey key{Microbatch(number / pipes), Slice{}, Pipe(number % pipes)};
        if (key.microbatch >= step.microbatches[key.pipe])
            continue; // a pipe with fewer of them
        progress.report(-1, fmt::format("microbatch {} of {} on one device", ++done, all));
        progress.check();
        module->forward(key, {});
        if (step.recompute)
            module->recompute(key);
        module->inputGradient(key, {});
        module->weightGradient(key);
    }
    StepGradients gradients;
    collectGradients(*module, gradients);
    gradients.loss = module->takeLoss();
    return gradients;
}

bool addsInOrder(const Schedule& schedule)
{
    if (homesOf(schedule).size() != static_cast<std::size_t>(schedule.shape.stages))
        return false; // replicas are summed afterwards
    std::map<std::pair<Pipe, Stage>, int> added;
    for (const Task& task : schedule.tasks) {
        if (task.work == Work::ReduceScatter)
            return false; // each burst is summed by itself first
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
