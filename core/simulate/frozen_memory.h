// The bytes of frozen layers beside the executed transformer (kernels/cpu/encoder.h).
//
// A layer's weights are on every device that runs it. Its output travels as a message; with recompute
// the first stage keeps the encoding that it was given, from F to the backward.

#pragma once

#include "core/simulate/memory.h"

namespace bubblescope {

/// The rules of the model with `layers` frozen ones as further stages.
MemoryRules withFrozenLayers(const MemoryRules& rules, const ModelSpec& model, int layers, bool recompute);

} // namespace bubblescope
