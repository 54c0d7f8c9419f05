// Small traces, folders that vanish, and a child process, for the tests of the document.

#pragma once

#include "core/trace/trace.h"

#include <functional>
#include <string>
#include <sys/types.h>

namespace bubblescope::test {

/// A folder of its own, removed with everything in it.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string operator/(const std::string& name) const { return m_path + "/" + name; }

    const std::string& path() const { return m_path; }

    std::string names() const; ///< files in it, sorted, separated by blanks

private:
    std::string m_path;
};

/// `spans` forwards of 1 ms, one after another on each of `lanes` devices.
Trace plainTrace(int lanes, int spans);

/// A bit of everything: joined and zero-length tasks, slices, pipes, names, measurements, counters, links.
Trace richTrace();

/// Every part of a trace as text, to compare whole traces.
std::string toText(const Trace& trace);

/// Runs `work` in a child process, which then exits without any destructor or test report.
class Child {
public:
    /// `work` may report to the parent by writing to the descriptor that it gets.
    explicit Child(const std::function<void(int reportTo)>& work);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    int reports() const { return m_read; } ///< the descriptor to read from

    bool wait(); ///< until it ends; true when it ended well
    void kill(); ///< at once, and waits for its end

private:
    pid_t m_id = -1;
    int m_read = -1;
};

} // namespace bubblescope::test
