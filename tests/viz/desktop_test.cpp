// Desktop manners: settings, languages, what is remembered, printing, file types.

#include "tests/viz/support.h"
#include "viz/window/language.h"
#include "viz/window/settings.h"
#include "viz/window/settings_dialog.h"
#include "viz/window/windows.h"

#include <QComboBox>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSpinBox>
#include <QSplitter>
#include <QTimer>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

QAction* action(const MainWindow& window, const QString& text)
{
    for (auto* candidate : window.findChildren<QAction*>())
        if (candidate->text().remove(QLatin1Char('&')).contains(text))
            return candidate;
    return nullptr;
}

/// Lets a test work in the dialog that opens next.
template <class Work>
void inDialog(Work work)
{
    QTimer::singleShot(50, [work] {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<SettingsDialog*>(widget))
                work(*dialog);
    });
}

void choose(SettingsDialog& dialog, const char* field, const QVariant& value)
{
    auto* box = dialog.findChild<QComboBox*>(QLatin1String(field));
    REQUIRE(box != nullptr);
    REQUIRE(box->findData(value) >= 0);
    box->setCurrentIndex(box->findData(value));
}

QStringList menuTitles(const MainWindow& window)
{
    QStringList titles;
    for (const QAction* menu : window.menuBar()->actions())
        titles << menu->text().remove(QLatin1Char('&'));
    return titles;
}

} // namespace

TEST_CASE("settings are kept, and windows follow them", "[viz][desktop]")
{
    QSettings().clear();
    test::TestWindow test;
    inDialog([](SettingsDialog& dialog) {
        choose(dialog, "theme", static_cast<int>(ThemeMode::Dark));
        choose(dialog, "wheel", true);
        choose(dialog, "backend", QStringLiteral("paced"));
        dialog.findChild<QSpinBox*>(QStringLiteral("steps"))->setValue(7);
        dialog.findChild<QSpinBox*>(QStringLiteral("autosave"))->setValue(30);
        QTest::keyClick(&dialog, Qt::Key_Return);
    });
    action(test.window, QStringLiteral("Settings"))->trigger();
    CHECK(currentTheme().dark);
    CHECK(settings::wheelZooms());
    CHECK(settings::autosaveSeconds() == 30);
    test::TestWindow next;
    next.window.restore();
    CHECK(settings::backend() == "paced");
    CHECK(settings::steps() == 7);
    CHECK(next.window.findChild<QComboBox*>(QStringLiteral("backend"))->currentData() == "paced");
    CHECK(next.window.findChild<QSpinBox*>(QStringLiteral("steps"))->value() == 7);
    QSettings().clear();
    applyTheme(ThemeMode::Light);
}

TEST_CASE("settings that are cancelled change nothing", "[viz][desktop]")
{
    QSettings().clear();
    test::TestWindow test;
    inDialog([](SettingsDialog& dialog) {
        choose(dialog, "wheel", true);
        QTest::keyClick(&dialog, Qt::Key_Escape);
    });
    action(test.window, QStringLiteral("Settings"))->trigger();
    CHECK_FALSE(settings::wheelZooms());
}

TEST_CASE("a new window speaks German when that is chosen", "[viz][desktop]")
{
    if (languages().size() < 3) {
        WARN("SKIPPED: built without translations");
        return;
    }
    QSettings().clear();
    test::TestWindow english;
    REQUIRE(menuTitles(english.window).contains(QStringLiteral("File")));
    inDialog([](SettingsDialog& dialog) {
        choose(dialog, "language", QStringLiteral("de"));
        QTest::keyClick(&dialog, Qt::Key_Return);
    });
    action(english.window, QStringLiteral("Settings"))->trigger();
    CHECK_FALSE(english.window.messages().sentence().isEmpty()); // says when it counts
    {
        test::TestWindow german;
        CHECK(menuTitles(german.window).contains(QStringLiteral("Datei")));
        CHECK(menuTitles(german.window).contains(QStringLiteral("Bearbeiten")));
        CHECK(action(german.window, QStringLiteral("Neues Fenster")) != nullptr);
    }
    useLanguage(QStringLiteral("en"));
    test::TestWindow again;
    CHECK(menuTitles(again.window).contains(QStringLiteral("File")));
    QSettings().clear();
}

TEST_CASE("a window comes back as it was left", "[viz][desktop]")
{
    QSettings().clear();
    QList<int> sizes;
    {
        test::TestWindow test;
        auto* columns = test.window.findChild<QSplitter*>(QStringLiteral("columns"));
        columns->setSizes({400, 700, 200});
        test.window.panels().setCurrentIndex(1);
        test.window.findChild<QAction*>(QStringLiteral("allLanes"))->setChecked(true);
        test.settle();
        sizes = columns->sizes();
        test.window.resize(1111, 777);
        test.settle();
        sizes = columns->sizes();
        test.window.close();
    }
    test::TestWindow test;
    test.window.restore();
    test.settle();
    CHECK(test.window.size() == QSize(1111, 777));
    CHECK(test.window.findChild<QSplitter*>(QStringLiteral("columns"))->sizes() == sizes);
    CHECK(test.window.panels().currentIndex() == 1);
    CHECK(test.window.findChild<QAction*>(QStringLiteral("allLanes"))->isChecked());
    QSettings().clear();
}

TEST_CASE("runs are printed on two landscape pages", "[viz][desktop]")
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("printed.pdf"));
    test::TestWindow test;
    test.window.printPdf(path);
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QString content = QString::fromLatin1(file.readAll());
    CHECK(content.startsWith(QStringLiteral("%PDF")));
    CHECK(content.count(QRegularExpression(QStringLiteral("/Type\\s*/Page\\b"))) == 2);
    const auto box = QRegularExpression(QStringLiteral("/MediaBox\\s*\\[\\s*0 0 ([\\d.]+) ([\\d.]+)")).match(content);
    REQUIRE(box.hasMatch());
    CHECK(box.captured(1).toDouble() > box.captured(2).toDouble());
    if (const QString kept = qEnvironmentVariable("BUBBLESCOPE_KEEP_PICTURES"); !kept.isEmpty())
        QFile::copy(path, kept + QStringLiteral("/printed.pdf"));
    test.window.printPdf(QStringLiteral("/nowhere/printed.pdf"));
    CHECK(test.window.messages().sentence().contains(QLatin1String("can't be written")));
}
