#include "viz/document/document_watch.h"

#include <QFileInfo>

#include <sys/stat.h>

namespace bubblescope::viz {
namespace {

constexpr int settleMs = 200;

/// The number of a file on its disk; 0 where there is none.
quint64 fileNumber(const QString& path)
{
    struct stat status {};

    return stat(path.toLocal8Bit().constData(), &status) == 0 ? status.st_ino : 0;
}

} // namespace

DocumentWatch::DocumentWatch(QObject* parent) : QObject(parent)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(settleMs);
    connect(&m_soon, &QTimer::timeout, this, &DocumentWatch::look);
    const auto soon = [this] { m_soon.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, soon);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, soon);
}

void DocumentWatch::watch(const QString& path)
{
    if (const QStringList all = m_watcher.files() + m_watcher.directories(); !all.isEmpty())
        m_watcher.removePaths(all);
    m_soon.stop();
    m_path = path;
    if (path.isEmpty())
        return;
    m_file = fileNumber(path);
    watchAgain();
}

void DocumentWatch::watchAgain()
{
    // A file that was replaced is watched no more; its folder says when one of the name is back.
    const QStringList wanted{m_path, QFileInfo(m_path).absolutePath()};
    for (const QString& path : wanted)
        if (QFileInfo::exists(path) && !m_watcher.files().contains(path) && !m_watcher.directories().contains(path))
            m_watcher.addPath(path);
}

void DocumentWatch::look()
{
    const quint64 before = std::exchange(m_file, fileNumber(m_path));
    watchAgain();
    if (m_file == 0) {
        if (before != 0)
            Q_EMIT gone();
    } else if (before == 0) {
        Q_EMIT back();
    } else if (before != m_file) {
        Q_EMIT replaced();
    } else {
        Q_EMIT changed();
    }
}

} // namespace bubblescope::viz
