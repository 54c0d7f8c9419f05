// Notices what others do to the document's file: written to, replaced, deleted.

#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

namespace bubblescope::viz {

class DocumentWatch : public QObject {
    Q_OBJECT

public:
    explicit DocumentWatch(QObject* parent = nullptr);

    /// Empty: nothing is watched.
    void watch(const QString& path);

Q_SIGNALS:
    void changed();  ///< written to, by us or others: only who knows its content can say
    void replaced(); ///< another file has its name now
    void gone();     ///< deleted, moved, or its disk is away
    void back();     ///< a file of that name is there again

private:
    void look();
    void watchAgain();

    QFileSystemWatcher m_watcher;
    QTimer m_soon; ///< a write is many events
    QString m_path;
    quint64 m_file = 0; ///< which file has the name; 0: none
};

} // namespace bubblescope::viz
