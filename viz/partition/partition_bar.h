// The partition as a bar: layers as cells scaled by cost, stages in the colours of their devices,
// boundaries with handles.
//
// Where a device holds several stages, or a stage has several devices (V, wave, both directions), the
// devices stand below the stages.
//
// Drag a boundary, or choose one with Tab-like keys (Page Up/Down) and move it with the arrows;
// double-click balances. Each change is an edit of the draft, and the prediction follows.

#pragma once

#include "viz/partition/partition_geometry.h"

#include <QStringList>
#include <QWidget>

#include <array>

class QToolButton;

namespace bubblescope::viz {

class PartitionBar : public QWidget {
    Q_OBJECT

public:
    explicit PartitionBar(QWidget* parent = nullptr);

    /// `homes` are the devices of each stage, which give it its colour; `head` and `embedding` name the special ends.
    void setPartition(const std::vector<int>& partition, const std::vector<double>& layerCosts,
                      const std::vector<std::vector<int>>& homes, bool embedding, bool head);

    /// A and B have partitions of their own: which one is shown can be chosen. −1: they share one.
    void setChoice(int slot);

    /// The button that opens the algorithms.
    QToolButton& algorithms() { return *m_algorithms; }

    QToolButton& choice(int slot) { return *m_choice[static_cast<std::size_t>(slot)]; }

    StagePlacement placement() const { return m_placement; }

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
    void slotChosen(int slot);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF bar() const;
    void placeButtons();
    QStringList headerParts() const;
    QString stageText(int stage, int firstLayer, double width) const;
    QString homesText(int stage, double width) const;
    void paintHomes(QPainter& painter, int stage, const QRectF& area) const;
    void paintStages(QPainter& painter, const PartitionGeometry& geometry) const;
    void paintHandles(QPainter& painter, const PartitionGeometry& geometry) const;
    void propose(const std::vector<int>& partition);

    std::vector<int> m_partition;
    std::vector<double> m_layerCosts;
    std::vector<std::vector<int>> m_homes;
    StagePlacement m_placement = StagePlacement::OneToOne;
    std::array<QToolButton*, 2> m_choice{};
    QToolButton* m_algorithms;
    bool m_embedding = false;
    bool m_head = false;
    int m_dragged = -1;
    int m_focused = 0; ///< boundary that the keyboard moves
    int m_dragNumber = 0;
};

} // namespace bubblescope::viz
