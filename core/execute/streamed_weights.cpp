#include "core/execute/streamed_weights.h"

#include "core/base/error.h"

#include <algorithm>

namespace bubblescope {

bool streamsWeights(const Schedule& schedule)
{
    return std::any_of(schedule.tasks.begin(), schedule.tasks.end(),
                       [](const Task& task) { return task.work == Work::LoadWeights; });
}

StreamedWeights::StreamedWeights(const Schedule& schedule)
    : m_used(streamsWeights(schedule))
    , m_delay(schedule.semantics.forwardReads == Semantics::ForwardReads::Delayed ? 1 : 0)
    , m_stages(static_cast<std::size_t>(schedule.shape.allStages()))
{
}

void StreamedWeights::settle(Stage stage, StageModule& master, Arena& host)
{
    OfStage& own = m_stages[stage];
    const std::lock_guard lock(own.mutex); // replicas of a stage that isn't streamed all come here
    own.master = &master;
    own.host = &host;
}

Buffer StreamedWeights::load(Stage stage, int step, Arena& device)
{
    OfStage& own = m_stages[stage];
    const std::lock_guard lock(own.mutex);
    const int wanted = std::min(std::max(step - m_delay, 0), own.version); // a rehearsal doesn't update
    if (wanted == own.version)
        return device.copyOf(own.master->weightBuffer(), MemoryClass::Weight);
    if (wanted + 1 != own.version || !own.before)
        throw Failure(fmt::format("version {} of the weights is gone; the host has version {}", wanted, own.version));
    return device.copyOf(own.before, MemoryClass::Weight);
}

void StreamedWeights::addGradients(Stage stage, const Buffer& gradients)
{
    OfStage& own = m_stages[stage];
    const std::lock_guard lock(own.mutex);
    float* sum = own.master->gradientBuffer().floats();
    const float* added = gradients.floats();
    for (std::size_t i = 0; i < gradients.size() / sizeof(float); ++i)
        sum[i] += added[i];
}

void StreamedWeights::addLoss(Stage stage, int step, double loss)
{
    OfStage& own = m_stages[stage];
    const std::lock_guard lock(own.mutex);
    own.losses[step] += loss;
}

double StreamedWeights::takeLoss(Stage stage, int step)
{
    OfStage& own = m_stages[stage];
    const std::lock_guard lock(own.mutex);
    const auto found = own.losses.find(step);
    if (found == own.losses.end())
        return 0;
    const double loss = found->second;
    own.losses.erase(found);
    return loss;
}

void StreamedWeights::update(Stage stage, int step)
{
    OfStage& own = m_stages[stage];
    const std::lock_guard lock(own.mutex);
    if (m_delay > 0)
        own.before = own.host->copyOf(own.master->weightBuffer(), MemoryClass::Weight);
    own.master->update(step);
    ++own.version;
}

void StreamedWeights::clear()
{
    for (OfStage& own : m_stages)
        own.before.reset();
}

} // namespace bubblescope
