// States of the window that pictures are taken of; each part of the window lists its own.

#pragma once

#include <QString>

#include <functional>
#include <vector>

namespace bubblescope::viz {

class MainWindow;

struct ScreenshotState {
    QString name;
    bool dark;
    std::function<void(MainWindow&)> arrange;
    QString language = QStringLiteral("en");
};

/// Lanes, arrows, search, ranges, notes, palette, help, eight runs.
std::vector<ScreenshotState> timelineStates();

} // namespace bubblescope::viz
