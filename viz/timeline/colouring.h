// What the colours of bars mean, and the indexes that hold them for the rows of a run.
//
//     rows × theme × Colouring ──► PictureColours: one SpanIndex a row, of bars and (where spans of a
//                                  lane overlap) of the time in which the lane is busy at all

#pragma once

#include "viz/theme/theme.h"
#include "viz/timeline/rows.h"
#include "viz/timeline/span_index.h"

#include <functional>
#include <memory>
#include <vector>

namespace bubblescope::viz {

enum class ColourBy { Work, Microbatch, Chunk, Search };

struct Colouring {
    ColourBy by = ColourBy::Work;
    std::function<bool(const Span&)> hit; ///< of a search: what keeps its colour, all else is muted
    int revision = 0;                     ///< tells two searches apart

    friend bool operator==(const Colouring& a, const Colouring& b) { return a.by == b.by && a.revision == b.revision; }
};

/// The colour of a work, lighter for later chunks of the device.
QColor barColour(const Theme& theme, Work work, int shade);

/// Colours of microbatches, and of chunks and kernel names: they repeat.
std::vector<QRgb> cycleOf(const Theme& theme);

class PictureColours {
public:
    /// Keeps what the rows are made of alive, but not the rows.
    explicit PictureColours(const std::vector<TimelineRow>& rows);
    PictureColours(const PictureColours&) = delete;
    PictureColours& operator=(const PictureColours&) = delete;

    /// Fills the indexes; does nothing when they are like that already.
    void colour(const std::vector<TimelineRow>& rows, const Theme& theme, const Colouring& colouring,
                const std::vector<std::string>& names);

    const SpanIndex& bars(std::size_t row) const { return m_rows[row].bars; }

    /// Of a row above others of its lane: when the lane is busy. Null where the bars say it.
    const SpanIndex* cover(std::size_t row) const { return m_rows[row].covered ? &m_rows[row].cover : nullptr; }

    /// The colours of one bar: of its first task and of its last.
    std::pair<QRgb, QRgb> both(std::size_t row, std::size_t bar) const;

    /// Counts colourings: an image made with another one is stale.
    int revision() const { return m_revision; }

private:
    struct Row {
        SpanIndex bars;
        SpanIndex moments;
        SpanIndex cover;
        bool covered = false;
        std::size_t solid = 0;
    };

    BlockPool m_pool;
    std::vector<std::shared_ptr<const TraceColumns>> m_alive;
    std::vector<Row> m_rows;
    Colouring m_colouring;
    const Theme* m_theme = nullptr;
    int m_revision = 0;
};

} // namespace bubblescope::viz
