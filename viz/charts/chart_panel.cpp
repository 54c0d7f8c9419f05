#include "viz/charts/chart_panel.h"

#include "viz/charts/chart_render.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QTableView>
#include <QVBoxLayout>

namespace bubblescope::viz {

class ChartPanel::Legend : public QWidget {
public:
    using Paint = void (*)(QPainter&, const QRectF&, const std::vector<RunPtr>&, const Theme&, const QFont&);

    explicit Legend(Paint paint) : m_paint(paint) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

    void setRuns(std::vector<RunPtr> runs)
    {
        m_runs = std::move(runs);
        update();
    }

    QSize sizeHint() const override { return {100, static_cast<int>(QFontMetricsF(font()).height() * 1.8)}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), currentTheme().canvas);
        if (!m_runs.empty()) // a key to nothing explains nothing
            m_paint(painter, QRectF(rect()).adjusted(fontMetrics().height(), 0, 0, 0), m_runs, currentTheme(), font());
    }

private:
    Paint m_paint;
    std::vector<RunPtr> m_runs;
};

ChartPanel::ChartPanel(RangeController& range, QWidget* parent)
    : QTabWidget(parent)
    , m_theory(new TheoryModel(this))
    , m_legends{new Legend(&paintCauseLegend), new Legend(&paintDeviceLegend)}
{
    setAccessibleName(tr("Charts"));
    setDocumentMode(true);
    const auto page = [this](const QString& title) {
        auto* widget = new QWidget;
        widget->setProperty("surface", "canvas");
        widget->setAttribute(Qt::WA_StyledBackground);
        addTab(widget, title);
        auto* column = new QVBoxLayout(widget);
        const int line = fontMetrics().height();
        column->setContentsMargins(line, line / 2, line, line / 4);
        column->setSpacing(0);
        return column;
    };
    QVBoxLayout* bubbles = page(tr("Bubbles"));
    QVBoxLayout* memory = page(tr("Memory"));
    auto* bubbleRow = new QHBoxLayout;
    auto* memoryRow = new QHBoxLayout;
    for (std::size_t slot = 0; slot < charts; ++slot) {
        m_bubbles[slot] = new BubbleChart;
        m_memory[slot] = new MemoryChart;
        bubbleRow->addWidget(m_bubbles[slot], 1, Qt::AlignTop);
        memoryRow->addWidget(m_memory[slot], 1);
        connect(&range, &RangeController::visibleChanged, m_memory[slot], &MemoryChart::setVisibleRange);
        m_memory[slot]->setVisibleRange(range.visible());
    }
    bubbles->addLayout(bubbleRow);
    bubbles->addWidget(m_legends[0]);
    bubbles->addStretch(1);
    memory->addLayout(memoryRow, 1);
    memory->addWidget(m_legends[1]);

    auto* table = new QTableView;
    table->setModel(m_theory);
    table->setAccessibleName(tr("Theory against measurement"));
    table->setShowGrid(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setFrameShape(QFrame::NoFrame);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setHighlightSections(false);
    table->verticalHeader()->setHighlightSections(false);
    table->setCornerButtonEnabled(false);
    page(tr("Theory vs. measured"))->addWidget(table);
}

void ChartPanel::setRuns(const std::vector<RunPtr>& runs)
{
    for (std::size_t slot = 0; slot < charts; ++slot) {
        const RunPtr run = slot < runs.size() ? runs[slot] : nullptr;
        m_bubbles[slot]->setRun(run, run ? bubbleChartTitle(static_cast<int>(slot), *run) : QString());
        m_memory[slot]->setRun(run, run ? memoryChartTitle(static_cast<int>(slot), *run) : QString());
        m_bubbles[slot]->setVisible(run != nullptr);
        m_memory[slot]->setVisible(run != nullptr);
    }
    const std::vector<RunPtr> charted(
        runs.begin(), runs.begin() + std::min<std::ptrdiff_t>(charts, static_cast<std::ptrdiff_t>(runs.size())));
    for (Legend* legend : m_legends)
        legend->setRuns(charted);
    m_theory->setRuns(runs);
}

} // namespace bubblescope::viz
