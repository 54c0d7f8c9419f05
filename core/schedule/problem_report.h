// Collects the problems of a schedule, and the parts of validate() that fill it.

#pragma once

#include "core/schedule/task_index.h"
#include "core/schedule/validate.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

namespace bubblescope {

/// Stops writing sentences of a kind after the first twenty and counts on.
class ProblemReport {
public:
    template <class... Args>
    void add(Problem::Kind kind, std::vector<TaskId> tasks, std::vector<Device> devices,
             fmt::format_string<Args...> format, Args&&... args)
    {
        if (counts(kind))
            m_problems.push_back({kind,
                                  Problem::Severity::Error,
                                  fmt::format(format, std::forward<Args>(args)...),
                                  std::move(tasks),
                                  std::move(devices),
                                  {},
                                  {}});
    }

    void add(Problem problem)
    {
        if (counts(problem.kind))
            m_problems.push_back(std::move(problem));
    }

    bool has(Problem::Kind kind) const { return m_count[static_cast<std::size_t>(kind)] > 0; }

    bool empty() const { return m_problems.empty(); }

    /// All problems; for each kind that has more, one that says how many.
    std::vector<Problem> take();

private:
    bool counts(Problem::Kind kind) { return ++m_count[static_cast<std::size_t>(kind)] <= Problem::mostSentences; }

    std::vector<Problem> m_problems;
    std::array<std::size_t, Problem::kinds> m_count{};
};

/// Missing and repeated tasks, tasks outside the sizes, off their path or away from their stage's home.
void checkTasks(const Schedule& schedule, const TaskIndex& index, ProblemReport& report);

/// Units, groups and edges. When it finds something, findStuck() must not be called.
void checkTies(const Schedule& schedule, const TaskIndex& index, ProblemReport& report);

/// The semantics: which versions are read, how many live, how old gradients are.
void checkVersions(const Schedule& schedule, const TaskIndex& index, ProblemReport& report);

} // namespace bubblescope
