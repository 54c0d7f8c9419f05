#include "core/trace/whole_file.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace bubblescope {
namespace {

[[noreturn]] void failToWrite(const std::string& path, int reason)
{
    const char* next = reason == ENOSPC   ? "Make room, or write to another disk."
                       : reason == ENOENT ? "Is there such a folder?"
                                          : "Check that you may write there, or choose another folder.";
    throw Failure(
        fmt::format("{} can't be written: {}. {}", path, std::strerror(reason), next)); // NOLINT(concurrency-mt-unsafe)
}

} // namespace

void writeWholeFile(const std::string& path, const std::function<void(std::ostream&)>& write)
{
    std::error_code problem;
    if (std::filesystem::is_directory(path, problem))
        throw Failure(fmt::format("{} is a folder. Choose a file name in it.", path));
    // A pipe or a device can't be replaced and has nothing to lose.
    const bool special = std::filesystem::exists(path, problem) && !std::filesystem::is_regular_file(path, problem);
    const std::string target = special ? path : fmt::format("{}.part-{}", path, getpid());
    try {
        errno = 0;
        std::ofstream out(target, std::ios::binary | std::ios::trunc);
        if (!out)
            failToWrite(path, errno);
        write(out);
        errno = 0;
        out.close();
        if (!out)
            failToWrite(path, errno != 0 ? errno : ENOSPC);
        if (!special)
            std::filesystem::rename(target, path, problem);
        if (problem)
            failToWrite(path, problem.value());
    } catch (...) {
        if (!special)
            std::filesystem::remove(target, problem);
        throw;
    }
}

} // namespace bubblescope
