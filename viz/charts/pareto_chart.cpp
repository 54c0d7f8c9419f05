#include "viz/charts/pareto_chart.h"

#include "core/analyze/pareto.h"
#include "viz/charts/plot_style.h"
#include "viz/charts/sweep_chart.h"
#include "viz/timeline/time_text.h"

#include <QApplication>

namespace bubblescope::viz {
namespace {

QString choiceTitle(const SearchCandidate& choice)
{
    const QString title = recipeTitle(choice.spec());
    return choice.experiment.chunks > 1 ? ParetoChart::tr("%1, %2 chunks").arg(title).arg(choice.experiment.chunks)
                                        : title;
}

/// A choice that is better or as good in both; −1 for one on the front.
int beatenBy(const std::vector<SearchCandidate>& choices, const std::vector<std::size_t>& front, std::size_t choice)
{
    for (const std::size_t better : front)
        if (better != choice && choices[better].peakActivations <= choices[choice].peakActivations &&
            choices[better].bubbleRate <= choices[choice].bubbleRate)
            return static_cast<int>(better);
    return -1;
}

} // namespace

ParetoChart::ParetoChart(QWidget* parent) : Chart(parent)
{
    setTitle(tr("Bubble rate against peak memory"));
    setAccessibleName(title());
    connect(this, &QCustomPlot::afterLayout, this, &ParetoChart::thinNames);
    ParetoChart::rebuild();
}

void ParetoChart::setChoices(std::vector<SearchCandidate> choices, std::vector<Shown> shown, double limit)
{
    m_choices = std::move(choices);
    m_shown = std::move(shown);
    m_limit = limit;
    std::vector<Tradeoff> figures;
    figures.reserve(m_choices.size());
    for (const SearchCandidate& choice : m_choices)
        figures.push_back({choice.peakActivations, choice.bubbleRate});
    m_front = paretoFront(figures);
    rebuild();
}

void ParetoChart::rebuild()
{
    clearPlottables();
    clearItems();
    m_names.clear();
    applyStyle();
    const bool hasData = !m_choices.empty();
    axisRect()->setVisible(hasData);
    if (!hasData) {
        replot(rpQueuedReplot);
        return;
    }
    xAxis->setLabel(tr("peak of the device that holds most, activations"));
    yAxis->setLabel(tr("bubble rate, %"));
    QCPGraph* all = addGraph();
    all->setLineStyle(QCPGraph::lsNone);
    QColor faded = theme().mutedText;
    faded.setAlphaF(0.55F);
    all->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, faded, faded, 7));
    double most = std::max(1.0, m_limit);
    double worst = 1;
    for (const SearchCandidate& choice : m_choices) {
        all->addData(choice.peakActivations, choice.bubbleRate * 100);
        most = std::max(most, choice.peakActivations);
        worst = std::max(worst, choice.bubbleRate * 100);
    }
    xAxis->setRange(0, most * 1.12);
    yAxis->setRange(0, worst * 1.12);
    addFront();
    markShown();
    markLimit();
    replot(rpQueuedReplot);
}

QCPItemText* ParetoChart::addText(const QPointF& place, const QString& text, const QColor& colour)
{
    auto* label = new QCPItemText(this);
    label->setText(text);
    label->setColor(colour);
    label->setFont(xAxis->tickLabelFont());
    label->setClipToAxisRect(false);
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    label->setPadding(QMargins(6, 0, 0, 2));
    label->position->setCoords(place);
    return label;
}

/// Names that would lie on others aren't drawn; pointing at the dot tells them.
void ParetoChart::thinNames()
{
    const QFontMetricsF metrics(xAxis->tickLabelFont());
    std::vector<QRectF> taken;
    for (QCPItemText* name : m_names) {
        const QPointF place(xAxis->coordToPixel(name->position->coords().x()),
                            yAxis->coordToPixel(name->position->coords().y()));
        const QRectF area(place.x(), place.y() - metrics.height(), metrics.horizontalAdvance(name->text()) + 8,
                          metrics.height());
        const bool free =
            std::none_of(taken.begin(), taken.end(), [&area](const QRectF& other) { return other.intersects(area); });
        name->setVisible(free);
        if (free)
            taken.push_back(area);
    }
}

void ParetoChart::addFront()
{
    QCPGraph* line = addGraph();
    line->setPen(QPen(theme().accent, 1.6));
    line->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, theme().accent, theme().accent, 9));
    for (const std::size_t at : m_front) {
        const SearchCandidate& choice = m_choices[at];
        line->addData(choice.peakActivations, choice.bubbleRate * 100);
        const std::string_view title = recipe(choice.spec().id).title;
        m_names.push_back(addText({choice.peakActivations, choice.bubbleRate * 100},
                                  QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())), theme().text));
    }
}

void ParetoChart::markShown()
{
    for (const Shown& shown : m_shown)
        for (const SearchCandidate& choice : m_choices) {
            if (choice.spec().text() != shown.spec.text() || choice.experiment.chunks != shown.chunks)
                continue;
            auto* ring = new QCPItemTracer(this);
            ring->setStyle(QCPItemTracer::tsCircle);
            ring->setSize(14);
            ring->setPen(QPen(theme().text, 1.6));
            ring->position->setCoords(choice.peakActivations, choice.bubbleRate * 100);
            auto* letter = new QCPItemText(this);
            letter->setText(shown.letter);
            QFont bold = QApplication::font();
            bold.setBold(true);
            letter->setFont(bold);
            letter->setColor(theme().text);
            letter->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
            letter->setPadding(QMargins(0, 4, 8, 0));
            letter->position->setCoords(choice.peakActivations, choice.bubbleRate * 100);
            break;
        }
}

void ParetoChart::markLimit()
{
    if (m_limit <= 0)
        return;
    auto* line = new QCPItemStraightLine(this);
    line->setPen(QPen(theme().error, 1.4, Qt::DashLine));
    line->point1->setCoords(m_limit, 0);
    line->point2->setCoords(m_limit, 1);
    addText({m_limit, yAxis->range().upper * 0.92}, tr("limit %1").arg(countText(m_limit)), theme().error);
}

QPointF ParetoChart::placeOf(std::size_t choice) const
{
    return {xAxis->coordToPixel(m_choices[choice].peakActivations),
            yAxis->coordToPixel(m_choices[choice].bubbleRate * 100)};
}

std::vector<QPointF> ParetoChart::marks() const
{
    std::vector<QPointF> places;
    for (const std::size_t at : m_front)
        places.push_back(placeOf(at));
    for (std::size_t at = 0; at < m_choices.size(); ++at)
        if (std::find(m_front.begin(), m_front.end(), at) == m_front.end())
            places.push_back(placeOf(at));
    return places;
}

int ParetoChart::choiceAt(const QPointF& position) const
{
    const int place = nearestPlace(marks(), position, fontMetrics().height());
    if (place < 0)
        return -1;
    if (place < static_cast<int>(m_front.size()))
        return static_cast<int>(m_front[static_cast<std::size_t>(place)]);
    int left = place - static_cast<int>(m_front.size());
    for (std::size_t at = 0; at < m_choices.size(); ++at)
        if (std::find(m_front.begin(), m_front.end(), at) == m_front.end() && left-- == 0)
            return static_cast<int>(at);
    return -1;
}

QString ParetoChart::hintAt(const QPointF& position) const
{
    const int at = choiceAt(position);
    if (at < 0)
        return {};
    const SearchCandidate& choice = m_choices[static_cast<std::size_t>(at)];
    QString text = tr("%1\nbubble rate %2\npeak %3 activations\nmakespan %4, chunks sharing a device's work")
                       .arg(choiceTitle(choice), percentText(choice.bubbleRate), countText(choice.peakActivations),
                            timeText(choice.makespan));
    if (choice.weightCopies > 1)
        text += tr("\nholds the weights %1 times").arg(countText(choice.weightCopies));
    const int better = beatenBy(m_choices, m_front, static_cast<std::size_t>(at));
    text += better < 0 ? tr("\non the front: nobody beats it in both")
                       : tr("\nbeaten by %1").arg(choiceTitle(m_choices[static_cast<std::size_t>(better)]));
    return text;
}

void ParetoChart::clickAt(const QPointF& position)
{
    if (const int at = choiceAt(position); at >= 0)
        Q_EMIT choiceClicked(at);
}

ChartTable ParetoChart::table() const
{
    ChartTable table;
    table.headings << QStringLiteral("schedule") << QStringLiteral("chunks") << QStringLiteral("bubble_rate")
                   << QStringLiteral("peak_activations") << QStringLiteral("makespan_ms")
                   << QStringLiteral("weight_copies") << QStringLiteral("on_front");
    for (std::size_t at = 0; at < m_choices.size(); ++at) {
        const SearchCandidate& choice = m_choices[at];
        const bool front = std::find(m_front.begin(), m_front.end(), at) != m_front.end();
        table.rows.push_back({QString::fromStdString(choice.spec().text()), QString::number(choice.experiment.chunks),
                              cellText(choice.bubbleRate), cellText(choice.peakActivations),
                              cellText(inMilliseconds(choice.makespan)), cellText(choice.weightCopies),
                              front ? QStringLiteral("1") : QStringLiteral("0")});
    }
    return table;
}

QSize ParetoChart::minimumSizeHint() const
{
    const int line = fontMetrics().height();
    return {line * 20, line * 9};
}

} // namespace bubblescope::viz
