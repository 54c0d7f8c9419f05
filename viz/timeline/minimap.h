// All of the time at a glance: how busy run A is, by work, and what part of it is visible.
//
//     ▂▄▆███████████▆▄▂
//         ┃      ┃            the frame pans when it is dragged and zooms when an edge is
//
// The density is computed on another thread, once per run.

#pragma once

#include "viz/run/run_view.h"
#include "viz/timeline/range_controller.h"

#include <QFuture>
#include <QImage>
#include <QWidget>

#include <array>
#include <memory>
#include <vector>

namespace bubblescope::viz {

struct Theme;

/// Share of the devices' time that each work takes, for equal parts of a range.
struct Density {
    TimeRange range;
    std::vector<std::array<float, workCount>> parts;

    double busy(std::size_t part) const;
};

/// Compute lanes only, of each what doesn't overlap. Spans that are no tasks count as filler.
Density densityOf(const RunView& run, const TimeRange& range, std::size_t parts);

class Minimap : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(RangeController& range, QWidget* parent = nullptr);

    /// Null: nothing.
    void setRun(RunPtr run);

    /// Left and right end of the axis, as the timelines have them.
    void setEnds(double left, double right);

    /// The frame of what is visible.
    QRectF frame() const;
    QRectF area() const;

    const Density& density() const { return m_density; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { None, Frame, Begin, End, New };

    TimeAxis axis() const;
    Drag partAt(double x) const;
    void paintDensity(QPainter& painter) const;
    void renewPicture();

    RangeController& m_range;
    RunPtr m_run;
    Density m_density;
    QImage m_picture; // the density as last painted: it stays while the frame moves
    TimeRange m_pictureTrace;
    const Theme* m_pictureTheme = nullptr;
    double m_left = 0;
    double m_right = 100;
    Drag m_drag = Drag::None;
    double m_pressed = 0;
    TimeRange m_pressedRange;
};

} // namespace bubblescope::viz
