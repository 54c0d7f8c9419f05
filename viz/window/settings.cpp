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

QByteArray layout(const char* part)
{
    return QSettings().value(QStringLiteral("layout/") + QLatin1String(part)).toByteArray();
}

void setLayout(const char* part, const QByteArray& state)
{
    QSettings().setValue(QStringLiteral("layout/") + QLatin1String(part), state);
}

} // namespace bubblescope::viz::settings
