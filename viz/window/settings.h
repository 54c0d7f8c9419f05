// What is remembered between two starts: recent files, theme, window layout.

#pragma once

#include "viz/theme/theme.h"

#include <QByteArray>
#include <QStringList>

namespace bubblescope::viz::settings {

inline constexpr int mostRecent = 10;

QStringList recentFiles();

/// Puts a file in front; files that are gone are left out.
void addRecentFile(const QString& path);

ThemeMode themeMode();
void setThemeMode(ThemeMode mode);

QByteArray layout(const char* part);
void setLayout(const char* part, const QByteArray& state);

} // namespace bubblescope::viz::settings
