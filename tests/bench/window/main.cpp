// Measures the window; see window_bench.cpp.

#include "tests/bench/window/window_bench.h"
#include "viz/theme/theme.h"

#include <QApplication>

#include <cstdlib>

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    bubblescope::viz::applyTheme(bubblescope::viz::ThemeMode::Light);
    const long millions = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 10;
    bubblescope::bench::benchTimeline(static_cast<std::size_t>(millions > 0 ? millions : 10) * 1'000'000);
    return 0;
}
