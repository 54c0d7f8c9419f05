// The parameter tensors of one stage: their names, places and initial values.
//
// A set of weights is one buffer; weights, gradients and both moments of AdamW use the same places
// in a buffer each. Forward and backward are given a set, they do not own one, so that several
// versions of a stage's weights can be alive at once. Initial values depend on (seed, name) alone:
// however the model is cut into stages, it starts the same.

#pragma once

#include "core/execute/stage_module.h"
#include "kernels/cpu/config.h"
#include "kernels/cpu/vocabulary.h"

#include <string>
#include <vector>

namespace bubblescope::cpu {

struct ParameterTensor {
    std::string name;
    std::size_t offset = 0; ///< elements from the start of the set
    std::size_t count = 0;
    bool matrix = false; ///< else a bias, a scale or a shift
    float deviation = 0; ///< of the initial normal distribution around `mean`
    float mean = 0;
    std::size_t width = 0; ///< of a shard: columns [first, first + width) of a matrix; 0: the whole tensor
    std::size_t first = 0;
    std::size_t wholeWidth = 0;

    /// Place in the whole tensor of the element at place `i` here.
    std::size_t whole(std::size_t i) const { return width == 0 ? i : i / width * wholeWidth + first + i % width; }
};

/// Writes the initial values of the tensors to `values`.
template <class Real>
void initialise(const std::vector<ParameterTensor>& tensors, std::uint64_t seed, Real* values);

/// The tensors of a block in the order of their places.
enum class BlockTensor {
    Norm1Scale,
    Norm1Shift,
    Qkv,
    QkvBias,
    Projection,
    ProjectionBias,
    Norm2Scale,
    Norm2Shift,
    Up,
    UpBias,
    Down,
    DownBias
};

inline constexpr int blockTensors = 12;

/// The places of a stage's tensors: embedding, blocks, head.
class ParameterLayout {
public:
    ParameterLayout(const TransformerConfig& config, const StageLayers& layers);

    /// Those of one shard of the vocabulary: its rows of the token table, its columns of the output matrix.
    ParameterLayout(const TransformerConfig& config, const VocabularyShard& shard);

    const std::vector<ParameterTensor>& tensors() const { return m_tensors; }

    /// Elements of one set.
    std::size_t count() const { return m_count; }

    // Places in m_tensors; `block` counts inside the stage.
    std::size_t tokenTable() const { return 0; }

    std::size_t positionTable() const { return m_firstBlock - 1; }

    std::size_t shardMatrix() const { return 1; }

    std::size_t block(int block) const { return m_firstBlock + static_cast<std::size_t>(block) * blockTensors; }

    std::size_t finalScale() const { return m_head; }

    std::size_t finalShift() const { return m_head + 1; }

    std::size_t head() const { return m_head + 2; }

    /// Writes the initial values of all tensors to `values`.
    template <class Real>
    void initialise(std::uint64_t seed, Real* values) const
    {
        cpu::initialise(m_tensors, seed, values);
    }

private:
    void add(std::string name, std::size_t count, float mean = 0);
    void addMatrix(std::string name, std::size_t count, float deviation);
    void addColumns(std::string name, std::size_t rows, std::size_t width, std::size_t first, std::size_t wholeWidth);
    void addBlock(const TransformerConfig& config, int block);

    std::vector<ParameterTensor> m_tensors;
    std::size_t m_count = 0;
    std::size_t m_firstBlock = 0;
    std::size_t m_head = 0;
};

/// For verification.
std::vector<ParameterView> viewsOf(const ParameterLayout& layout, const float* weights, const float* gradients);

/// Which update this is.
struct UpdateTime {
    int step = 0;
    int delay = 0; ///< updates that the gradients are old, for spike compensation
};

/// One step of the optimizer on a set; the gradients are cleared. `moments` holds both sets of AdamW, or the velocity.
template <class Real>
void updateSet(const TransformerConfig& config, const ParameterLayout& layout, UpdateTime time, Real* gradients,
               Real* values, Real* moments);

/// A block's tensors inside a set. `Element` is const for weights, plain for gradients.
template <class Element>
struct BlockSet {
    const ParameterTensor* tensors;
    Element* set;

    Element* operator[](BlockTensor tensor) const { return set + tensors[static_cast<std::size_t>(tensor)].offset; }
};

} // namespace bubblescope::cpu
