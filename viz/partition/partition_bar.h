// The partition as a bar: layers as cells scaled by cost, stages in the colours of their devices,
// boundaries with handles.
//
// Drag a boundary, or choose one with Tab-like keys (Page Up/Down) and move it with the arrows;
// double-click balances. Each change is an edit of the draft, and the prediction follows.

#pragma once

#include "viz/partition/partition_geometry.h"

#include <QWidget>

namespace bubblescope::viz {

class PartitionBar : public QWidget {
    Q_OBJECT

public:
    explicit PartitionBar(QWidget* parent = nullptr);

    /// `devices` gives a stage its colour (stage mod devices); `head` and `embedding` name the special ends.
    void setPartition(const std::vector<int>& partition, const std::vector<double>& layerCosts, int devices,
                      bool embedding, bool head);

    const std::vector<int>& partition() const { return m_partition; }

    PartitionGeometry geometryNow() const;

    /// Middle of a boundary's handle.
    QPointF handle(int index) const;

    QString slowestText() const;

    QSize sizeHint() const override;

    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

Q_SIGNALS:
    /// While dragging, all changes of one drag have the same number: they are one step of undo.
    void partitionEdited(const std::vector<int>& partition, int drag);
    void balanceAsked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF bar() const;
    QString stageText(int stage, int firstLayer, double width) const;
    void paintStages(QPainter& painter, const PartitionGeometry& geometry) const;
    void paintHandles(QPainter& painter, const PartitionGeometry& geometry) const;
    void propose(const std::vector<int>& partition);

    std::vector<int> m_partition;
    std::vector<double> m_layerCosts;
    int m_devices = 1;
    bool m_embedding = false;
    bool m_head = false;
    int m_dragged = -1;
    int m_focused = 0; ///< boundary that the keyboard moves
    int m_dragNumber = 0;
};

} // namespace bubblescope::viz
