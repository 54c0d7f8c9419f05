#include "core/trace/column_codec.h"

#include "core/base/error.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace bubblescope {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are stored with the low byte first");

struct Head {
    std::uint32_t magic = 0x4b4e4843; // "CHNK"
    std::uint32_t count = 0;
    std::int64_t base = 0;
    std::uint32_t sourceBase = 0;
    std::uint32_t kinds = 0;
    std::uint32_t joins = 0;
    std::uint32_t has = 0; // bits below
    std::uint64_t check = 0;
};

constexpr std::uint32_t hasWide = 1;
constexpr std::uint32_t hasVersions = 2;
constexpr std::uint32_t hasSources = 4;

static_assert(std::is_trivially_copyable_v<SpanKind> && std::is_trivially_copyable_v<SpanJoin>);

std::uint64_t checkOf(std::string_view bytes)
{
    std::uint64_t sum = 0xcbf29ce484222325U;
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15U;
        sum ^= sum >> 29;
    }
    for (; at < bytes.size(); ++at)
        sum = (sum ^ static_cast<unsigned char>(bytes[at])) * 0x100000001b3U;
    return sum;
}

/// Appends values as planes of bytes; as differences where they grow or repeat.
template <class Value>
void split(std::string& bytes, const Value* values, std::size_t count, bool differences)
{
    using Bits = std::make_unsigned_t<Value>;
    const std::size_t from = bytes.size();
    bytes.resize(from + count * sizeof(Value));
    Bits before = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<Bits>(values[i]);
        const auto stored = static_cast<Bits>(differences ? value - before : value);
        before = value;
        for (std::size_t plane = 0; plane < sizeof(Value); ++plane)
            bytes[from + plane * count + i] = static_cast<char>(stored >> (8 * plane));
    }
}

/// Takes what split() appended off the front.
template <class Value>
const Value* joined(std::string_view& bytes, std::size_t count, bool differences, BlockPool& pool)
{
    using Bits = std::make_unsigned_t<Value>;
    auto* const values = pool.take<Value>(count);
    const auto* const planes = reinterpret_cast<const unsigned char*>(bytes.data());
    Bits before = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Bits value = 0;
        for (std::size_t plane = 0; plane < sizeof(Value); ++plane)
            value = static_cast<Bits>(value | static_cast<Bits>(planes[plane * count + i]) << (8 * plane));
        value = static_cast<Bits>(differences ? value + before : value);
        before = value;
        values[i] = static_cast<Value>(value);
    }
    bytes.remove_prefix(count * sizeof(Value));
    return values;
}

std::size_t payloadSize(const Head& head)
{
    const std::size_t times = (head.has & hasWide) != 0 ? 16 : 8;
    const std::size_t more = ((head.has & hasVersions) != 0 ? 4 : 0) + ((head.has & hasSources) != 0 ? 4 : 0);
    return head.count * (times + 6 + more) + head.kinds * sizeof(SpanKind) + head.joins * sizeof(SpanJoin);
}

[[noreturn]] void damaged()
{
    throw Error("A chunk of the document's cache is damaged.");
}

/// What the tables may refer to.
void checkReferences(const SpanChunk& chunk)
{
    for (std::uint32_t i = 0; i < chunk.count; ++i)
        if (chunk.kind[i] >= chunk.kinds.size())
            damaged();
    for (const SpanJoin& join : chunk.joins)
        if (join.at >= chunk.count || join.kind >= chunk.kinds.size())
            damaged();
}

} // namespace

std::string encodeChunk(const SpanChunk& chunk)
{
    Head head;
    head.count = chunk.count;
    head.base = chunk.base;
    head.sourceBase = chunk.sourceBase;
    head.kinds = static_cast<std::uint32_t>(chunk.kinds.size());
    head.joins = static_cast<std::uint32_t>(chunk.joins.size());
    head.has = (chunk.wideStart ? hasWide : 0) | (chunk.version ? hasVersions : 0) | (chunk.source ? hasSources : 0);
    std::string payload;
    payload.reserve(payloadSize(head));
    if (chunk.wideStart) {
        split(payload, chunk.wideStart, chunk.count, true);
        split(payload, chunk.wideDuration, chunk.count, false);
    } else {
        split(payload, chunk.narrowStart, chunk.count, true);
        split(payload, chunk.narrowDuration, chunk.count, false);
    }
    split(payload, chunk.number, chunk.count, true);
    split(payload, chunk.kind, chunk.count, false);
    if (chunk.version)
        split(payload, chunk.version, chunk.count, true);
    if (chunk.source)
        split(payload, chunk.source, chunk.count, true);
    payload.append(reinterpret_cast<const char*>(chunk.kinds.data()), chunk.kinds.size() * sizeof(SpanKind));
    payload.append(reinterpret_cast<const char*>(chunk.joins.data()), chunk.joins.size() * sizeof(SpanJoin));
    head.check = checkOf(payload);
    std::string bytes(sizeof(Head) + ZSTD_compressBound(payload.size()), '\0');
    std::memcpy(bytes.data(), &head, sizeof(Head));
    const std::size_t size =
        ZSTD_compress(bytes.data() + sizeof(Head), bytes.size() - sizeof(Head), payload.data(), payload.size(), 1);
    if (ZSTD_isError(size) != 0)
        throw Failure("A chunk of columns can't be compressed.");
    bytes.resize(sizeof(Head) + size);
    return bytes;
}

SpanChunk decodeChunk(std::string_view bytes, BlockPool& pool)
{
    Head head;
    if (bytes.size() < sizeof(Head))
        damaged();
    std::memcpy(&head, bytes.data(), sizeof(Head));
    bytes.remove_prefix(sizeof(Head));
    const bool sane = head.magic == Head().magic && head.count > 0 && head.count <= SpanColumns::chunkSize &&
                      head.kinds > 0 && head.kinds <= 65'536 && head.joins <= 16 * SpanColumns::chunkSize;
    if (!sane)
        damaged();
    std::string payload(payloadSize(head), '\0');
    const std::size_t size = ZSTD_decompress(payload.data(), payload.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0 || size != payload.size() || checkOf(payload) != head.check)
        damaged();
    std::string_view rest = payload;
    SpanChunk chunk;
    chunk.count = head.count;
    chunk.base = head.base;
    chunk.sourceBase = head.sourceBase;
    if ((head.has & hasWide) != 0) {
        chunk.wideStart = joined<Nanoseconds>(rest, head.count, true, pool);
        chunk.wideDuration = joined<Nanoseconds>(rest, head.count, false, pool);
    } else {
        chunk.narrowStart = joined<std::uint32_t>(rest, head.count, true, pool);
        chunk.narrowDuration = joined<std::uint32_t>(rest, head.count, false, pool);
    }
    chunk.number = joined<std::uint32_t>(rest, head.count, true, pool);
    chunk.kind = joined<std::uint16_t>(rest, head.count, false, pool);
    if ((head.has & hasVersions) != 0)
        chunk.version = joined<std::int32_t>(rest, head.count, true, pool);
    if ((head.has & hasSources) != 0)
        chunk.source = joined<std::uint32_t>(rest, head.count, true, pool);
    chunk.kinds.resize(head.kinds);
    std::memcpy(chunk.kinds.data(), rest.data(), head.kinds * sizeof(SpanKind));
    rest.remove_prefix(head.kinds * sizeof(SpanKind));
    chunk.joins.resize(head.joins);
    if (head.joins > 0)
        std::memcpy(chunk.joins.data(), rest.data(), head.joins * sizeof(SpanJoin));
    checkReferences(chunk);
    return chunk;
}

} // namespace bubblescope
