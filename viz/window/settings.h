// What is remembered between two starts: recent files, looks and habits, window layout.

#pragma once

#include "viz/theme/theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace bubblescope::viz::settings {

inline constexpr int mostRecent = 10;
inline constexpr int mostAutosaveSeconds = 300;
inline constexpr int mostSteps = 10'000;

QStringList recentFiles();

/// Puts a file in front; files that are gone are left out.
void addRecentFile(const QString& path);

ThemeMode themeMode();
void setThemeMode(ThemeMode mode);

/// Code of the language; empty: that of the system.
QString language();
void setLanguage(const QString& code);

/// True: the wheel zooms the timelines, and with Ctrl it scrolls. False: the other way round.
bool wheelZooms();
void setWheelZooms(bool zooms);

/// Seconds between two writes of what isn't saved yet.
int autosaveSeconds();
void setAutosaveSeconds(int seconds);

/// What a new window proposes for executions.
QString backend();
void setBackend(const QString& name);
int steps();
void setSteps(int count);

QByteArray layout(const char* part);
void setLayout(const char* part, const QByteArray& state);

/// A switch of the View menu, by name.
bool shown(const QString& what, bool otherwise);
void setShown(const QString& what, bool isShown);

/// A choice of the View menu; `fallback` when it was never made.
int number(const char* name, int fallback);
void setNumber(const char* name, int value);

} // namespace bubblescope::viz::settings
