#include "viz/document/recovery.h"

#include "core/base/error.h"

#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace bubblescope::viz {
namespace {

QString rootFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery");
}

/// Null when somebody else has it, or when no file can be made there.
std::unique_ptr<QLockFile> lockOf(const QString& folder)
{
    auto lock = std::make_unique<QLockFile>(folder + QStringLiteral("/lock"));
    lock->setStaleLockTime(0); // a lock is old when its program is gone, not after a time
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

} // namespace

RecoveryFolder::RecoveryFolder(QString path, std::unique_ptr<QLockFile> lock, bool safe)
    : m_path(std::move(path)), m_lock(std::move(lock)), m_safe(safe)
{
}

std::unique_ptr<RecoveryFolder> RecoveryFolder::create()
{
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces);
    for (const bool safe : {true, true, false}) { // twice: somebody who tidies up may be faster than our lock
        const QString path =
            (safe ? rootFolder() : QDir::tempPath() + QStringLiteral("/bubblescope")) + QLatin1Char('/') + name;
        if (!QDir().mkpath(path))
            continue;
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        if (auto lock = lockOf(path))
            return std::unique_ptr<RecoveryFolder>(new RecoveryFolder(path, std::move(lock), safe));
    }
    return std::unique_ptr<RecoveryFolder>(new RecoveryFolder(QDir::tempPath(), nullptr, false));
}

std::unique_ptr<RecoveryFolder> RecoveryFolder::take(const QString& path)
{
    if (!QFile::exists(path))
        return nullptr;
    auto lock = lockOf(path);
    return lock ? std::unique_ptr<RecoveryFolder>(new RecoveryFolder(path, std::move(lock), true)) : nullptr;
}

RecoveryFolder::~RecoveryFolder() = default;

void RecoveryFolder::remove()
{
    if (!m_lock) // it isn't ours
        return;
    // The lock last: nobody may think that somebody died here.
    for (const QString& name : QDir(m_path).entryList(QDir::Files | QDir::Hidden))
        if (name != QLatin1String("lock"))
            QFile::remove(m_path + QLatin1Char('/') + name);
    m_lock->unlock();
    m_lock.reset();
    QDir().rmdir(m_path);
}

void writeUnsavedWork(const QString& draftPath, const UnsavedWork& work)
{
    const std::string text = nlohmann::json{{"document", work.document.toStdString()}, {"draft", work.draft}}.dump();
    QSaveFile file(draftPath);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0 ||
        !file.commit())
        throw Failure(
            fmt::format("{} can't be written: {}.", draftPath.toStdString(), file.errorString().toStdString()));
}

UnsavedWork readUnsavedWork(const QString& draftPath)
{
    QFile file(draftPath);
    if (!file.open(QIODevice::ReadOnly))
        throw Error("{} can't be read.", draftPath.toStdString());
    const auto object = nlohmann::json::parse(file.readAll().toStdString(), nullptr, false);
    if (!object.is_object() || !object.contains("draft") || !object["draft"].is_string())
        throw Error("{} is damaged.", draftPath.toStdString());
    return {QString::fromStdString(object.value("document", std::string())), object["draft"].get<std::string>()};
}

std::vector<LeftWork> leftWork()
{
    std::vector<LeftWork> left;
    const QDir root(rootFolder());
    for (const QString& name : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const auto folder = RecoveryFolder::take(root.filePath(name));
        if (!folder)
            continue;
        LeftWork work{folder->path(), {}, {}};
        const QFileInfo draft(folder->draftPath());
        const QFileInfo document(folder->documentPath());
        if (!draft.exists() && !document.exists()) {
            folder->remove();
            continue;
        }
        work.when = std::max(draft.lastModified(), document.lastModified());
        try {
            if (draft.exists())
                work.document = readUnsavedWork(folder->draftPath()).document;
        } catch (const std::runtime_error&) { // its runs may still be there
        }
        left.push_back(work);
    }
    std::sort(left.begin(), left.end(), [](const LeftWork& a, const LeftWork& b) { return a.when > b.when; });
    return left;
}

} // namespace bubblescope::viz
