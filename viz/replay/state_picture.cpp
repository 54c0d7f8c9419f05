#include "viz/replay/state_picture.h"

#include "viz/timeline/geometry.h"
#include "viz/timeline/run_painter.h"
#include "viz/timeline/time_text.h"
#include "viz/timeline/timeline_stack.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <cmath>

namespace bubblescope::viz {
namespace {

QString tr(const char* source)
{
    return QCoreApplication::translate("Replay", source);
}

QFont scaled(QFont font, double factor, bool bold)
{
    font.setPointSizeF(std::max(1.0, font.pointSizeF() * factor));
    font.setBold(bold);
    return font;
}

QString idleText()
{
    return tr("idle");
}

/// Widths that follow the font.
struct StateMetrics {
    explicit StateMetrics(const QFont& font) : text(font), small(scaled(font, 0.9, false))
    {
        line = text.height();
        title = std::ceil(line * 1.7);
        row = std::ceil(line * 1.5);
        key = std::ceil(line * 1.6);
        label = std::ceil(text.horizontalAdvance(QStringLiteral("Device 000")) + line * 0.6);
        running = std::ceil(
            std::max(text.horizontalAdvance(QStringLiteral("B 000")), small.horizontalAdvance(idleText())) + line);
        level = std::ceil(text.horizontalAdvance(QStringLiteral("00.0 / 00")) + line * 0.6);
        leastBlock = label + running + level + line * 16;
    }

    QFontMetricsF text;
    QFontMetricsF small;
    double line = 0;
    double title = 0;
    double row = 0;
    double key = 0;
    double label = 0;
    double running = 0;
    double level = 0;
    double leastBlock = 0;
};

/// Every microbatch alone, or (`joined`) three and more that follow each other as one.
std::vector<StateChip> chipsOf(const std::vector<InFlight>& inFlight, bool joined)
{
    std::vector<StateChip> chips;
    for (std::size_t first = 0; first < inFlight.size();) {
        std::size_t last = first;
        while (joined && last + 1 < inFlight.size() && inFlight[last + 1].pipe == inFlight[first].pipe &&
               inFlight[last + 1].microbatch == inFlight[last].microbatch + 1)
            ++last;
        if (last - first < 2)
            last = first;
        chips.push_back({{}, first, last});
        first = last + 1;
    }
    return chips;
}

/// False when not all chips have room up to `right`; then those that have are placed.
bool placeChips(StateRow& row, double left, double right, bool joined, const StateMetrics& metrics)
{
    const double gap = metrics.line * 0.22;
    const double height = metrics.line * 1.15;
    const double top = row.area.center().y() - height / 2;
    const double moreWidth = metrics.small.horizontalAdvance(QStringLiteral("+ 000")) + metrics.line * 0.4;
    const std::vector<StateChip> chips = chipsOf(row.moment.inFlight, joined);
    row.chips.clear();
    double x = left;
    for (StateChip chip : chips) {
        const double width =
            std::max(metrics.line * 1.3, metrics.small.horizontalAdvance(chipText(row, chip)) + metrics.line * 0.7);
        const bool last = chip.last + 1 == row.moment.inFlight.size();
        if (x + width + (last ? 0 : gap + moreWidth) > right) {
            row.more = QRectF(x, top, std::max(0.0, std::min(moreWidth, right - x)), height);
            row.hidden = row.moment.inFlight.size() - chip.first;
            return false;
        }
        chip.place = QRectF(x, top, width, height);
        row.chips.push_back(chip);
        x += width + gap;
    }
    row.more = {};
    row.hidden = 0;
    return true;
}

StateRow layoutRow(const ReplayRun& run, int device, Nanoseconds time, const QRectF& area, const StateMetrics& metrics)
{
    StateRow row;
    row.device = device;
    row.moment = run.at(device, time);
    row.area = area;
    double x = area.left();
    const auto take = [&](double width) {
        const QRectF place(x, area.top(), width, area.height());
        x += width;
        return place;
    };
    const double inner = metrics.line * 0.16;
    row.label = take(metrics.label);
    row.running = take(metrics.running).adjusted(0, inner, -metrics.line * 0.6, -inner);
    if (!run.run()->memory.empty()) {
        const double bar = std::clamp((area.right() - x - metrics.level) * 0.36, metrics.line * 4, metrics.line * 18);
        row.bar = take(bar).adjusted(0, metrics.line * 0.34, 0, -metrics.line * 0.34);
        row.level = take(metrics.level).adjusted(metrics.line * 0.5, 0, 0, 0);
    }
    x += metrics.line * 0.3;
    if (!placeChips(row, x, area.right(), false, metrics))
        placeChips(row, x, area.right(), true, metrics);
    return row;
}

/// Blocks beside each other.
int columnsFor(int runs, double width, const StateMetrics& metrics)
{
    constexpr int most = 4;
    return std::clamp(static_cast<int>(width / metrics.leastBlock), 1, std::max(1, std::min(runs, most)));
}

QColor transparent(QColor colour, int alpha)
{
    colour.setAlpha(alpha);
    return colour;
}

class StatePainter {
    Q_DECLARE_TR_FUNCTIONS(bubblescope::viz::StatePainter)

public:
    StatePainter(QPainter& painter, const StatePicture& picture, const Theme& theme, const QFont& font)
        : m_painter(painter)
        , m_picture(picture)
        , m_theme(theme)
        , m_font(font)
        , m_small(scaled(font, 0.9, false))
        , m_bold(scaled(font, 0.9, true))
        , m_metrics(font)
    {
    }

    void paintBlock(const StateBlock& block)
    {
        m_painter.setFont(scaled(m_font, 1.0, true));
        m_painter.setPen(m_theme.text);
        QString title = TimelineStack::letterOf(block.slot) + QStringLiteral(" · ") + titleWithLabel(*block.run->run());
        if (block.left > 0)
            title += QStringLiteral(" · ") + tr("%n more device(s) have no room here", nullptr, block.left);
        if (!block.run->knowsInFlight())
            title += QStringLiteral(" · ") + tr("too large to follow its microbatches");
        m_painter.drawText(block.title, Qt::AlignLeft | Qt::AlignVCenter,
                           QFontMetricsF(m_painter.font()).elidedText(title, Qt::ElideRight, block.title.width()));
        for (const StateRow& row : block.rows)
            paintRow(*block.run, row);
    }

    void paintKey()
    {
        QStringList parts{tr("at %1").arg(timeText(m_picture.time)), tr("bar: live activations"), tr("│ most so far"),
                          tr("┊ peak of the run")};
        if (m_picture.limited)
            parts << tr("‖ limit");
        parts << tr("numbers: microbatches in flight");
        m_painter.setFont(m_small);
        m_painter.setPen(m_theme.mutedText);
        m_painter.drawText(m_picture.key, Qt::AlignLeft | Qt::AlignVCenter,
                           QFontMetricsF(m_small).elidedText(parts.join(QStringLiteral("   ")), Qt::ElideRight,
                                                             m_picture.key.width()));
    }

private:
    void paintRow(const ReplayRun& run, const StateRow& row)
    {
        m_painter.setFont(m_bold);
        m_painter.setPen(m_theme.text);
        m_painter.drawText(row.label, Qt::AlignLeft | Qt::AlignVCenter, deviceName(*run.run(), row.device));
        paintRunning(*run.run(), row);
        if (row.moment.memory)
            paintBar(row, *row.moment.memory, run.memoryLimit());
        m_painter.setFont(m_small);
        for (const StateChip& chip : row.chips) {
            const QRectF outline = chip.place.adjusted(0.5, 0.5, -0.5, -0.5);
            m_painter.setPen(QPen(m_theme.of(Work::Forward), 1));
            m_painter.setBrush(transparent(m_theme.of(Work::Forward), m_theme.dark ? 70 : 40));
            m_painter.drawRoundedRect(outline, outline.height() / 2, outline.height() / 2);
            m_painter.setPen(m_theme.text);
            m_painter.drawText(chip.place, Qt::AlignCenter, chipText(row, chip));
        }
        if (row.more.width() > 0) {
            m_painter.setPen(m_theme.mutedText);
            m_painter.drawText(row.more, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("+ %1").arg(row.hidden));
        }
    }

    void paintRunning(const RunView& run, const StateRow& row)
    {
        const QString text = runningText(row.moment.running, run.trace);
        m_painter.setFont(m_bold);
        if (row.moment.running.empty()) {
            m_painter.fillRect(row.running, m_theme.hatch);
            m_painter.setRenderHint(QPainter::Antialiasing, false);
            paintHatch(m_painter, row.running, m_theme.hatchLine);
            m_painter.setRenderHint(QPainter::Antialiasing);
            m_painter.setFont(m_small);
            m_painter.setPen(m_theme.text);
            m_painter.drawText(row.running, Qt::AlignCenter, text);
            return;
        }
        const Span& first = row.moment.running.front();
        const QColor fill = barColour(m_theme, first.name == 0 ? first.task.work : Work::Filler, 0);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(fill);
        m_painter.drawRoundedRect(row.running, 3, 3);
        m_painter.setPen(m_theme.labelOn(fill));
        m_painter.drawText(row.running, Qt::AlignCenter,
                           QFontMetricsF(m_bold).elidedText(text, Qt::ElideRight, row.running.width()));
    }

    void paintBar(const StateRow& row, const MemoryLevel& memory, double limit)
    {
        const auto x = [&](double activations) {
            return row.bar.left() + std::clamp(activations / m_picture.scale, 0.0, 1.0) * row.bar.width();
        };
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.hatch);
        m_painter.drawRect(row.bar);
        const bool over = limit > 0 && memory.live > limit + 1e-6;
        m_painter.setBrush(over ? m_theme.error : m_theme.busy);
        m_painter.drawRect(QRectF(row.bar.topLeft(), QPointF(x(memory.live), row.bar.bottom())));
        const auto mark = [&](double activations, const QPen& pen) {
            const double beyond = m_metrics.line * 0.14;
            m_painter.setPen(pen);
            m_painter.drawLine(QPointF(x(activations), row.bar.top() - beyond),
                               QPointF(x(activations), row.bar.bottom() + beyond));
        };
        mark(memory.peak, QPen(m_theme.mutedText, 1, Qt::DotLine));
        if (memory.mostSoFar > 0)
            mark(memory.mostSoFar, QPen(m_theme.text, 2));
        if (limit > 0) {
            mark(limit - 0.018 * m_picture.scale, QPen(m_theme.error, 1.5));
            mark(limit, QPen(m_theme.error, 1.5));
        }
        m_painter.setFont(m_small);
        m_painter.setPen(over ? m_theme.error : m_theme.text);
        m_painter.drawText(row.level, Qt::AlignLeft | Qt::AlignVCenter,
                           QStringLiteral("%1 / %2").arg(countText(memory.live), countText(memory.peak)));
    }

    QPainter& m_painter;
    const StatePicture& m_picture;
    const Theme& m_theme;
    QFont m_font;
    QFont m_small;
    QFont m_bold;
    StateMetrics m_metrics;
};

} // namespace

QString microbatchText(const InFlight& entry)
{
    const QString number = QString::number(entry.microbatch.value);
    return entry.pipe == 0 ? number : number + QLatin1Char('@') + QString::number(entry.pipe.value);
}

QString chipText(const StateRow& row, const StateChip& chip)
{
    QString first = microbatchText(row.moment.inFlight[chip.first]);
    if (chip.first == chip.last)
        return first;
    return QString::number(row.moment.inFlight[chip.first].microbatch.value) + QChar(0x2013) +
           microbatchText(row.moment.inFlight[chip.last]);
}

QString runningText(const std::vector<Span>& running, const Trace& trace)
{
    if (running.empty())
        return idleText();
    QStringList parts;
    for (const Span& span : running) {
        if (span.name != 0)
            parts << QString::fromStdString(trace.names[span.name]);
        else if (isCompute(span.task.work) && span.task.work != Work::Filler)
            parts << QStringLiteral("%1 %2")
                         .arg(QLatin1Char(workName(span.task.work).letter))
                         .arg(span.task.microbatch.value);
        else
            parts << QString(QLatin1Char(workName(span.task.work).letter));
    }
    return parts.join(QStringLiteral(" + "));
}

StatePicture layoutState(const std::vector<ReplayRun>& runs, Nanoseconds time, const QRectF& area, const QFont& font)
{
    const StateMetrics metrics(font);
    StatePicture picture;
    picture.time = time;
    double most = 1;
    for (const ReplayRun& run : runs) {
        most = std::max({most, run.memoryPeak(), run.memoryLimit()});
        picture.limited = picture.limited || run.memoryLimit() > 0;
    }
    picture.scale = most * 1.04;
    const int count = static_cast<int>(runs.size());
    const int columns = columnsFor(count, area.width(), metrics);
    const double between = metrics.line * 1.5;
    const double width = (area.width() - between * (columns - 1)) / columns;
    double top = area.top();
    for (int first = 0; first < count; first += columns) {
        double lowest = top;
        for (int slot = first; slot < std::min(count, first + columns); ++slot) {
            const ReplayRun& run = runs[static_cast<std::size_t>(slot)];
            StateBlock block;
            block.slot = slot;
            block.run = &run;
            block.title = QRectF(area.left() + (slot - first) * (width + between), top, width, metrics.title);
            const double room = area.height() - metrics.key - metrics.line * 0.4 - (block.title.bottom() - area.top());
            const int devices =
                area.height() <= 0 ? run.devices() : std::clamp(static_cast<int>(room / metrics.row), 0, run.devices());
            for (int device = 0; device < devices; ++device)
                block.rows.push_back(layoutRow(
                    run, device, time,
                    QRectF(block.title.left(), block.title.bottom() + device * metrics.row, width, metrics.row),
                    metrics));
            block.left = run.devices() - devices;
            lowest = std::max(lowest, block.title.bottom() + devices * metrics.row);
            picture.blocks.push_back(std::move(block));
        }
        top = lowest + metrics.line * 0.4;
    }
    picture.key = QRectF(area.left(), top, area.width(), metrics.key);
    picture.height = picture.key.bottom() - area.top();
    return picture;
}

double stateHeight(const std::vector<int>& devices, double width, const QFont& font)
{
    const StateMetrics metrics(font);
    const int count = static_cast<int>(devices.size());
    const int columns = columnsFor(count, width, metrics);
    double height = metrics.key;
    for (int first = 0; first < count; first += columns) {
        const auto begin = devices.begin() + first;
        const int most = *std::max_element(begin, begin + std::min(columns, count - first));
        height += metrics.title + most * metrics.row + metrics.line * 0.4;
    }
    return height;
}

void paintState(QPainter& painter, const StatePicture& picture, const Theme& theme, const QFont& font)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    StatePainter state(painter, picture, theme, font);
    for (const StateBlock& block : picture.blocks)
        state.paintBlock(block);
    if (!picture.blocks.empty())
        state.paintKey();
    painter.restore();
}

} // namespace bubblescope::viz
