// A heat map: rows × columns of values, each cell with its number where that fits.
//
// Two scales. One that counts from nothing: the more, the further from the canvas. One for differences: luminance
// rises from less to more through grey, so that which way a cell differs survives colour blindness and grey print.

#pragma once

#include "viz/charts/chart.h"

#include <functional>
#include <optional>

namespace bubblescope::viz {

struct HeatMap {
    QStringList rows;
    int columns = 0;
    double begin = 0;           ///< of the first column on the axis
    double end = 0;             ///< of the last
    double labelled = 0;        ///< which part of a column its value in tables is: 0 its begin, 0.5 its middle
    std::vector<double> values; ///< by row, then column; NaN: nothing there
    bool differences = false;
    double most = 0; ///< end of the scale of differences or counts; 0: the largest value there is
    QString xLabel;
    QString yLabel;
    QString low; ///< what the ends of the scale mean: "earlier in B"
    QString high;
    std::function<QString(double value)> number;           ///< of a cell; null: cells have no text
    std::function<QString(int row, int column)> hint;      ///< null: nothing to say
    std::function<QStringList(int row, int column)> cells; ///< further cells of a row of the table
    QStringList headings;                                  ///< of row, column, value and the further cells

    double at(int row, int column) const
    {
        return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(column)];
    }

    /// The scale ends here, on both sides of a map of differences.
    double scale() const;
};

class HeatChart : public Chart {
    Q_OBJECT

public:
    explicit HeatChart(QWidget* parent = nullptr);

    void setMap(HeatMap map, const QString& title);

    const HeatMap& map() const { return m_map; }

    QString hintAt(const QPointF& position) const override;
    ChartTable table() const override;
    std::vector<QPointF> marks() const override;
    void clickAt(const QPointF& position) override;

    QPointF centreOf(int row, int column) const;

    /// Outlines a cell; row −1 takes the outline away.
    void setOutlined(int row, int column);

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void cellClicked(int row, int column);

protected:
    void rebuild() override;

private:
    std::optional<std::pair<int, int>> cellAt(const QPointF& position) const;

    HeatMap m_map;
    QCPColorScale* m_scale;
    int m_outlinedRow = -1;
    int m_outlinedColumn = -1;
};

/// Colours of the two scales, from low to high.
QCPColorGradient heatGradient(const Theme& theme, bool differences);

} // namespace bubblescope::viz
