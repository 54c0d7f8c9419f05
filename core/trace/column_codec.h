// Chunks of columns as bytes: a small head, and a zstd frame of the columns cut into planes of bytes.
//
//     start     →  differences  →  all low bytes | all second bytes | … ─┐
//     duration  ──────────────────────────────────────────────────────── ├─ zstd 1 ─►  about 5 bytes a span
//     number    →  differences                                            │
//     kind                                                               ─┘
//
// Internal to core/trace. What is decoded is checked: a damaged chunk is an Error, never a wrong picture.

#pragma once

#include "core/trace/lane_columns.h"

#include <string>
#include <string_view>

namespace bubblescope {

/// Chunks that another version wrote aren't read: they are made anew.
inline constexpr int columnCodecVersion = 1;

std::string encodeChunk(const SpanChunk& chunk);

/// Throws Error when the bytes aren't a whole chunk.
SpanChunk decodeChunk(std::string_view bytes, BlockPool& pool);

} // namespace bubblescope
