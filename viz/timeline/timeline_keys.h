// The keys of the timelines: one table for the key handler, the help and the command palette.
//
// Letters go by where they lie on the keyboard, not by what is printed on them, so that W A S D are one
// hand's keys on every layout. X11 and Wayland tell the place of a key; elsewhere, and for signs, what is
// printed counts. A letter that another command took the place of goes where that letter's key would
// be: on a French keyboard W A S D are Z Q S D, and A does what Q does on an English one.

#pragma once

#include <QKeyEvent>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace bubblescope::viz {

enum class TimelineCommand {
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanRight,
    Fit,
    Back,
    Forward,
    Previous,
    Next,
    RowUp,
    RowDown,
    FlowForward,
    FlowBack,
    OtherSuccessor,
    OtherPredecessor,
    SelectEvent,
    SelectAll,
    EndEarlier,
    EndLater,
    BeginEarlier,
    BeginLater,
    Mark,
    Note,
    Remove,
    Find,
    FindLane,
    ToggleLanes,
    PinLane,
    TallerRows,
    LowerRows,
    Details,
    Clear,
};

struct TimelineKey {
    int key = 0;
    Qt::KeyboardModifiers modifiers;
    quint32 place = 0; ///< X keycode of the key on a US keyboard; 0: what is printed on it counts
};

/// What a command is and which keys run it.
struct TimelineBinding {
    TimelineCommand command;
    const char* group; ///< to be translated in the context "Keys"
    const char* what;
    std::vector<TimelineKey> keys; ///< empty: the menu has the key
};

const std::vector<TimelineBinding>& timelineBindings();

/// The command of a key press. `placesKnown`: nativeScanCode() is an X keycode.
std::optional<TimelineCommand> timelineCommand(const QKeyEvent& event, bool placesKnown);

/// True on X11 and Wayland.
bool keyPlacesKnown();

/// "W", "+", "Ctrl+]": each key of a binding as people read it.
QStringList keyTexts(const TimelineBinding& binding);

QString translatedKeyText(const char* source);

/// What the mouse does in the timelines; the help shows it.
struct MouseGesture {
    const char* gesture;
    const char* what;
};

const std::vector<MouseGesture>& timelineGestures();

} // namespace bubblescope::viz
