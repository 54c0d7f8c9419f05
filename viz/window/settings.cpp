#include "viz/window/settings.h"

#include <QFileInfo>
#include <QSettings>

namespace bubblescope::viz::settings {

QStringList recentFiles()
{
    return QSettings().value(QStringLiteral("recentFiles")).toStringList();
}

void addRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    files.erase(
        std::remove_if(files.begin(), files.end(), [](const QString& file) { return !QFileInfo::exists(file); }),
        files.end());
    QSettings().setValue(QStringLiteral("recentFiles"), files.mid(0, mostRecent));
}

ThemeMode themeMode()
{
    return static_cast<ThemeMode>(std::clamp(QSettings().value(QStringLiteral("theme"), 0).toInt(), 0, 2));
}

void setThemeMode(ThemeMode mode)
{
    QSettings().setValue(QStringLiteral("theme"), static_cast<int>(mode));
}

QString language()
{
    return QSettings().value(QStringLiteral("language")).toString();
}

void setLanguage(const QString& code)
{
    QSettings().setValue(QStringLiteral("language"), code);
}

bool wheelZooms()
{
    return QSettings().value(QStringLiteral("view/wheelZooms"), 0).toInt() != 0;
}

void setWheelZooms(bool zooms)
{
    QSettings().setValue(QStringLiteral("view/wheelZooms"), zooms ? 1 : 0);
}

int autosaveSeconds()
{
    return std::clamp(QSettings().value(QStringLiteral("autosaveSeconds"), 2).toInt(), 1, mostAutosaveSeconds);
}

void setAutosaveSeconds(int seconds)
{
    QSettings().setValue(QStringLiteral("autosaveSeconds"), seconds);
}

QString backend()
{
    return QSettings().value(QStringLiteral("backend"), QStringLiteral("cpu")).toString();
}

void setBackend(const QString& name)
{
    QSettings().setValue(QStringLiteral("backend"), name);
}

int steps()
{
    return std::clamp(QSettings().value(QStringLiteral("steps"), 3).toInt(), 1, mostSteps);
}

void setSteps(int count)
{
    QSettings().setValue(QStringLiteral("steps"), count);
}

bool shown(const QString& what, bool otherwise)
{
    return QSettings().value(QStringLiteral("shown/") + what, otherwise).toBool();
}

void setShown(const QString& what, bool isShown)
{
    QSettings().setValue(QStringLiteral("shown/") + what, isShown);
}

QByteArray layout(const char* part)
{
    return QSettings().value(QStringLiteral("layout/") + QLatin1String(part)).toByteArray();
}

void setLayout(const char* part, const QByteArray& state)
{
    QSettings().setValue(QStringLiteral("layout/") + QLatin1String(part), state);
}

int number(const char* name, int fallback)
{
    return QSettings().value(QStringLiteral("view/") + QLatin1String(name), fallback).toInt();
}

void setNumber(const char* name, int value)
{
    QSettings().setValue(QStringLiteral("view/") + QLatin1String(name), value);
}

} // namespace bubblescope::viz::settings
