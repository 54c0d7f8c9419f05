// A figure of schedules over the values of one parameter: a line per schedule, the paper's closed form dashed.

#pragma once

#include "core/analyze/sweep.h"
#include "viz/charts/chart.h"

namespace bubblescope::viz {

class SweepChart : public Chart {
    Q_OBJECT

public:
    enum class Figure { BubbleRate, Throughput };

    struct Point {
        std::size_t line = 0;
        std::size_t point = 0;
    };

    explicit SweepChart(Figure figure, QWidget* parent = nullptr);

    /// `current` is the value that the draft has.
    void setLines(std::vector<SweepLine> lines, const SweepParameter& parameter, double current);

    const std::vector<SweepLine>& lines() const { return m_lines; }

    /// Those that could be built, in the order of marks().
    const std::vector<Point>& points() const { return m_points; }

    QString hintAt(const QPointF& position) const override;
    ChartTable table() const override;
    std::vector<QPointF> marks() const override;
    void clickAt(const QPointF& position) override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void pointClicked(int line, int point);

protected:
    void rebuild() override;

private:
    double valueOf(const SweepPoint& point) const;
    void addLine(const SweepLine& line, const QPen& pen);
    void addClosedForm(const SweepLine& line, const QPen& pen);
    void markCurrent();

    Figure m_figure;
    std::vector<SweepLine> m_lines;
    std::vector<Point> m_points;
    const SweepParameter* m_parameter = nullptr;
    double m_current = 0;
};

/// What is swept, in the language of the window: "Microbatches", and its unit or nothing.
QString parameterTitle(const SweepParameter& parameter);
QString parameterUnit(const SweepParameter& parameter);

/// "ZB-V" or, where the recipe has parameters of its own, its text.
QString recipeTitle(const RecipeSpec& spec);

} // namespace bubblescope::viz
