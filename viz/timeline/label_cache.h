// Letters inside bars, laid out once per text and font: laying out costs more than drawing. Rows of several heights
// have letters of several sizes, so the last few fonts are kept.

#pragma once

#include "viz/timeline/geometry.h"

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QPainter>
#include <QStaticText>

#include <vector>

namespace bubblescope::viz {

struct RunPicture;

class LabelCache {
public:
    struct Label {
        QStaticText text;
        double width = 0;
        double height = 0;
    };

    /// Labels come in this font from now on. Forgets what was laid out for the names of another run.
    void use(const QFont& font, const void* names);

    /// A microbatch.
    const Label& number(int number);

    /// A name that is cut where it doesn't fit; empty when not even its beginning does.
    const Label& name(std::uint32_t id, const std::string& text, double room);

private:
    static constexpr int roomStep = 8; ///< names are cut in steps of this many pixels
    static constexpr std::size_t mostFonts = 8;

    /// What was laid out in one font.
    struct Sheet {
        explicit Sheet(const QFont& used) : font(used), metrics(used) {}

        QFont font;
        QFontMetricsF metrics;
        QHash<int, Label> numbers;
        QHash<quint64, Label> texts;
    };

    Sheet& sheet() { return m_sheets[m_sheet]; }

    Label made(const QString& text);

    std::vector<Sheet> m_sheets;
    std::size_t m_sheet = 0; ///< the one in use
    const void* m_names = nullptr;
};

/// Writes the labels of bars: number or name in the middle of what is visible of a bar, where it fits.
class BarLabels {
public:
    BarLabels(QPainter& painter, LabelCache& cache, const RunPicture& picture, const Theme& theme);

    /// The font of the rows that come; before the first row.
    void use(const QFont& font);

    /// Rows too low for letters have none.
    bool fits(double height) const { return height >= m_smallest; }

    /// `place` is the row's rectangle, `scale` how many pixels of the bar's grid make one of it. True when a label was
    /// drawn.
    bool paint(std::size_t row, const BarRect& bar, const QRectF& place, double scale);

    /// The narrowest bar that may have a label.
    static constexpr double narrowest = 8;

private:
    const QColor& letterOn(QRgb fill);

    QPainter& m_painter;
    LabelCache& m_cache;
    const RunPicture& m_picture;
    const Theme& m_theme;
    QFont m_font;
    double m_smallest = 0; ///< height of a row that may have letters; 0 before use()
    QHash<QRgb, const QColor*> m_letters;
};

} // namespace bubblescope::viz
