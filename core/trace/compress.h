// Long texts of a document (orders) are stored as zstd frames.

#pragma once

#include <string>
#include <string_view>

namespace bubblescope {

std::string compress(std::string_view text);

/// Throws Error when it is not a whole zstd frame, or says that it is larger than 1 GiB.
std::string decompress(std::string_view bytes);

} // namespace bubblescope
