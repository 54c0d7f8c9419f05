#include "tests/support/toy_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <random>
#include <utility>

namespace bubblescope::test {
namespace {

using Vector = Buffer;

class ToyStage final : public StageModule {
public:
    ToyStage(const ToyMaker& maker, const StageLayers& layers, const StepData& data, Arena& arena)
        : m_maker(maker)
        , m_layers(layers)
        , m_data(data)
        , m_arena(arena)
        , m_width(static_cast<std::size_t>(maker.width))
        , m_blocks(static_cast<std::size_t>(layers.blocks))
    {
        if (layers.borrowed)
            return;
        m_weights = arena.get(m_blocks * matrix() * sizeof(float), MemoryClass::Weight);
        m_gradients = arena.get(m_blocks * matrix() * sizeof(float), MemoryClass::WeightGradient);
        std::fill_n(m_gradients.floats(), m_blocks * matrix(), 0.0F);
        for (std::size_t block = 0; block < m_blocks; ++block) {
            std::mt19937 random(static_cast<unsigned>(layers.firstBlock) + static_cast<unsigned>(block));
            std::uniform_real_distribution<float> uniform(-0.5F, 0.5F);
            std::generate_n(weights(block), matrix(), [&] { return uniform(random); });
        }
    }

    Buffer forward(const DataKey& key, Buffer input) override
    {
        called('F', key);
        Stash& stash = insert(key);
        stash.inputs.push_back(m_layers.embedding ? embed(key) : std::move(input));
        compute(stash);
        Vector out = copy(stash.outputs.empty() ? stash.inputs.front() : stash.outputs.back());
        if (m_maker.recompute) {
            stash.inputs.resize(1);
            stash.outputs.clear();
        }
        if (!m_layers.head)
            return out;
        stash.last = std::move(out);
        for (std::size_t i = 0; i < m_width; ++i)
            m_loss += 0.5 * std::pow(static_cast<double>(difference(key, stash.last, i)), 2) / scale();
        return {};
    }

    void recompute(const DataKey& key) override
    {
        called('R', key);
        compute(find(key));
    }

    void release(const DataKey& key) override
    {
        Stash& stash = find(key);
        stash.inputs.resize(1);
        stash.outputs.clear();
    }

    Buffer inputGradient(const DataKey& key, Buffer outputGradient) override
    {
        called('I', key);
        Stash& stash = find(key);
        Vector gradient = std::move(outputGradient);
        if (m_layers.head) {
            gradient = fresh();
            for (std::size_t i = 0; i < m_width; ++i)
                gradient.floats()[i] = difference(key, stash.last, i) / static_cast<float>(scale());
            stash.last.reset();
        }
        stash.gradients.resize(m_blocks);
        for (std::size_t block = m_blocks; block-- > 0;) {
            for (std::size_t i = 0; i < m_width; ++i) {
                const float y = stash.outputs[block].floats()[i];
                gradient.floats()[i] *= 1 - y * y;
            }
            Vector back = fresh();
            for (std::size_t j = 0; j < m_width; ++j) {
                back.floats()[j] = 0;
                for (std::size_t i = 0; i < m_width; ++i)
                    back.floats()[j] += weights(block)[i * m_width + j] * gradient.floats()[i];
            }
            stash.gradients[block] = std::move(gradient);
            gradient = std::move(back);
        }
        return m_layers.embedding ? Buffer() : std::move(gradient);
    }

    void weightGradient(const DataKey& key) override
    {
        called('W', key);
        Stash& stash = find(key);
        for (std::size_t block = 0; block < m_blocks; ++block) {
            const bool part = !m_layers.embedding || !m_layers.head;
            const bool wrong = part && m_layers.firstBlock + static_cast<int>(block) == m_maker.wrongBlock;
            const float factor = wrong ? 1 + m_maker.wrongBy : 1;
            for (std::size_t i = 0; i < m_width; ++i)
                for (std::size_t j = 0; j < m_width; ++j)
                    gradients(block)[i * m_width + j] +=
                        factor * stash.gradients[block].floats()[i] * stash.inputs[block].floats()[j];
        }
        const std::lock_guard lock(m_mutex);
        if (!m_maker.keepsStash)
            m_stash.erase(key);
    }

    void update(int step) override
    {
        called('U', {Microbatch(step), {}, {}});
        for (std::size_t i = 0; i < m_blocks * matrix(); ++i)
            m_weights.floats()[i] -= m_maker.learningRate * m_gradients.floats()[i];
        std::fill_n(m_gradients.floats(), m_blocks * matrix(), 0.0F);
    }

    double takeLoss() override { return std::exchange(m_loss, 0.0); }

    std::vector<ParameterView> parameters() const override
    {
        std::vector<ParameterView> views;
        for (std::size_t block = 0; block < m_blocks; ++block)
            views.push_back({"block" + std::to_string(m_layers.firstBlock + static_cast<int>(block)),
                             m_weights.floats() + block * matrix(), m_gradients.floats() + block * matrix(), matrix()});
        return views;
    }

    Buffer& weightBuffer() override { return m_weights; }

    Buffer& gradientBuffer() override { return m_gradients; }

    std::unique_ptr<KeptState> detach(const DataKey& key) override
    {
        const std::lock_guard lock(m_mutex);
        auto state = std::make_unique<Stash>(std::move(m_stash.at(key)));
        m_stash.erase(key);
        return state;
    }

    void attach(const DataKey& key, std::unique_ptr<KeptState> state) override
    {
        const std::lock_guard lock(m_mutex);
        m_stash.emplace(key, std::move(dynamic_cast<Stash&>(*state)));
    }

    std::vector<DataKey> pending() const override
    {
        const std::lock_guard lock(m_mutex);
        std::vector<DataKey> keys;
        for (const auto& [key, stash] : m_stash)
            keys.push_back(key);
        return keys;
    }

private:
    struct Stash final : KeptState {
        std::vector<Buffer*> buffers() override
        {
            std::vector<Buffer*> all{&last};
            for (auto* list : {&inputs, &outputs, &gradients})
                for (Vector& vector : *list)
                    all.push_back(&vector);
            return all;
        }

        std::vector<Vector> inputs; ///< of each block
        std::vector<Vector> outputs;
        std::vector<Vector> gradients; ///< before the matrix, from I to W
        Vector last;                   ///< the head's input
    };

    void called(char work, const DataKey& key) const
    {
        if (m_maker.onTask)
            m_maker.onTask(work, m_layers.firstBlock, key);
    }

    std::size_t matrix() const { return m_width * m_width; }

    float* weights(std::size_t block) { return m_weights.floats() + block * matrix(); }

    float* gradients(std::size_t block) { return m_gradients.floats() + block * matrix(); }

    Stash& insert(const DataKey& key)
    {
        const std::lock_guard lock(m_mutex);
        return m_stash[key];
    }

    Stash& find(const DataKey& key)
    {
        const std::lock_guard lock(m_mutex);
        return m_stash.at(key);
    }

    /// Number of the key's microbatch in the data of all pipes.
    int number(const DataKey& key) const { return key.microbatch * m_data.pipes + key.pipe; }

    double scale() const { return static_cast<double>(m_width) * m_data.microbatches; }

    Vector fresh() { return m_arena.get(m_width * sizeof(float), MemoryClass::Activation); }

    Vector copy(const Vector& from)
    {
        Vector to = fresh();
        std::copy_n(from.floats(), m_width, to.floats());
        return to;
    }

    Vector embed(const DataKey& key)
    {
        Vector x = fresh();
        for (std::size_t i = 0; i < m_width; ++i)
            x.floats()[i] = std::sin(static_cast<float>(number(key) * 7 + static_cast<int>(i) * 3 + 1));
        return x;
    }

    float difference(const DataKey& key, const Vector& out, std::size_t i) const
    {
        return out.floats()[i] - 0.5F * std::cos(static_cast<float>(number(key) + static_cast<int>(i)));
    }

    void compute(Stash& stash)
    {
        for (std::size_t block = 0; block < m_blocks; ++block) {
            Vector y = fresh();
            for (std::size_t i = 0; i < m_width; ++i) {
                float sum = 0;
                for (std::size_t j = 0; j < m_width; ++j)
                    sum += weights(block)[i * m_width + j] * stash.inputs[block].floats()[j];
                y.floats()[i] = std::tanh(sum);
            }
            if (block + 1 < m_blocks)
                stash.inputs.push_back(copy(y));
            stash.outputs.push_back(std::move(y));
        }
    }

    const ToyMaker& m_maker;
    const StageLayers m_layers;
    const StepData m_data;
    Arena& m_arena;
    const std::size_t m_width;
    const std::size_t m_blocks;
    Vector m_weights;
    Vector m_gradients;
    mutable std::mutex m_mutex; ///< of the map: copies of other keys may run beside the stage's tasks
    std::map<DataKey, Stash> m_stash;
    double m_loss = 0;
};

} // namespace

std::unique_ptr<StageModule> ToyMaker::make(const StageLayers& layers, const StepData& data, Arena& arena) const
{
    return std::make_unique<ToyStage>(*this, layers, data, arena);
}

} // namespace bubblescope::test
