#include "viz/timeline/label_cache.h"

#include "viz/timeline/run_painter.h"

#include <algorithm>
#include <cmath>

namespace bubblescope::viz {

void LabelCache::use(const QFont& font, const void* names)
{
    if (font == m_font && names == m_names)
        return;
    m_numbers.clear();
    m_texts.clear();
    m_font = font;
    m_metrics = QFontMetricsF(font);
    m_names = names;
}

LabelCache::Label LabelCache::made(const QString& text) const
{
    Label label;
    label.text.setTextFormat(Qt::PlainText);
    label.text.setText(text);
    label.text.prepare(QTransform(), m_font);
    label.width = label.text.size().width();
    label.height = label.text.size().height();
    return label;
}

const LabelCache::Label& LabelCache::number(int number)
{
    auto found = m_numbers.find(number);
    if (found == m_numbers.end())
        found = m_numbers.insert(number, made(QString::number(number)));
    return found.value();
}

const LabelCache::Label& LabelCache::name(std::uint32_t id, const std::string& text, double room)
{
    // Beyond the longest name that is worth reading, more room changes nothing.
    const int step = std::clamp(static_cast<int>(room) / roomStep, 0, 64);
    const quint64 key = (quint64{id} << 8) | static_cast<quint64>(step);
    auto found = m_texts.find(key);
    if (found == m_texts.end()) {
        const QString whole =
            QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min<std::size_t>(text.size(), 200)));
        QString cut = m_metrics.elidedText(whole, Qt::ElideRight, step * roomStep);
        if (cut.size() < 3 && cut != whole)
            cut.clear();
        found = m_texts.insert(key, made(cut));
    }
    return found.value();
}

BarLabels::BarLabels(QPainter& painter, LabelCache& cache, const RunPicture& picture, const Theme& theme,
                     const QFont& font)
    : m_painter(painter), m_cache(cache), m_picture(picture), m_theme(theme)
{
    m_smallest = QFontMetricsF(font).height() * 0.72;
    m_painter.setFont(font);
    m_cache.use(font, picture.run.get());
}

const QColor& BarLabels::letterOn(QRgb fill)
{
    const QColor*& known = m_letters[fill];
    if (!known)
        known = &m_theme.labelOn(QColor(fill));
    return *known;
}

bool BarLabels::paint(std::size_t row, const BarRect& bar, const QRectF& place, double scale)
{
    if (bar.right - bar.left < narrowest * scale || !fits(place.height()))
        return false;
    const double from = std::max(0.0, bar.left / scale);
    const double room = std::min(bar.right / scale, place.width()) - from;
    if (room < narrowest)
        return false;
    const Bar what = m_picture.rows[row].bars[static_cast<std::size_t>(bar.bar)];
    if (what.number < 0 && what.name == 0)
        return false;
    const RunView& run = *m_picture.run;
    const std::vector<std::string>& names = run.columns ? run.columns->names : run.trace.names;
    const LabelCache::Label& label = what.number >= 0           ? m_cache.number(what.number)
                                     : what.name < names.size() ? m_cache.name(what.name, names[what.name], room - 2)
                                                                : m_cache.number(static_cast<int>(what.name));
    if (label.width <= 0 || room < label.width + 2)
        return false;
    m_painter.setPen(letterOn(bar.upper));
    // On whole pixels of the image, so that a moved one is the same as one drawn there.
    const double x = std::floor((from + (room - label.width) / 2) * scale) / scale;
    m_painter.drawStaticText(QPointF(place.left() + x, place.top() + (place.height() - label.height) / 2), label.text);
    return true;
}

} // namespace bubblescope::viz
