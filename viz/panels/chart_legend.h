// One key for the charts of a panel.

#pragma once

#include "viz/run/run_view.h"
#include "viz/theme/theme.h"

#include <QPainter>
#include <QWidget>

#include <vector>

namespace bubblescope::viz {

class ChartLegend : public QWidget {
    Q_OBJECT

public:
    using Paint = void (*)(QPainter&, const QRectF&, const std::vector<RunPtr>&, const Theme&, const QFont&);

    explicit ChartLegend(Paint paint, QWidget* parent = nullptr);

    void setRuns(std::vector<RunPtr> runs);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Paint m_paint;
    std::vector<RunPtr> m_runs;
};

/// The first `most` of them.
std::vector<RunPtr> firstRuns(const std::vector<RunPtr>& runs, std::size_t most);

} // namespace bubblescope::viz
