// What all charts share: theme, hover, clicks, a path for the keyboard, and saving and copying.
//
//     pointer, or arrow keys from mark to mark ──► a position ──► hintAt() says what is there
//     click, or Return                         ──► a position ──► clickAt() opens it
//     button, context menu, Ctrl+C             ──► chart_export.h

#pragma once

#include "viz/charts/chart_table.h"
#include "viz/charts/custom_plot.h"
#include "viz/theme/theme.h"

#include <vector>

class QMenu;
class QToolButton;

namespace bubblescope::viz {

class Chart : public QCustomPlot {
    Q_OBJECT

public:
    explicit Chart(QWidget* parent = nullptr);

    const Theme& theme() const { return *m_theme; }

    void setTheme(const Theme& theme);

    /// The line above the axes; also the name of a file it is saved in.
    const QString& title() const { return m_title; }

    /// What stands under a position; empty beside everything.
    virtual QString hintAt(const QPointF& position) const = 0;

    /// All values that are drawn.
    virtual ChartTable table() const = 0;

    /// Where something can be read or opened, in the order in which the arrow keys go.
    virtual std::vector<QPointF> marks() const { return {}; }

    /// A person clicked here, or pressed Return on a mark.
    virtual void clickAt(const QPointF&) {}

    /// Saving and copying; the same in the button, as the context menu, and for the Menu key.
    QMenu* exportMenu() const { return m_menu; }

Q_SIGNALS:
    void problem(const QString& sentence);

protected:
    /// Draws everything anew, with theme() and title().
    virtual void rebuild() = 0;

    void setTitle(const QString& title) { m_title = title; }

    /// Axes, fonts and the title as all charts have them.
    void applyStyle();

    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillMenu();
    void goToMark(int mark);
    void sayHint(const QPointF& position);

    QString m_title;
    const Theme* m_theme;
    QMenu* m_menu;
    QToolButton* m_button;
    QPointF m_pressed;
    int m_mark = -1; ///< where the arrow keys are
};

} // namespace bubblescope::viz
