// Letters inside bars, laid out once per text and font: laying out costs more than drawing.

#pragma once

#include "viz/timeline/geometry.h"

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QPainter>
#include <QStaticText>

namespace bubblescope::viz {

struct RunPicture;

class LabelCache {
public:
    struct Label {
        QStaticText text;
        double width = 0;
        double height = 0;
    };

    /// Forgets what was laid out for another font, or for the names of another run.
    void use(const QFont& font, const void* names);

    /// A microbatch.
    const Label& number(int number);

    /// A name that is cut where it doesn't fit; empty when not even its beginning does.
    const Label& name(std::uint32_t id, const std::string& text, double room);

private:
    static constexpr int roomStep = 8; ///< names are cut in steps of this many pixels

    Label made(const QString& text) const;

    QFont m_font;
    QFontMetricsF m_metrics{QFont()};
    const void* m_names = nullptr;
    QHash<int, Label> m_numbers;
    QHash<quint64, Label> m_texts;
};

/// Writes the labels of bars: number or name in the middle of what is visible of a bar, where it fits.
class BarLabels {
public:
    BarLabels(QPainter& painter, LabelCache& cache, const RunPicture& picture, const Theme& theme, const QFont& font);

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
    double m_smallest = 0;
    QHash<QRgb, const QColor*> m_letters;
};

} // namespace bubblescope::viz
