#include "core/trace/writer_lock.h"

#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace bubblescope {
namespace {

/// The lock belongs to the open file, not to the process: two documents of one process exclude each
/// other too, and closing some other descriptor doesn't end it.
struct flock wholeFile()
{
    struct flock lock {};

    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

std::string ownerOf(int file)
{
    std::array<char, 32> text{};
    const ssize_t size = pread(file, text.data(), text.size() - 1, 0);
    return size > 0 ? "process " + std::string(text.data(), static_cast<std::size_t>(size)) : "another process";
}

} // namespace

WriterLock::WriterLock(const std::string& document) : m_document(document), m_path(fileName(document))
{
    // Somebody who only puts a document in order holds it for a moment.
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(700);
    while (!tryTake()) {
        if (std::chrono::steady_clock::now() > until)
            throw Error("{} is being written by {}. Wait until that has finished, or write to another file.", document,
                        holder(document).value_or("another process"));
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const std::string id = std::to_string(getpid());
    if (ftruncate(m_file, 0) != 0 || pwrite(m_file, id.data(), id.size(), 0) < 0) {
        // The id is for a sentence only; the lock holds without it (a full disk, for instance).
    }
}

bool WriterLock::tryTake()
{
    m_file = ::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_file < 0)
        throw Failure(fmt::format("{} can't be written: no file can be made in its folder ({}). Copy it to a folder of "
                                  "yours, or choose another name.",
                                  m_document, std::strerror(errno))); // NOLINT(concurrency-mt-unsafe)
    struct flock lock = wholeFile();

    struct stat mine {};

    struct stat there {};

    // The holder before us may have removed the file between our open and our lock; then ours means nothing.
    if (fcntl(m_file, F_OFD_SETLK, &lock) == 0 && fstat(m_file, &mine) == 0 && stat(m_path.c_str(), &there) == 0 &&
        mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
        return true;
    ::close(m_file);
    m_file = -1;
    return false;
}

WriterLock::~WriterLock()
{
    if (m_file < 0)
        return;
    unlink(m_path.c_str()); // before the lock ends, so that nobody gets a lock on a file without a name
    ::close(m_file);
}

std::optional<std::string> WriterLock::holder(const std::string& document)
{
    const int file = ::open(fileName(document).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    struct flock lock = wholeFile();
    std::optional<std::string> owner;
    if (fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
        owner = ownerOf(file);
    ::close(file);
    return owner;
}

} // namespace bubblescope
