// The strip below the timelines while a replay is open: where it stands, how fast it goes, what is to be seen.
//
//     [|◀◀] [|◀] [▶ Play] [▶|]   ────────●──────────────   17.4 ms of 36.5 ms
//     Speed ───●── [0.002 ×]   [ ] Loop   [x] Follow   Later tasks [dimmed]          Export …   Close
//
// In a narrow window, or with large type, the choices in the middle have a line of their own.

#pragma once

#include "viz/replay/replay_paint.h"
#include "viz/replay/replay_player.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSlider;
class QToolButton;

namespace bubblescope::viz {

class ReplayBar : public QWidget {
    Q_OBJECT

public:
    explicit ReplayBar(ReplayPlayer& player, QWidget* parent = nullptr);

    Upcoming upcoming() const;
    void setUpcoming(Upcoming upcoming);

    /// Whether the visible range goes with the playhead.
    bool follows() const;
    void setFollows(bool follows);

    /// Widgets on which Space means nothing else: it plays there, too.
    std::vector<QWidget*> sliders() const;

Q_SIGNALS:
    void stepAsked(int by);
    void upcomingChanged(Upcoming upcoming);
    void followsChanged(bool follows);
    void exportAsked();
    void closeAsked();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* addButton(const char* name, const QString& what);
    QWidget* buildTransport();
    QWidget* buildSpeed();
    QWidget* buildChoices();
    QWidget* buildEnd();
    /// Margins and lengths that go with the type, which the projector view enlarges.
    void fitFont();
    void placeOptions();
    void connectPlayer();
    void showPosition();
    void showPlaying();
    void showSpeed();
    void drawIcons();
    void fillSpeeds();

    ReplayPlayer& m_player;
    QGridLayout* m_options = nullptr;
    QWidget* m_choices = nullptr;
    bool m_choicesAlone = false;
    QToolButton* m_toBegin = nullptr;
    QToolButton* m_back = nullptr;
    QPushButton* m_play = nullptr;
    QToolButton* m_forward = nullptr;
    QSlider* m_position = nullptr;
    QLabel* m_time = nullptr;
    QSlider* m_speed = nullptr;
    QComboBox* m_speeds = nullptr;
    QCheckBox* m_loop = nullptr;
    QCheckBox* m_follow = nullptr;
    QComboBox* m_upcoming = nullptr;
};

/// Where a speed stands on a slider of `steps` steps, and back: each step is the same factor.
int sliderOfSpeed(double speed, int steps);
double speedOfSlider(int value, int steps);

} // namespace bubblescope::viz
