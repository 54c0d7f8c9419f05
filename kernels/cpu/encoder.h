// A small frozen encoder beside the transformer: fixed weights, forward only.
//
//     layer 0:  a fixed vector for each token, then the layer     layer j:  y = GELU(x · W_j)
//
// Its output has the size of the embedding, to which the first stage adds it. Weights come from the
// seed and the layer's number alone, so every device has the same.

#pragma once

#include "kernels/cpu/stage.h"

namespace bubblescope::cpu {

class EncoderLayer final : public FrozenLayer {
public:
    EncoderLayer(const TransformerModel& model, int number, StepData data, Arena& arena);

    Buffer forward(const DataKey& key, Buffer input) override;

private:
    Buffer tokenVectors(const DataKey& key);

    TransformerModel m_model;
    int m_number;
    StepData m_data;
    Arena& m_arena;
    Buffer m_weights; ///< the first layer's token vectors stand behind its matrix
};

} // namespace bubblescope::cpu
