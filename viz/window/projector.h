// The projector view: larger type and nothing but the timelines and the bar of a replay, for a room that looks on.
//
// What was there before comes back as it was: which parts were shown, how wide they were, the type, the window.

#pragma once

#include <QFont>
#include <QMainWindow>
#include <QObject>
#include <QSize>

#include <utility>
#include <vector>

class QPushButton;
class QSplitter;

namespace bubblescope::viz {

class Projector : public QObject {
    Q_OBJECT

public:
    static constexpr double largerType = 1.6;

    /// `parts` are hidden; `splitters` keep their sizes.
    Projector(QMainWindow& window, std::vector<QWidget*> parts, std::vector<QSplitter*> splitters);
    ~Projector() override;

    void setOn(bool on);

    bool isOn() const { return m_on; }

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void changed(bool on);

private:
    void enter();
    void leave();
    void restoreSplitters();

    QMainWindow& m_window;
    std::vector<QWidget*> m_parts;
    std::vector<QSplitter*> m_splitters;
    QPushButton* m_leave;
    bool m_on = false;

    // What was before.
    std::vector<QWidget*> m_wereShown;
    std::vector<QByteArray> m_sizes;
    QFont m_font;
    Qt::WindowStates m_state;
    QSize m_size;
    bool m_awaitsSize = false; ///< the window hasn't got its size back yet
};

} // namespace bubblescope::viz
