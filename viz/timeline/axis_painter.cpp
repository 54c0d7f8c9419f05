// The parts that runs share: ruler, legend, and the sentence about a run.

#include "viz/timeline/run_painter.h"
#include "viz/timeline/time_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <cmath>
#include <set>

namespace bubblescope::viz {
namespace {

QString tr(const char* source)
{
    return QCoreApplication::translate("Timeline", source);
}

/// One entry for works that share a colour: "F forward", "B / I backward (input)".
struct LegendEntry {
    std::vector<Work> works;
    QString text;
};

std::vector<LegendEntry> legendEntries()
{
    return {
        {{Work::Forward}, tr("F forward")},
        {{Work::Backward, Work::InputGradient}, tr("B / I backward (input)")},
        {{Work::WeightGradient}, tr("W weight gradient")},
        {{Work::Recompute}, tr("R recompute")},
        {{Work::Update}, tr("U update")},
        {{Work::Send, Work::Receive}, tr("transfer")},
        {{Work::Gather, Work::ReduceScatter, Work::AllReduce, Work::Broadcast, Work::Barrier, Work::Reshard},
         tr("collective")},
        {{Work::Offload, Work::Reload, Work::LoadWeights, Work::StoreGradients}, tr("copy")},
        {{Work::VocabularyS, Work::VocabularyT}, tr("vocabulary pass")},
        {{Work::Filler, Work::EmbeddingForward, Work::EmbeddingBackward, Work::Check, Work::Draft}, tr("other work")},
    };
}

void paintSwatch(QPainter& painter, const QRectF& place, const Theme& theme, const QColor* fill)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(fill ? QPen(Qt::NoPen) : QPen(theme.border));
    painter.setBrush(fill ? *fill : theme.hatch);
    painter.drawRoundedRect(place, 2, 2);
    if (!fill) {
        paintHatch(painter, place.adjusted(1, 1, -1, -1), theme.mutedText, 4);
    }
}

} // namespace

void paintHatch(QPainter& painter, const QRectF& area, const QColor& colour, double distance)
{
    QVector<QLineF> lines;
    // The stripes are where x + y is a multiple of the distance, as in the raster.
    const auto last = static_cast<int>(std::ceil((area.right() + area.bottom()) / distance));
    for (auto stripe = static_cast<int>(std::ceil((area.left() + area.top()) / distance)); stripe < last; ++stripe) {
        const double sum = stripe * distance;
        const double from = std::max(area.left(), sum - area.bottom());
        const double to = std::min(area.right(), sum - area.top());
        if (to > from)
            lines.append(QLineF(from, sum - from, to, sum - to));
    }
    painter.setPen(QPen(colour, 0.8));
    painter.drawLines(lines);
}

void paintRuler(QPainter& painter, const QRectF& area, const TimeAxis& axis, const Theme& theme, const QFont& font)
{
    const QFontMetricsF metrics(font);
    const double labelWidth = metrics.horizontalAdvance(QStringLiteral("0000.00 ms"));
    const Nanoseconds step = tickStep(axis.range.length(), std::max(2, static_cast<int>(axis.width / labelWidth)));
    painter.save();
    painter.setFont(font);
    for (Nanoseconds tick = firstTick(axis.range.begin, step); tick <= axis.range.end; tick += step) {
        const double x = timeToPixel(axis, tick);
        painter.setPen(theme.border.darker(theme.dark ? 60 : 130));
        painter.drawLine(QPointF(x, area.top() + 2), QPointF(x, area.top() + 6));
        painter.setPen(theme.mutedText);
        const QString text = tickText(tick, step, axis.range.end);
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width));
        painter.drawText(QPointF(left, area.top() + 7 + metrics.ascent()), text);
    }
    painter.restore();
}

namespace {

/// The works that the runs contain.
std::vector<std::pair<QColor, QString>> worksOf(const std::vector<const RunPicture*>& pictures, const Theme& theme)
{
    std::set<Work> present;
    for (const RunPicture* picture : pictures)
        for (const TimelineRow& row : picture->rows)
            for (const SpanColumns* spans : {&row.bars.spans(), &row.bars.moments()})
                for (const SpanChunk& chunk : spans->chunks())
                    for (const SpanKind& kind : chunk.kinds)
                        present.insert(kind.work);
    std::vector<std::pair<QColor, QString>> entries;
    for (const LegendEntry& candidate : legendEntries()) {
        const bool isPresent = std::any_of(candidate.works.begin(), candidate.works.end(),
                                           [&present](Work work) { return present.count(work) != 0; });
        if (isPresent)
            entries.emplace_back(theme.of(candidate.works.front()), candidate.text);
    }
    return entries;
}

/// Colours that repeat: "microbatch 0", "1", … "7, and again".
std::vector<std::pair<QColor, QString>> cycleEntries(const Theme& theme, const QString& what)
{
    std::vector<std::pair<QColor, QString>> entries;
    const std::vector<QRgb> cycle = cycleOf(theme);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        QString text = QString::number(i);
        if (i == 0)
            text = what + QLatin1Char(' ') + text;
        if (i + 1 == cycle.size())
            text = tr("%1, and again").arg(text);
        entries.emplace_back(QColor(cycle[i]), text);
    }
    return entries;
}

} // namespace

void paintLegend(QPainter& painter, const QRectF& area, const std::vector<const RunPicture*>& pictures,
                 const Theme& theme, const QFont& font)
{
    const QFontMetricsF metrics(font);
    const double side = std::round(metrics.ascent() * 0.8);
    double x = area.left();
    painter.save();
    painter.setFont(font);
    const auto entry = [&](const QColor* fill, const QString& text) {
        const double width = side * 1.6 + metrics.horizontalAdvance(text);
        if (x + width > area.right())
            return;
        paintSwatch(painter, QRectF(x, area.center().y() - side / 2, side, side), theme, fill);
        painter.setPen(theme.mutedText);
        painter.drawText(QRectF(x + side * 1.6, area.top(), width, area.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         text);
        x += width + side * 2;
    };
    const ColourBy by = pictures.empty() ? ColourBy::Work : pictures.front()->colouring.by;
    const auto entries = by == ColourBy::Microbatch ? cycleEntries(theme, tr("microbatch"))
                         : by == ColourBy::Chunk    ? cycleEntries(theme, tr("chunk"))
                                                    : worksOf(pictures, theme);
    for (const auto& [colour, text] : entries)
        entry(&colour, text);
    entry(nullptr, tr("idle (bubble)"));
    painter.restore();
}

QString factsOf(const RunView& run, const RunView* reference, const QString& letter)
{
    if (!run.problems.empty())
        return tr("the order has problems · times are a sketch");
    QStringList facts;
    facts << timeText(run.makespan()) << tr("bubble %1").arg(percentText(run.bubbleRate()));
    if (!run.memory.empty())
        facts << tr("peak %1 activations").arg(countText(run.peakActivations()));
    if (!reference || reference->makespan() <= 0 || run.makespan() <= 0)
        return facts.join(QStringLiteral(" · "));
    const auto perStep = [](const RunView& one) { return static_cast<double>(one.makespan()) / one.shownSteps(); };
    const double ratio = perStep(*reference) / perStep(run);
    const bool stepsDiffer = run.shownSteps() != reference->shownSteps();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    if (run.label != reference->label) {
        const double longer = 1 / ratio - 1;
        facts << (longer >= 0 ? tr("%1 longer than predicted (%2)") : tr("%1 shorter than predicted (%2)"))
                     .arg(percentText(std::abs(longer)), letter);
    } else if (ratio > 1.005)
        facts << tr("%1 × faster than %2").arg(number(ratio), letter);
    else if (ratio < 0.995)
        facts << tr("%1 × slower than %2").arg(number(1 / ratio), letter);
    else
        facts << tr("as fast as %1").arg(letter);
    if (stepsDiffer)
        facts << tr("per step, %1 are shown").arg(run.shownSteps());
    return facts.join(QStringLiteral(" · "));
}

} // namespace bubblescope::viz
