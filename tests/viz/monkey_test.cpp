// A monkey at the window: random events of every kind. Nothing may crash, hang or assert.
//
// The gate's monkey does the same few hundred things each time. BUBBLESCOPE_MONKEY_SECONDS lets one with a seed of its
// own run for so long; BUBBLESCOPE_MONKEY_SEED repeats it.

#include "tests/viz/support.h"
#include "viz/window/windows.h"

#include <QAbstractButton>
#include <QDialog>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPointer>
#include <QSettings>
#include <QTimer>
#include <QWheelEvent>

#include <catch2/catch.hpp>

#include <iostream>
#include <random>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

class Monkey {
public:
    Monkey(MainWindow& window, unsigned seed, QStringList documents)
        : m_window(window), m_random(seed), m_documents(std::move(documents))
    {
        // What opens a loop of its own (menus, boxes, dialogs) is shaken a little and closed.
        m_closer.setInterval(15);
        QObject::connect(&m_closer, &QTimer::timeout, [this] { closeModal(); });
        m_closer.start();
    }

    void act()
    {
        switch (number(0, 11)) {
        case 0:
        case 1:
        case 2:
            press(anyWidget());
            break;
        case 3:
        case 4:
            drag(anyWidget());
            break;
        case 5:
            wheel(anyWidget());
            break;
        case 6:
        case 7:
        case 8:
            type();
            break;
        case 9:
            command();
            break;
        case 10:
            number(0, 9) == 0 ? drop() : hover(anyWidget());
            break;
        default:
            rest();
        }
    }

private:
    int number(int least, int most) { return std::uniform_int_distribution<int>(least, most)(m_random); }

    template <class List>
    auto anyOf(const List& list)
    {
        return list[static_cast<typename List::size_type>(number(0, static_cast<int>(list.size()) - 1))];
    }

    QWidget* anyWindow()
    {
        const auto windows = openWindows();
        MainWindow* window = windows.empty() ? &m_window : anyOf(windows);
        if (!window->isVisible())
            window->show();
        return window;
    }

    QWidget* anyWidget()
    {
        QWidget* window = anyWindow();
        QList<QWidget*> seen{window};
        for (QWidget* widget : window->findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() && !widget->size().isEmpty())
                seen.push_back(widget);
        return anyOf(seen);
    }

    QPoint anyPoint(const QWidget& widget)
    {
        return {number(0, std::max(0, widget.width() - 1)), number(0, std::max(0, widget.height() - 1))};
    }

    Qt::MouseButton anyButton()
    {
        return anyOf(
            QList<Qt::MouseButton>{Qt::LeftButton, Qt::LeftButton, Qt::LeftButton, Qt::RightButton, Qt::MiddleButton});
    }

    Qt::KeyboardModifiers anyModifiers()
    {
        return anyOf(QList<Qt::KeyboardModifiers>{Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                                  Qt::ControlModifier, Qt::ControlModifier | Qt::ShiftModifier,
                                                  Qt::AltModifier});
    }

    void press(QWidget* widget)
    {
        const QPoint where = anyPoint(*widget);
        if (number(0, 5) == 0)
            QTest::mouseDClick(widget, Qt::LeftButton, anyModifiers(), where);
        else
            QTest::mouseClick(widget, anyButton(), anyModifiers(), where);
    }

    void drag(QWidget* widget)
    {
        const QPointer<QWidget> there(widget);
        const Qt::MouseButton button = anyButton();
        const Qt::KeyboardModifiers modifiers = anyModifiers();
        QTest::mousePress(widget, button, modifiers, anyPoint(*widget));
        for (int step = number(1, 6); step > 0 && there; --step) {
            const QPoint where = anyPoint(*there);
            QMouseEvent move(QEvent::MouseMove, where, there->mapToGlobal(where), Qt::NoButton, button, modifiers);
            QApplication::sendEvent(there, &move);
        }
        if (there)
            QTest::mouseRelease(there, button, modifiers, anyPoint(*there));
    }

    void hover(QWidget* widget) { QTest::mouseMove(widget, anyPoint(*widget)); }

    void wheel(QWidget* widget)
    {
        const QPoint where = anyPoint(*widget);
        const QPoint angle =
            anyOf(QList<QPoint>{{0, 120}, {0, -120}, {120, 0}, {-120, 0}, {0, 12000}, {0, -12000}, {0, 1}});
        QWheelEvent event(where, widget->mapToGlobal(where), {}, angle, Qt::NoButton, anyModifiers(), Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(widget, &event);
    }

    void type()
    {
        QWidget* focus = QApplication::focusWidget();
        if (focus == nullptr)
            focus = anyWindow();
        if (number(0, 3) != 0) {
            static const QList<int> keys{
                Qt::Key_Tab,    Qt::Key_Backtab,  Qt::Key_Return, Qt::Key_Escape,    Qt::Key_Space, Qt::Key_Left,
                Qt::Key_Right,  Qt::Key_Up,       Qt::Key_Down,   Qt::Key_PageUp,    Qt::Key_Home,  Qt::Key_End,
                Qt::Key_Delete, Qt::Key_PageDown, Qt::Key_F2,     Qt::Key_Backspace, Qt::Key_Menu,  Qt::Key_Insert};
            key(focus, anyOf(keys), {}, anyModifiers());
        } else if (number(0, 2) == 0) {
            const int letter = number(Qt::Key_Space, Qt::Key_Z);
            key(focus, letter, QString(QChar(letter)).toLower(), anyModifiers());
        } else {
            const QPointer<QWidget> there(focus);
            for (const QChar letter : anyOf(QStringList{
                     QStringLiteral("wasdf"), QStringLiteral("12"), QStringLiteral("0"), QStringLiteral("F=1,I=1,W=2"),
                     QStringLiteral("-9.5e3"), QStringLiteral(",.[]m/?p"), QStringLiteral("äß€")}))
                if (there)
                    key(there, letter.toUpper().unicode(), letter, Qt::NoModifier);
        }
    }

    /// With its text: QTest knows that of few keys only.
    static void key(QWidget* widget, int code, const QString& text, Qt::KeyboardModifiers modifiers)
    {
        QTest::sendKeyEvent(QTest::Click, widget, static_cast<Qt::Key>(code), text, modifiers);
    }

    void command()
    {
        auto* window = qobject_cast<QMainWindow*>(anyWindow());
        QList<QAction*> all;
        for (const QAction* top : window->menuBar()->actions())
            if (top->menu())
                collect(*top->menu(), all);
        if (!all.isEmpty())
            anyOf(all)->trigger();
    }

    static void collect(const QMenu& menu, QList<QAction*>& all)
    {
        for (QAction* action : menu.actions()) {
            if (action->menu())
                collect(*action->menu(), all);
            else if (action->isEnabled() && !action->isSeparator() && action->shortcut() != QKeySequence::Quit)
                all.push_back(action);
        }
    }

    void drop()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(anyOf(m_documents))});
        QWidget* window = anyWindow();
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(window, &enter);
        QDropEvent event({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(window, &event);
    }

    /// Lets things happen, and takes care that the world stays small.
    void rest()
    {
        QTest::qWait(number(0, 30));
        while (openWindows().size() > 3) {
            MainWindow* last = openWindows().back();
            if (last == &m_window)
                last = openWindows().front();
            delete last;
        }
    }

    void closeModal()
    {
        if (QWidget* popup = QApplication::activePopupWidget())
            popup->close();
        else if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
            dialog->reject();
    }

    MainWindow& m_window;
    std::mt19937 m_random;
    QStringList m_documents;
    QTimer m_closer;
};

} // namespace

TEST_CASE("a monkey finds nothing to break", "[viz][monkey]")
{
    QTemporaryDir folder;
    const QStringList documents{test::makeDocument(folder, QStringLiteral("a.bscope")),
                                test::makeDocument(folder, QStringLiteral("b.bscope")),
                                folder.filePath(QStringLiteral("missing.bscope"))};
    qputenv("BUBBLESCOPE_PROGRAM", "/bin/true"); // executions that are over at once
    bool given = false;
    const int wanted = qEnvironmentVariableIntValue("BUBBLESCOPE_MONKEY_SEED", &given);
    const int seconds = qEnvironmentVariableIntValue("BUBBLESCOPE_MONKEY_SECONDS");
    const unsigned seed = given ? static_cast<unsigned>(wanted) : seconds > 0 ? std::random_device()() : 1;
    std::cout << "monkey: seed " << seed << ", " << seconds << " s" << std::endl; // before it can crash
    CAPTURE(seed);
    int acts = 0;
    {
        test::TestWindow test;
        Monkey monkey(test.window, seed, documents);
        QElapsedTimer clock;
        for (clock.start(); seconds > 0 ? clock.elapsed() < seconds * 1000 : acts < 300; ++acts) {
            monkey.act();
            QCoreApplication::processEvents();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        test.settle();
        test.window.workbench().discard();
        for (MainWindow* window : openWindows())
            if (window != &test.window)
                delete window;
    }
    std::cout << "monkey: " << acts << " acts" << std::endl;
    CHECK(acts > 0);
    qunsetenv("BUBBLESCOPE_PROGRAM");
    QSettings().clear();
    applyTheme(ThemeMode::Light);
}
