#include "viz/timeline/timeline_keys.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QKeySequence>

#include <algorithm>

namespace bubblescope::viz {
namespace {

/// X keycodes of a US keyboard.
enum Place : quint32 {
    PlaceQ = 24,
    PlaceW = 25,
    PlaceR = 27,
    PlaceT = 28,
    PlaceA = 38,
    PlaceS = 39,
    PlaceD = 40,
    PlaceF = 41,
    PlaceL = 46,
    PlaceM = 58,
    PlaceComma = 59,
    PlacePeriod = 60,
};

constexpr const char* moveGroup = QT_TRANSLATE_NOOP("Keys", "Move and zoom");
constexpr const char* walkGroup = QT_TRANSLATE_NOOP("Keys", "Walk along tasks");
constexpr const char* rangeGroup = QT_TRANSLATE_NOOP("Keys", "Select, mark and find");
constexpr const char* laneGroup = QT_TRANSLATE_NOOP("Keys", "Lanes");

/// W A S D: their places belong to them, whatever is printed there.
bool ownsItsPlace(quint32 place)
{
    return place == PlaceW || place == PlaceA || place == PlaceS || place == PlaceD;
}

/// Signs may need Shift (or nothing) on another layout, so Shift doesn't count for them.
bool isSign(int key)
{
    return key < 0x80 && !(key >= Qt::Key_A && key <= Qt::Key_Z) && key != Qt::Key_Space;
}

template <class Matches>
std::optional<TimelineCommand> firstThat(Matches matches)
{
    for (const TimelineBinding& binding : timelineBindings())
        for (const TimelineKey& key : binding.keys)
            if (matches(key))
                return binding.command;
    return std::nullopt;
}

} // namespace

const std::vector<TimelineBinding>& timelineBindings()
{
    using C = TimelineCommand;
    constexpr auto shift = Qt::ShiftModifier;
    constexpr auto control = Qt::ControlModifier;
    static const std::vector<TimelineBinding> bindings{
        {C::ZoomIn,
         moveGroup,
         QT_TRANSLATE_NOOP("Keys", "zoom in at the pointer"),
         {{Qt::Key_W, {}, PlaceW}, {Qt::Key_Plus, {}}, {Qt::Key_Equal, {}}}},
        {C::ZoomOut,
         moveGroup,
         QT_TRANSLATE_NOOP("Keys", "zoom out at the pointer"),
         {{Qt::Key_S, {}, PlaceS}, {Qt::Key_Minus, {}}}},
        {C::PanLeft,
         moveGroup,
         QT_TRANSLATE_NOOP("Keys", "pan to earlier times"),
         {{Qt::Key_A, {}, PlaceA}, {Qt::Key_Left, {}}}},
        {C::PanRight,
         moveGroup,
         QT_TRANSLATE_NOOP("Keys", "pan to later times"),
         {{Qt::Key_D, {}, PlaceD}, {Qt::Key_Right, {}}}},
        {C::Fit,
         moveGroup,
         QT_TRANSLATE_NOOP("Keys", "fit the selection or the picked task; once more: everything"),
         {{Qt::Key_F, {}, PlaceF}}},
        {C::Back, moveGroup, QT_TRANSLATE_NOOP("Keys", "back to where the view was"), {{Qt::Key_Backspace, {}}}},
        {C::Forward, moveGroup, QT_TRANSLATE_NOOP("Keys", "forward again"), {{Qt::Key_Backspace, shift}}},
        {C::Previous,
         walkGroup,
         QT_TRANSLATE_NOOP("Keys", "previous task or idle time of the lane"),
         {{Qt::Key_Comma, {}, PlaceComma}}},
        {C::Next,
         walkGroup,
         QT_TRANSLATE_NOOP("Keys", "next task or idle time of the lane"),
         {{Qt::Key_Period, {}, PlacePeriod}}},
        {C::RowUp, walkGroup, QT_TRANSLATE_NOOP("Keys", "lane above"), {{Qt::Key_Up, {}}}},
        {C::RowDown, walkGroup, QT_TRANSLATE_NOOP("Keys", "lane below"), {{Qt::Key_Down, {}}}},
        {C::FlowForward,
         walkGroup,
         QT_TRANSLATE_NOOP("Keys", "along the arrow to a successor; while searching: next match"),
         {{Qt::Key_BracketRight, {}}}},
        {C::FlowBack,
         walkGroup,
         QT_TRANSLATE_NOOP("Keys", "along the arrow to a predecessor; while searching: previous match"),
         {{Qt::Key_BracketLeft, {}}}},
        {C::OtherSuccessor,
         walkGroup,
         QT_TRANSLATE_NOOP("Keys", "choose another successor"),
         {{Qt::Key_BracketRight, control}}},
        {C::OtherPredecessor,
         walkGroup,
         QT_TRANSLATE_NOOP("Keys", "choose another predecessor"),
         {{Qt::Key_BracketLeft, control}}},
        {C::SelectEvent,
         rangeGroup,
         QT_TRANSLATE_NOOP("Keys", "select the time of the picked task"),
         {{Qt::Key_R, {}, PlaceR}}},
        {C::SelectAll, rangeGroup, QT_TRANSLATE_NOOP("Keys", "select all time"), {}},
        {C::EndEarlier, rangeGroup, QT_TRANSLATE_NOOP("Keys", "end of the selection earlier"), {{Qt::Key_Left, shift}}},
        {C::EndLater, rangeGroup, QT_TRANSLATE_NOOP("Keys", "end of the selection later"), {{Qt::Key_Right, shift}}},
        {C::BeginEarlier,
         rangeGroup,
         QT_TRANSLATE_NOOP("Keys", "begin of the selection earlier"),
         {{Qt::Key_Left, control | shift}}},
        {C::BeginLater,
         rangeGroup,
         QT_TRANSLATE_NOOP("Keys", "begin of the selection later"),
         {{Qt::Key_Right, control | shift}}},
        {C::Mark,
         rangeGroup,
         QT_TRANSLATE_NOOP("Keys", "mark the selection, the task or the cursor for now"),
         {{Qt::Key_M, {}, PlaceM}}},
        {C::Note,
         rangeGroup,
         QT_TRANSLATE_NOOP("Keys", "note that stays in the document"),
         {{Qt::Key_M, shift, PlaceM}}},
        {C::Remove,
         rangeGroup,
         QT_TRANSLATE_NOOP("Keys", "remove the chosen note or the mark"),
         {{Qt::Key_Delete, {}}}},
        {C::Find, rangeGroup, QT_TRANSLATE_NOOP("Keys", "find tasks"), {{Qt::Key_Slash, {}}}},
        {C::FindLane, rangeGroup, QT_TRANSLATE_NOOP("Keys", "find a lane"), {}},
        {C::ToggleLanes,
         laneGroup,
         QT_TRANSLATE_NOOP("Keys", "open or close the device's communication and copy lanes"),
         {{Qt::Key_L, {}, PlaceL}}},
        {C::PinLane,
         laneGroup,
         QT_TRANSLATE_NOOP("Keys", "pin the lane to the top, or let it go"),
         {{Qt::Key_T, shift, PlaceT}}},
        {C::TallerRows, laneGroup, QT_TRANSLATE_NOOP("Keys", "taller rows"), {{Qt::Key_Up, control}}},
        {C::LowerRows, laneGroup, QT_TRANSLATE_NOOP("Keys", "lower rows"), {{Qt::Key_Down, control}}},
        {C::Details, laneGroup, QT_TRANSLATE_NOOP("Keys", "show or hide the details"), {{Qt::Key_Q, {}, PlaceQ}}},
        {C::Clear,
         rangeGroup,
         QT_TRANSLATE_NOOP("Keys", "close the search, then clear outlines, selection, pick and mark"),
         {{Qt::Key_Escape, {}}}},
    };
    return bindings;
}

std::optional<TimelineCommand> timelineCommand(const QKeyEvent& event, bool placesKnown)
{
    const Qt::KeyboardModifiers modifiers =
        event.modifiers() & (Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    const quint32 place = placesKnown ? event.nativeScanCode() : 0;
    const auto printed = [&](Qt::KeyboardModifiers wanted) {
        return firstThat([&](const TimelineKey& key) {
            return key.key == event.key() && key.modifiers == wanted && (place == 0 || !ownsItsPlace(key.place));
        });
    };
    const auto placed = [&](bool owners) {
        return firstThat([&](const TimelineKey& key) {
            return key.place == place && key.modifiers == modifiers && ownsItsPlace(key.place) == owners;
        });
    };
    if (place != 0)
        if (const auto command = placed(true))
            return command;
    if (const auto command = printed(modifiers))
        return command;
    if (isSign(event.key()) && modifiers.testFlag(Qt::ShiftModifier))
        if (const auto command = printed(modifiers & ~Qt::ShiftModifier))
            return command;
    const bool displaced =
        event.key() == Qt::Key_W || event.key() == Qt::Key_A || event.key() == Qt::Key_S || event.key() == Qt::Key_D;
    return place != 0 && displaced ? placed(false) : std::nullopt;
}

bool keyPlacesKnown()
{
    const QString platform = QGuiApplication::platformName();
    return platform == QLatin1String("xcb") || platform.startsWith(QLatin1String("wayland"));
}

QStringList keyTexts(const TimelineBinding& binding)
{
    QStringList texts;
    for (const TimelineKey& key : binding.keys) {
        QString text = QKeySequence(key.key | key.modifiers).toString(QKeySequence::NativeText);
        const std::pair<const char*, const char*> signs[] = {
            {"Left", "←"}, {"Right", "→"}, {"Up", "↑"}, {"Down", "↓"}, {"-", "−"}};
        for (const auto& [word, sign] : signs)
            if (text == QLatin1String(word) || text.endsWith(QLatin1Char('+') + QLatin1String(word)))
                text.replace(text.size() - static_cast<int>(qstrlen(word)), static_cast<int>(qstrlen(word)),
                             QString::fromUtf8(sign));
        texts << text;
    }
    return texts;
}

QString translatedKeyText(const char* source)
{
    return QCoreApplication::translate("Keys", source);
}

const std::vector<MouseGesture>& timelineGestures()
{
    static const std::vector<MouseGesture> gestures{
        {QT_TRANSLATE_NOOP("Keys", "Ctrl+wheel"), QT_TRANSLATE_NOOP("Keys", "zoom at the pointer")},
        {QT_TRANSLATE_NOOP("Keys", "wheel"), QT_TRANSLATE_NOOP("Keys", "scroll through the lanes, or zoom: see View")},
        {QT_TRANSLATE_NOOP("Keys", "Shift+wheel, Shift+drag"), QT_TRANSLATE_NOOP("Keys", "pan")},
        {QT_TRANSLATE_NOOP("Keys", "drag"), QT_TRANSLATE_NOOP("Keys", "select time; drag an edge to change it")},
        {QT_TRANSLATE_NOOP("Keys", "middle drag"), QT_TRANSLATE_NOOP("Keys", "zoom to a range")},
        {QT_TRANSLATE_NOOP("Keys", "click"), QT_TRANSLATE_NOOP("Keys", "explain a task or idle time")},
        {QT_TRANSLATE_NOOP("Keys", "double-click"), QT_TRANSLATE_NOOP("Keys", "zoom to a task or idle time")},
        {QT_TRANSLATE_NOOP("Keys", "click on ▸"), QT_TRANSLATE_NOOP("Keys", "open the lanes of a device")},
        {QT_TRANSLATE_NOOP("Keys", "drag below a label"),
         QT_TRANSLATE_NOOP("Keys", "height of the row; double-click: as the others")},
        {QT_TRANSLATE_NOOP("Keys", "minimap"),
         QT_TRANSLATE_NOOP("Keys", "drag the frame or its edges; drag beside it for a new one")},
    };
    return gestures;
}

} // namespace bubblescope::viz
