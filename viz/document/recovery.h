// Where work that isn't saved survives a crash: a folder for each window, with a lock that ends with the program.
//
//     AppDataLocation/recovery/<id>/  lock             held while the window lives
//                                     untitled.bscope  runs of an experiment that has no file yet
//                                     draft.json       what is being edited, and in which document
//
// A folder whose lock nobody holds was left by a program that died. Who takes its lock may recover it.

#pragma once

#include <QDateTime>
#include <QString>

#include <memory>
#include <vector>

class QLockFile;

namespace bubblescope::viz {

/// What draft.json says.
struct UnsavedWork {
    QString document;  ///< path of the document that is edited; empty: it has no file yet
    std::string draft; ///< as of draftToJson(); empty: only runs are there
};

class RecoveryFolder {
public:
    /// A new one, locked. Never fails: where the place for it can't be written it is a temporary one,
    /// and `safe()` is false.
    static std::unique_ptr<RecoveryFolder> create();

    /// One that was left; null when another program or window has it.
    static std::unique_ptr<RecoveryFolder> take(const QString& path);

    /// Ends the lock. The files stay.
    ~RecoveryFolder();
    RecoveryFolder(const RecoveryFolder&) = delete;
    RecoveryFolder& operator=(const RecoveryFolder&) = delete;

    const QString& path() const { return m_path; }

    QString documentPath() const { return m_path + QStringLiteral("/untitled.bscope"); }

    QString draftPath() const { return draftPathIn(m_path); }

    /// True where the folder survives a restart of the machine.
    bool safe() const { return m_safe; }

    /// Nothing in it is needed any more.
    void remove();

    static QString draftPathIn(const QString& folder) { return folder + QStringLiteral("/draft.json"); }

private:
    RecoveryFolder(QString path, std::unique_ptr<QLockFile> lock, bool safe);

    QString m_path;
    std::unique_ptr<QLockFile> m_lock;
    bool m_safe = true;
};

/// Writes all or nothing. Throws Failure when it can't. Any thread.
void writeUnsavedWork(const QString& draftPath, const UnsavedWork& work);

/// Throws Error for a file that can't be read.
UnsavedWork readUnsavedWork(const QString& draftPath);

struct LeftWork {
    QString folder;
    QString document; ///< see UnsavedWork
    QDateTime when;
};

/// What programs that died have left, newest first. Empty folders among it are removed.
std::vector<LeftWork> leftWork();

} // namespace bubblescope::viz
