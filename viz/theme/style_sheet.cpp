#include "viz/theme/style_sheet.h"

namespace bubblescope::viz {
namespace {

// Names in braces are replaced by colours of the theme. Dynamic properties (caption, muted, primary,
// invalid …) say what a widget is, not how it looks.
constexpr const char* rules = R"(
QMainWindow, QDialog { background: {window}; }
QMenuBar { background: {window}; border: none; padding: 0.3ex; }
QMenuBar::item { padding: 0.7ex 1.6ex; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: {accentSoft}; }
QMenu { background: {canvas}; border: 1px solid {border}; padding: 0.6ex 0; }
QMenu::item { padding: 0.7ex 4ex 0.7ex 2.4ex; }
QMenu::item:selected { background: {accentSoft}; color: {text}; }
QMenu::item:disabled { color: {mutedText}; }
QMenu::separator { height: 1px; background: {border}; margin: 0.5ex 0; }
QMenu::indicator { left: 0.5ex; }
QToolBar { background: {window}; border: none; border-bottom: 1px solid {border}; padding: 0.8ex 1.4ex; spacing: 1ex; }
QStatusBar { background: {window}; border-top: 1px solid {border}; color: {mutedText}; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: {mutedText}; padding: 0 1ex; }
QToolTip { background: {tip}; color: {tipText}; border: 1px solid {border}; padding: 0.6ex; }
QWidget[surface="panel"] { background: {window}; }
QWidget[surface="canvas"] { background: {canvas}; }
QScrollArea { border: none; background: transparent; }
QLabel[role="caption"] { color: {mutedText}; font-weight: 600; }
QLabel[role="muted"] { color: {mutedText}; }
QLabel[role="error"] { color: {error}; }
QLabel[role="heading"] { font-weight: 600; }
QFrame[role="card"] { background: {accentSoft}; border-radius: 5px; }
QPushButton, QToolButton[boxed="true"] { background: {field}; border: 1px solid {border}; border-radius: 4px; padding: 0.9ex 2.4ex; }
QToolButton[role="choice"] { background: transparent; border: 1px solid {border}; border-radius: 4px; padding: 0 0.8ex; }
QToolButton[role="choice"][popupMode="2"] { padding-right: 2.6ex; }
QToolButton[role="choice"]:checked { background: {accentSoft}; border-color: {accent}; color: {accent}; font-weight: 600; }
QToolButton[role="choice"]:hover, QToolButton[role="choice"]:focus { border-color: {accent}; }
QToolButton[role="choice"]:disabled { color: {mutedText}; }
QToolButton[role="choice"]::menu-indicator { image: url(:/bubblescope/{arrow}); width: 1.2ex; height: 1.2ex; subcontrol-position: right center; right: 0.6ex; }
QPushButton:hover { border-color: {accent}; }
QPushButton:pressed { background: {accentSoft}; }
QPushButton:focus { border: 1px solid {accent}; }
QPushButton:disabled { color: {mutedText}; background: {window}; }
QPushButton[primary="true"] { background: {accent}; color: {accentText}; border-color: {accent}; font-weight: 600; }
QPushButton[primary="true"]:disabled { background: {border}; border-color: {border}; color: {mutedText}; }
QPushButton:checked { background: {accentSoft}; border-color: {accent}; }
QPushButton[flat="true"] { background: transparent; border: none; color: {accent}; padding: 0.6ex 1ex; }
QPushButton[flat="true"]:hover { text-decoration: underline; }
QPushButton[flat="true"]:focus { border: 1px dotted {accent}; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: {field}; border: 1px solid {border}; border-radius: 4px;
    padding: 0.5ex 1ex; min-height: 2.6ex; selection-background-color: {accent}; selection-color: {accentText}; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: {accent}; }
QLineEdit[invalid="true"], QSpinBox[invalid="true"], QComboBox[invalid="true"] { border-color: {error}; background: {errorSoft}; }
QSlider { min-height: 2.6ex; }
QSlider::groove:horizontal { background: {border}; height: 0.6ex; border-radius: 2px; }
QSlider::sub-page:horizontal { background: {accent}; height: 0.6ex; border-radius: 2px; }
QSlider::handle:horizontal { background: {field}; border: 2px solid {accent}; width: 1.6ex; height: 1.6ex; margin: -0.8ex 0; border-radius: 1ex; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { background: {accent}; }
QSlider::sub-page:horizontal:disabled { background: {mutedText}; }
QComboBox::drop-down { border: none; width: 2.6ex; }
QComboBox::down-arrow { image: url(:/bubblescope/{arrow}); width: 1.4ex; height: 1.4ex; }
QComboBox QAbstractItemView { background: {canvas}; border: 1px solid {border}; selection-background-color: {accentSoft}; selection-color: {text}; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { border: none; width: 2.4ex; background: transparent; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/bubblescope/{arrowUp}); width: 1.2ex; height: 1.2ex; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/bubblescope/{arrow}); width: 1.2ex; height: 1.2ex; }
QTabWidget::pane { border: none; border-top: 1px solid {border}; background: {canvas}; }
QTabBar { background: {canvas}; }
QTabBar::tab { background: transparent; color: {mutedText}; padding: 1ex 1.6ex; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: {accent}; border-bottom: 2px solid {accent}; font-weight: 600; }
QTabBar::tab:focus { color: {accent}; }
QSplitter::handle { background: {border}; }
QProgressBar { background: {border}; border: none; border-radius: 4px; max-height: 1.4ex; min-height: 1.4ex; text-align: center; }
QProgressBar::chunk { background: {accent}; border-radius: 4px; }
QListView { background: transparent; border: none; outline: none; }
QTableView { background: {canvas}; border: none; gridline-color: {border}; selection-background-color: {accentSoft}; selection-color: {text}; }
QHeaderView { background: {canvas}; border: none; }
QTableCornerButton::section { background: {canvas}; border: none; }
QHeaderView::section { background: {canvas}; color: {mutedText}; border: none; border-bottom: 1px solid {border}; padding: 0.8ex 1ex; font-weight: 600; }
QScrollBar:vertical { background: transparent; width: 1.6ex; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 1.6ex; margin: 0; }
QScrollBar::handle { background: {border}; border-radius: 3px; min-height: 4ex; min-width: 4ex; }
QScrollBar::handle:hover { background: {mutedText}; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

} // namespace

QString styleSheetOf(const Theme& theme)
{
    const std::pair<const char*, QString> names[] = {
        {"{window}", theme.window.name()},
        {"{canvas}", theme.canvas.name()},
        {"{field}", theme.field.name()},
        {"{border}", theme.border.name()},
        {"{text}", theme.text.name()},
        {"{mutedText}", theme.mutedText.name()},
        {"{accent}", theme.accent.name()},
        {"{accentText}", theme.accentText.name()},
        {"{accentSoft}", theme.accentSoft.name()},
        {"{error}", theme.error.name()},
        {"{errorSoft}", theme.errorSoft.name()},
        {"{tip}", (theme.dark ? theme.field : theme.text).name()},
        {"{tipText}", (theme.dark ? theme.text : theme.canvas).name()},
        {"{arrow}", theme.dark ? QStringLiteral("arrow-down-dark.svg") : QStringLiteral("arrow-down-light.svg")},
        {"{arrowUp}", theme.dark ? QStringLiteral("arrow-up-dark.svg") : QStringLiteral("arrow-up-light.svg")},
    };
    QString sheet = QString::fromLatin1(rules);
    for (const auto& [name, value] : names)
        sheet.replace(QLatin1String(name), value);
    return sheet;
}

} // namespace bubblescope::viz
