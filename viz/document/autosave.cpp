#include "viz/document/autosave.h"

#include "viz/document/background.h"

#include <QFile>

namespace bubblescope::viz {
namespace {

constexpr int firstIntervalMs = 2000;

/// Empty, or what went wrong.
QString toDisk(const QString& path, const std::optional<UnsavedWork>& work)
{
    return sentenced([&] {
               if (work)
                   writeUnsavedWork(path, *work);
               else
                   QFile::remove(path);
               return true;
           })
        .error;
}

} // namespace

Autosave::Autosave(QObject* parent) : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(firstIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (due())
            write();
    });
    connect(&m_writer, &QFutureWatcherBase::finished, this, &Autosave::onWritten);
}

Autosave::~Autosave()
{
    m_writer.waitForFinished();
}

void Autosave::setFolder(const QString& folder)
{
    stop();
    m_path = RecoveryFolder::draftPathIn(folder);
    m_work.reset();
}

void Autosave::keep(std::optional<UnsavedWork> work)
{
    if (!work && !m_work)
        return;
    m_work = std::move(work);
    m_dirty = true;
    if (due())
        write();
}

void Autosave::stop()
{
    m_dirty = false;
    m_timer.stop();
    m_writer.waitForFinished();
}

void Autosave::write()
{
    m_dirty = false;
    m_timer.start();
    m_writer.setFuture(QtConcurrent::run(&toDisk, m_path, m_work));
}

void Autosave::onWritten()
{
    const QString error = m_writer.result();
    const bool complained = std::exchange(m_complained, !error.isEmpty());
    if (!error.isEmpty() && !complained)
        Q_EMIT failed(error);
    if (due())
        write();
}

} // namespace bubblescope::viz
