// The window's tests: real widgets in an application without a display.

#include "tests/support/run_catch.h"

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

int main(int argc, char** argv)
{
    // A display or a person's settings must not change what a test sees.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", "1");
    QStandardPaths::setTestModeEnabled(true);

    int qtArgumentCount = 1; // Catch's arguments are not Qt's
    QApplication application(qtArgumentCount, argv);
    QApplication::setApplicationName("bubblescope-tests");
    QApplication::setOrganizationName("bubblescope-tests");
    const QTemporaryDir settings; // of this process alone: tests run side by side
    qputenv("HOME", settings.path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    return bubblescope::test::runCatch(argc, argv);
}
