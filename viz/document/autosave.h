// Keeps what is edited and not saved yet on disk, so that a crash at any moment loses next to nothing.
//
//     an edit ──► on disk at once, off this thread; while edits go on (a drag), again after each interval
//     saved, or undone to what was saved ──► nothing is kept

#pragma once

#include "viz/document/recovery.h"

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>

#include <optional>

namespace bubblescope::viz {

class Autosave : public QObject {
    Q_OBJECT

public:
    explicit Autosave(QObject* parent = nullptr);
    ~Autosave() override;

    /// Where; the last order for another place is forgotten.
    void setFolder(const QString& folder);

    void setInterval(int milliseconds) { m_timer.setInterval(milliseconds); }

    /// Nothing is to be kept when there is no work.
    void keep(std::optional<UnsavedWork> work);

    /// True until what was asked for last is on disk.
    bool pending() const { return m_dirty || m_writer.isRunning(); }

    /// Forgets what waits, and waits for what is being written: nobody writes into the folder afterwards.
    void stop();

Q_SIGNALS:
    /// It couldn't be written; said once until it works again.
    void failed(const QString& sentence);

private:
    void write();
    void onWritten();

    bool due() const { return m_dirty && !m_writer.isRunning() && (!m_work || !m_timer.isActive()); }

    QString m_path;
    std::optional<UnsavedWork> m_work;
    bool m_dirty = false;
    bool m_complained = false;
    QTimer m_timer; ///< runs while another edit would be too soon
    QFutureWatcher<QString> m_writer;
};

} // namespace bubblescope::viz
