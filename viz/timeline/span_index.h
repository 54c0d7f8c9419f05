// Colour and busy time of any stretch of a row without looking at its spans.
//
//     spans    ▇▇▇ ▇▇ ▇▇▇▇ ▇ …          every 16 spans one entry: where they start, and the sum of
//     blocks   |  0    |  1    |  2 …    duration × (red, green, blue, 1) of all spans before them
//
// Mixed colour and busy share of a stretch are the difference of two sums: exact, and at the same cost for ten
// spans or ten million. Another colouring is another pass over the spans into the same memory.

#pragma once

#include "core/base/block_pool.h"
#include "core/trace/span_columns.h"
#include "viz/timeline/coordinates.h"

#include <QColor>

#include <cstdint>
#include <utility>
#include <vector>

namespace bubblescope::viz {

/// Sums of time × colour.
struct ColourSum {
    std::int64_t red = 0;
    std::int64_t green = 0;
    std::int64_t blue = 0;
    std::int64_t busy = 0; ///< nanoseconds

    void add(QRgb colour, std::int64_t time)
    {
        red += time * qRed(colour);
        green += time * qGreen(colour);
        blue += time * qBlue(colour);
        busy += time;
    }

    friend ColourSum operator-(const ColourSum& a, const ColourSum& b)
    {
        return {a.red - b.red, a.green - b.green, a.blue - b.blue, a.busy - b.busy};
    }

    friend bool operator==(const ColourSum& a, const ColourSum& b)
    {
        return a.red == b.red && a.green == b.green && a.blue == b.blue && a.busy == b.busy;
    }

    /// By time; black when nothing was busy.
    QRgb mixed() const;
};

/// A colour as weights, the form that is added up fastest.
struct Tint {
    Tint() = default;

    explicit Tint(QRgb colour)
        : red(static_cast<float>(qRed(colour)))
        , green(static_cast<float>(qGreen(colour)))
        , blue(static_cast<float>(qBlue(colour)))
        , one(1)
    {
    }

    float red = 0;
    float green = 0;
    float blue = 0;
    float one = 0;
};

/// The same as ChunkColours where they are plain, without the questions that they ask.
struct ChunkTints {
    /// Where the tint of a kind is: one place, or one by number.
    struct Place {
        std::uint32_t first = 0;
        std::uint32_t mask = 0;
    };

    const Tint& tint(std::uint32_t i) const
    {
        const Place place = places[kind[i]];
        return tints[place.first + (number[i] & place.mask)];
    }

    const std::uint16_t* kind;
    const std::uint32_t* number;
    const Place* places;
    const Tint* tints;
};

/// The colours of one chunk's spans, in the form that a tight loop needs.
class ChunkColours {
public:
    /// For a kind that stands in the table instead of a colour: the number decides.
    static constexpr QRgb byNumber = 0;

    /// `cycle`, a power of two of colours, is for what is `byNumber`; what isn't among `hits` (null: all are) is `muted`.
    ChunkColours(const SpanChunk& chunk, const QRgb* kinds, const std::vector<QRgb>& cycle,
                 const std::vector<bool>* hits, QRgb muted)
        : m_chunk(&chunk)
        , m_kinds(kinds)
        , m_cycle(cycle.data())
        , m_mask(static_cast<std::uint32_t>(cycle.size() - 1))
        , m_hits(hits)
        , m_muted(muted)
    {
    }

    /// Neither joined tasks nor a search matter.
    bool plain() const { return !m_hits && m_chunk->joins.empty(); }

    bool muted(std::uint32_t i) const { return m_hits && !(*m_hits)[i]; }

    QRgb operator()(std::uint32_t i) const
    {
        if (muted(i))
            return m_muted;
        const QRgb first = of(m_chunk->kind[i], m_chunk->number[i]);
        return m_chunk->joins.empty() ? first : withJoins(i, first);
    }

    Tint tint(std::uint32_t i) const { return Tint((*this)(i)); }

    /// Of the first and the last task of a span: not the same where they form a unit.
    std::pair<QRgb, QRgb> both(std::uint32_t i) const
    {
        if (m_chunk->joins.empty() || muted(i))
            return {(*this)(i), (*this)(i)};
        const auto [from, to] = m_chunk->joinsOf(i);
        const QRgb first = of(m_chunk->kind[i], m_chunk->number[i]);
        return {first, from == to ? first : of(m_chunk->joins[to - 1].kind, m_chunk->joins[to - 1].number)};
    }

    /// Of one task.
    QRgb of(std::uint16_t kind, std::uint32_t number) const
    {
        const QRgb colour = m_kinds[kind];
        return colour != byNumber ? colour : m_cycle[number & m_mask];
    }

private:
    QRgb withJoins(std::uint32_t i, QRgb first) const;

    const SpanChunk* m_chunk;
    const QRgb* m_kinds;
    const QRgb* m_cycle;
    std::uint32_t m_mask;
    const std::vector<bool>* m_hits;
    QRgb m_muted;
};

/// What the colours of an index are made of.
struct SpanPalette {
    std::vector<QRgb> kinds;             ///< of each chunk in order
    std::vector<QRgb> cycle;             ///< of what is coloured by number; is made a power of two, and repeats
    std::vector<std::vector<bool>> hits; ///< by chunk; empty: all are
    QRgb muted = 0;                      ///< of what isn't hit
};

class SpanIndex {
public:
    static constexpr std::uint32_t blockSize = 16;

    struct Block {
        Nanoseconds start = 0; ///< of its first span
        ColourSum before;      ///< of all spans before it
    };

    SpanIndex() = default;

    /// `spans` must live as long as the index. Memory comes from the pool once; colour() fills it.
    SpanIndex(const SpanColumns& spans, BlockPool& pool);

    void colour(SpanPalette palette);

    const SpanColumns& spans() const { return *m_spans; }

    ChunkColours coloursOf(std::size_t chunk) const
    {
        return {m_spans->chunks()[chunk], m_palette.kinds.data() + m_firstKind[chunk], m_palette.cycle,
                m_palette.hits.empty() ? nullptr : &m_palette.hits[chunk], m_palette.muted};
    }

    /// For chunks whose colours are plain.
    ChunkTints tintsOf(std::size_t chunk) const
    {
        const SpanChunk& spans = m_spans->chunks()[chunk];
        return {spans.kind, spans.number, m_places.data() + m_firstKind[chunk], m_tints.data()};
    }

    /// All blocks, and behind them one that starts where the last span ends.
    const Block* blocks() const { return m_blocks; }

    std::size_t blockCount() const { return m_blockCount; }

    std::size_t firstBlock(std::size_t chunk) const { return m_firstBlock[chunk]; }

    /// Exactly what was busy before `time`.
    ColourSum before(Nanoseconds time) const;

    /// The same, looked up in the block that holds `time`.
    ColourSum beforeIn(std::size_t block, std::size_t chunk, Nanoseconds time) const;

    /// Exactly what is busy in a range, and in which colour.
    ColourSum inside(TimeRange range) const { return before(range.end) - before(range.begin); }

private:
    void makeTints();
    void colourPlainChunk(std::size_t index, Block*& block, ColourSum& sum) const;

    const SpanColumns* m_spans = nullptr;
    Block* m_blocks = nullptr;
    std::size_t m_blockCount = 0;
    std::vector<std::size_t> m_firstBlock; // by chunk
    std::vector<std::size_t> m_firstKind;  // by chunk, in m_palette.kinds
    SpanPalette m_palette;
    std::vector<Tint> m_tints;               // of the cycle, then of the kinds
    std::vector<ChunkTints::Place> m_places; // by kind, as m_palette.kinds
};

} // namespace bubblescope::viz
