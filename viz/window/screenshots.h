// Pictures of the window in its main states, for the README and for looking at.

#pragma once

#include <QStringList>

namespace bubblescope::viz {

/// Writes one PNG per state into `folder`, and the same without colours into its folder `grey`. With documents, pictures
/// of the window that shows them in place of the states. 0, or 1 when a picture couldn't be written.
int writeScreenshots(const QString& folder, const QStringList& documents = {});

} // namespace bubblescope::viz
