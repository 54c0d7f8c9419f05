// Who can't use a mouse or see the screen: every control has a name, and Tab reaches all of them.

#include "tests/viz/support.h"
#include "viz/window/settings_dialog.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>

#include <catch2/catch.hpp>

#include <functional>
#include <map>
#include <set>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

/// Parts of Qt's own controls, which speak for them.
bool isPart(const QWidget& widget)
{
    if (widget.objectName().startsWith(QLatin1String("qt_")))
        return true;
    for (const QWidget* parent = widget.parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (qobject_cast<const QComboBox*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent) ||
            qobject_cast<const QTabBar*>(parent) || qobject_cast<const QAbstractItemView*>(parent))
            return true;
    return false;
}

bool isControl(const QWidget& widget)
{
    if (isPart(widget) || qobject_cast<const QMenuBar*>(&widget))
        return false;
    return widget.focusPolicy() != Qt::NoFocus || qobject_cast<const QAbstractButton*>(&widget);
}

std::string describe(const QWidget& widget)
{
    std::string text = widget.metaObject()->className();
    for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget())
        text += " < " + (at->objectName().isEmpty() ? std::string(at->metaObject()->className())
                                                    : at->objectName().toStdString());
    return text;
}

std::vector<std::string> unnamed(QWidget& root)
{
    std::vector<std::string> all;
    for (QWidget* widget : root.findChildren<QWidget*>()) {
        if (!isControl(*widget))
            continue;
        auto* access = QAccessible::queryAccessibleInterface(widget);
        if (!access || access->text(QAccessible::Name).trimmed().isEmpty())
            all.push_back(describe(*widget));
    }
    return all;
}

/// What Tab leads to, one after the other, until it comes round.
std::set<QWidget*> reachedByTab(QWidget& window)
{
    std::set<QWidget*> reached;
    for (int press = 0; press < 400; ++press) {
        QWidget* focus = QApplication::focusWidget();
        if (focus == nullptr)
            break;
        reached.insert(focus);
        QTest::keyClick(focus, Qt::Key_Tab);
    }
    (void)window;
    return reached;
}

/// Controls in sight that the keyboard should come to and doesn't.
std::vector<std::string> unreached(QWidget& window)
{
    const std::set<QWidget*> reached = reachedByTab(window);
    std::vector<std::string> all;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (!isControl(*widget) || !widget->isVisible() || !widget->isEnabled() || widget->focusProxy())
            continue;
        if (!reached.contains(widget))
            all.push_back(describe(*widget));
    }
    return all;
}

} // namespace

TEST_CASE("every control of the window has a name", "[viz][accessibility]")
{
    test::TestWindow test;
    test.window.messages().say(QStringLiteral("Something happened."), {{QStringLiteral("Do it"), [] {}}});
    for (int tab = 0; tab < test.window.panels().count(); ++tab) {
        test.window.panels().setCurrentIndex(tab);
        test.settle();
    }
    CHECK(unnamed(test.window) == std::vector<std::string>());
    SettingsDialog dialog;
    CHECK(unnamed(dialog) == std::vector<std::string>());
}

TEST_CASE("Tab comes to every control", "[viz][accessibility]")
{
    test::TestWindow test;
    test.window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&test.window));
    for (int tab = 0; tab < test.window.panels().count(); ++tab) {
        test.window.panels().setCurrentIndex(tab);
        test.settle();
        test.window.stack().setFocus();
        test.window.findChild<QComboBox*>(QStringLiteral("schedule0"))->setFocus();
        CAPTURE(test.window.panels().tabText(tab).toStdString());
        CHECK(unreached(test.window) == std::vector<std::string>());
    }
    SettingsDialog dialog;
    dialog.show();
    dialog.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&dialog));
    CHECK(unreached(dialog) == std::vector<std::string>());
}

TEST_CASE("every command of the menus has a text, and no key is given twice", "[viz][accessibility]")
{
    test::TestWindow test;
    std::map<QString, QString> keys;
    const std::function<void(const QList<QAction*>&)> walk = [&](const QList<QAction*>& actions) {
        for (const QAction* action : actions) {
            if (action->isSeparator())
                continue;
            CHECK_FALSE(action->text().trimmed().isEmpty());
            if (action->menu())
                walk(action->menu()->actions());
            for (const QKeySequence& key : action->shortcuts()) {
                CAPTURE(key.toString().toStdString(), action->text().toStdString());
                CHECK(keys.emplace(key.toString(), action->text()).second);
            }
        }
    };
    walk(test.window.menuBar()->actions());
    CHECK(keys.size() > 10);
}

TEST_CASE("a larger font makes a larger window, and nothing is cut off", "[viz][accessibility]")
{
    const QFont before = QApplication::font();
    test::TestWindow usual;
    const int usualHeight = usual.window.findChild<QComboBox*>(QStringLiteral("schedule0"))->sizeHint().height();
    QFont large = before;
    large.setPointSizeF(before.pointSizeF() * 1.8);
    QApplication::setFont(large);
    applyTheme(ThemeMode::Light); // a style sheet measures once, when it is set
    {
        test::TestWindow test;
        CHECK(test.window.findChild<QComboBox*>(QStringLiteral("schedule0"))->sizeHint().height() >
              usualHeight * 3 / 2);
        for (auto* button : test.window.findChildren<QAbstractButton*>()) {
            if (!button->isVisible() || button->text().isEmpty() || isPart(*button))
                continue;
            CAPTURE(button->text().toStdString());
            CHECK(button->width() >= button->fontMetrics().horizontalAdvance(button->text()));
        }
    }
    QApplication::setFont(before);
    applyTheme(ThemeMode::Light);
}
