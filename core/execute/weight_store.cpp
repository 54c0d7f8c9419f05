#include "core/execute/weight_store.h"

#include "core/base/error.h"

#include <utility>

namespace bubblescope {

WeightStore::WeightStore(StageModule& module, Arena& arena, std::vector<int> readers, Semantics::Prediction prediction)
    : m_module(module), m_arena(arena), m_readers(std::move(readers)), m_prediction(prediction)
{
}

void WeightStore::use(int version, int ahead)
{
    if (version != m_inside) {
        const auto wanted = m_aside.find(version);
        if (wanted == m_aside.end())
            throw Failure(fmt::format("version {} of the weights is asked for; the newest is {}, and {} older ones are "
                                      "kept",
                                      version, m_newest, m_aside.size()));
        std::swap(m_module.weightBuffer(), wanted->second);
        auto entry = m_aside.extract(wanted);
        entry.key() = std::exchange(m_inside, version);
        m_aside.insert(std::move(entry));
    }
    if (ahead > 0 && m_newest > 0) // before the first update nothing moves
        predict(ahead);
}

void WeightStore::release(int version)
{
    if (m_true)
        m_module.weightBuffer() = std::move(m_true);
    if (--m_readers.at(static_cast<std::size_t>(version)) > 0 || version == m_newest)
        return;
    use(m_newest);
    m_aside.erase(version);
}

void WeightStore::beginUpdate()
{
    use(m_newest);
    const auto version = static_cast<std::size_t>(m_newest);
    if (m_prediction == Semantics::Prediction::Weights)
        m_before = m_arena.copyOf(m_module.weightBuffer(), MemoryClass::Weight);
    if (version < m_readers.size() && m_readers[version] > 0)
        m_aside.emplace(m_newest, m_arena.copyOf(m_module.weightBuffer(), MemoryClass::Weight));
}

/// The predicted weights are the task's scratch memory: the version stays as it is.
void WeightStore::predict(int ahead)
{
    if (m_prediction == Semantics::Prediction::None)
        return;
    Buffer copy = m_arena.copyOf(m_module.weightBuffer(), MemoryClass::Workspace);
    m_true = std::exchange(m_module.weightBuffer(), std::move(copy));
    if (m_prediction == Semantics::Prediction::Velocity) {
        m_module.extrapolate(ahead);
        return;
    }
    float* weights = m_module.weightBuffer().floats();
    const float* before = m_before.floats();
    for (std::size_t i = 0; i < m_before.size() / sizeof(float); ++i)
        weights[i] += static_cast<float>(ahead) * (weights[i] - before[i]);
}

} // namespace bubblescope
