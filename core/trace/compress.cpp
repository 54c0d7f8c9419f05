#include "core/trace/compress.h"

#include "core/base/error.h"

#include <zstd.h>

namespace bubblescope {

std::string compress(std::string_view text)
{
    std::string bytes(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
    if (ZSTD_isError(size) != 0)
        throw Failure(fmt::format("A text can't be compressed: {}.", ZSTD_getErrorName(size)));
    bytes.resize(size);
    return bytes;
}

std::string decompress(std::string_view bytes)
{
    constexpr unsigned long long most = 1ULL << 30;
    const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size > most) // also the codes for "unknown" and "no frame"
        throw Error("A compressed text of the document is damaged.");
    std::string text(static_cast<std::size_t>(size), '\0');
    const std::size_t done = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(done) != 0 || done != text.size())
        throw Error("A compressed text of the document is damaged.");
    return text;
}

} // namespace bubblescope
