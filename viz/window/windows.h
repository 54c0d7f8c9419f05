// The windows of this program: one document each, one process for all.

#pragma once

#include <QStringList>

#include <vector>

namespace bubblescope::viz {

class MainWindow;

std::vector<MainWindow*> openWindows();

/// One more, with the layout of the last time; it deletes itself when it is closed.
MainWindow* newWindow();

/// The window that shows a document; null when none does.
MainWindow* windowShowing(const QString& path);

/// Opens each document in a window of its own: `first` takes one where it holds nothing that would be lost, and a
/// document that is open already comes to the front. "FILE.bscope:RUN" shows that run.
void openInWindows(MainWindow& first, const QStringList& addresses);

} // namespace bubblescope::viz
