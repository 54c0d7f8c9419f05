#include "tests/support/toy_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

namespace bubblescope::test {
namespace {

using Vector = Buffer;

class ToyStage final : public StageModule {
public:
    ToyStage(const ToyMaker& maker, const StageLayers& layers, int microbatches, Arena& arena)
        : m_maker(maker)
        , m_layers(layers)
        , m_microbatches(microbatches)
        , m_arena(arena)
        , m_width(static_cast<std::size_t>(maker.width))
    {
        for (int block = 0; block < layers.blocks; ++block) {
            Vector weights = arena.get(m_width * m_width * sizeof(float), MemoryClass::Weight);
            std::mt19937 random(static_cast<unsigned>(layers.firstBlock + block));
            std::uniform_real_distribution<float> uniform(-0.5F, 0.5F);
            std::generate_n(weights.floats(), m_width * m_width, [&] { return uniform(random); });
            Vector gradient = arena.get(m_width * m_width * sizeof(float), MemoryClass::WeightGradient);
            std::fill_n(gradient.floats(), m_width * m_width, 0.0F);
            m_weights.push_back(std::move(weights));
            m_gradients.push_back(std::move(gradient));
        }
    }

    Buffer forward(const DataKey& key, Buffer input) override
    {
        called('F', key);
        Stash& stash = m_stash[key];
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
        compute(m_stash.at(key));
    }

    Buffer inputGradient(const DataKey& key, Buffer outputGradient) override
    {
        called('I', key);
        Stash& stash = m_stash.at(key);
        Vector gradient = std::move(outputGradient);
        if (m_layers.head) {
            gradient = fresh();
            for (std::size_t i = 0; i < m_width; ++i)
                gradient.floats()[i] = difference(key, stash.last, i) / static_cast<float>(scale());
            stash.last.reset();
        }
        stash.gradients.resize(m_weights.size());
        for (std::size_t block = m_weights.size(); block-- > 0;) {
            for (std::size_t i = 0; i < m_width; ++i) {
                const float y = stash.outputs[block].floats()[i];
                gradient.floats()[i] *= 1 - y * y;
            }
            Vector back = fresh();
            for (std::size_t j = 0; j < m_width; ++j) {
                back.floats()[j] = 0;
                for (std::size_t i = 0; i < m_width; ++i)
                    back.floats()[j] += m_weights[block].floats()[i * m_width + j] * gradient.floats()[i];
            }
            stash.gradients[block] = std::move(gradient);
            gradient = std::move(back);
        }
        return m_layers.embedding ? Buffer() : std::move(gradient);
    }

    void weightGradient(const DataKey& key) override
    {
        called('W', key);
        Stash& stash = m_stash.at(key);
        for (std::size_t block = 0; block < m_weights.size(); ++block) {
            const bool part = !m_layers.embedding || !m_layers.head;
            const bool wrong = part && m_layers.firstBlock + static_cast<int>(block) == m_maker.wrongBlock;
            const float factor = wrong ? 1 + m_maker.wrongBy : 1;
            for (std::size_t i = 0; i < m_width; ++i)
                for (std::size_t j = 0; j < m_width; ++j)
                    m_gradients[block].floats()[i * m_width + j] +=
                        factor * stash.gradients[block].floats()[i] * stash.inputs[block].floats()[j];
        }
        if (!m_maker.keepsStash)
            m_stash.erase(key);
    }

    void update(int step) override
    {
        called('U', {Microbatch(step), {}, {}});
        for (std::size_t block = 0; block < m_weights.size(); ++block) {
            for (std::size_t i = 0; i < m_width * m_width; ++i)
                m_weights[block].floats()[i] -= m_maker.learningRate * m_gradients[block].floats()[i];
            std::fill_n(m_gradients[block].floats(), m_width * m_width, 0.0F);
        }
    }

    double takeLoss() override { return std::exchange(m_loss, 0.0); }

    std::vector<ParameterView> parameters() const override
    {
        std::vector<ParameterView> views;
        for (std::size_t block = 0; block < m_weights.size(); ++block)
            views.push_back({"block" + std::to_string(m_layers.firstBlock + static_cast<int>(block)),
                             m_weights[block].floats(), m_gradients[block].floats(), m_width * m_width});
        return views;
    }

    std::vector<DataKey> pending() const override
    {
        std::vector<DataKey> keys;
        for (const auto& [key, stash] : m_stash)
            keys.push_back(key);
        return keys;
    }

private:
    struct Stash {
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

    double scale() const { return static_cast<double>(m_width) * m_microbatches; }

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
            x.floats()[i] = std::sin(static_cast<float>(key.microbatch * 7 + static_cast<int>(i) * 3 + 1));
        return x;
    }

    float difference(const DataKey& key, const Vector& out, std::size_t i) const
    {
        return out.floats()[i] - 0.5F * std::cos(static_cast<float>(key.microbatch + static_cast<int>(i)));
    }

    void compute(Stash& stash)
    {
        for (std::size_t block = 0; block < m_weights.size(); ++block) {
            Vector y = fresh();
            for (std::size_t i = 0; i < m_width; ++i) {
                float sum = 0;
                for (std::size_t j = 0; j < m_width; ++j)
                    sum += m_weights[block].floats()[i * m_width + j] * stash.inputs[block].floats()[j];
                y.floats()[i] = std::tanh(sum);
            }
            if (block + 1 < m_weights.size())
                stash.inputs.push_back(copy(y));
            stash.outputs.push_back(std::move(y));
        }
    }

    const ToyMaker& m_maker;
    const StageLayers m_layers;
    const int m_microbatches;
    Arena& m_arena;
    const std::size_t m_width;
    std::vector<Vector> m_weights;
    std::vector<Vector> m_gradients;
    std::map<DataKey, Stash> m_stash;
    double m_loss = 0;
};

} // namespace

std::unique_ptr<StageModule> ToyMaker::make(const StageLayers& layers, int microbatchesPerStep, Arena& arena) const
{
    return std::make_unique<ToyStage>(*this, layers, microbatchesPerStep, arena);
}

} // namespace bubblescope::test
