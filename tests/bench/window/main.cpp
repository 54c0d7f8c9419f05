// Measures the window; see window_bench.cpp and opening_bench.cpp.
//
//     bubblescope_ui_bench [millions of spans, 10] [timeline | schedule | stacked | opening]

#include "tests/bench/window/window_bench.h"
#include "viz/theme/theme.h"

#include <QApplication>

#include <cstdlib>
#include <string>

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    bubblescope::viz::applyTheme(bubblescope::viz::ThemeMode::Light);
    const long millions = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 10;
    const std::size_t spans = static_cast<std::size_t>(millions > 0 ? millions : 10) * 1'000'000;
    const std::string section = argc > 2 ? argv[2] : "";
    if (section.empty() || section == "timeline")
        bubblescope::bench::benchTimeline(spans);
    if (section.empty() || section == "schedule")
        bubblescope::bench::benchSchedule(spans);
    if (section.empty() || section == "stacked")
        bubblescope::bench::benchStacked(spans);
    if (section.empty() || section == "opening") {
        bubblescope::bench::benchOpening(spans / 5);
        bubblescope::bench::benchOpening(spans);
    }
    return 0;
}
