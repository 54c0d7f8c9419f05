#include "viz/timeline/label_cache.h"

#include "viz/timeline/run_painter.h"

#include <algorithm>
#include <cmath>

namespace bubblescope::viz {

void LabelCache::use(const QFont& font, const void* names)
{
    if (names != m_names)
        m_sheets.clear();
    m_names = names;
    const auto known =
        std::find_if(m_sheets.begin(), m_sheets.end(), [&font](const Sheet& each) { return each.font == font; });
    m_sheet = static_cast<std::size_t>(known - m_sheets.begin());
    if (known != m_sheets.end())
        return;
    if (m_sheets.size() == mostFonts) // somebody drags the height of a row
        m_sheets.clear();
    m_sheet = m_sheets.size();
    m_sheets.emplace_back(font);
}

LabelCache::Label LabelCache::made(const QString& text)
{
    Label label;
    label.text.setTextFormat(Qt::PlainText);
    label.text.setText(text);
    label.text.prepare(QTransform(), sheet().font);
    label.width = label.text.size().width();
    label.height = label.text.size().height();
    return label;
}

const LabelCache::Label& LabelCache::number(int number)
{
    QHash<int, Label>& numbers = sheet().numbers;
    auto found = numbers.find(number);
    if (found == numbers.end())
        found = numbers.insert(number, made(QString::number(number)));
    return found.value();
}

const LabelCache::Label& LabelCache::name(std::uint32_t id, const std::string& text, double room)
{
    // Beyond the longest name that is worth reading, more room changes nothing.
    const int step = std::clamp(static_cast<int>(room) / roomStep, 0, 64);
    const quint64 key = (quint64{id} << 8) | static_cast<quint64>(step);
    QHash<quint64, Label>& texts = sheet().texts;
    auto found = texts.find(key);
    if (found == texts.end()) {
        const QString whole =
            QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min<std::size_t>(text.size(), 200)));
        QString cut = sheet().metrics.elidedText(whole, Qt::ElideRight, step * roomStep);
        if (cut.size() < 3 && cut != whole)
            cut.clear();
        found = texts.insert(key, made(cut));
    }
    return found.value();
}

BarLabels::BarLabels(QPainter& painter, LabelCache& cache, const RunPicture& picture, const Theme& theme)
    : m_painter(painter), m_cache(cache), m_picture(picture), m_theme(theme)
{
}

void BarLabels::use(const QFont& font)
{
    if (m_smallest > 0 && font == m_font)
        return;
    m_font = font;
    m_smallest = QFontMetricsF(font).height() * 0.72;
    m_painter.setFont(font);
    m_cache.use(font, m_picture.run.get());
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
