#include "core/execute/replicas.h"

#include "core/execute/gradient_norm.h"
#include "core/execute/streamed_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace bubblescope {

bool holdsStage(const Task& task, const Lane& lane)
{
    return onGrid(task.work) || (task.work == Work::Update && lane.kind == LaneKind::Compute);
}

bool isMaster(const Task& task, const Lane& lane)
{
    return task.work == Work::Update && lane.kind == LaneKind::Host;
}

std::vector<Home> homesOf(const Schedule& schedule)
{
    std::set<Home> homes;
    const bool streamed = streamsWeights(schedule);
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (const Task& task = schedule.tasks[id];
                (streamed ? isMaster(task, lane) : holdsStage(task, lane)) && task.stage < schedule.shape.stages)
                homes.insert({task.stage, task.pipe, lane.device});
    return {homes.begin(), homes.end()};
}

Replicas::Replicas(const Schedule& schedule)
    : m_homes(homesOf(schedule))
    , m_modules(m_homes.size(), nullptr)
    , m_byTasks(static_cast<std::size_t>(schedule.shape.allStages()), false)
    , m_rule(schedule.semantics.replicas)
{
    for (const Task& task : schedule.tasks)
        if (task.work == Work::AllReduce)
            m_byTasks[task.stage] = true;
}

std::size_t Replicas::find(const Home& home) const
{
    const auto found = std::lower_bound(m_homes.begin(), m_homes.end(), home);
    return found == m_homes.end() || home < *found ? nowhere : static_cast<std::size_t>(found - m_homes.begin());
}

bool Replicas::summed(std::size_t home) const
{
    const auto [begin, end] = family(home);
    return m_rule != Semantics::Replicas::None && end - begin > 1;
}

void Replicas::sumShare(std::size_t home) const
{
    const auto [begin, end] = family(home);
    const auto [from, to] = share(home);
    const float weight =
        m_rule == Semantics::Replicas::AveragePerUpdate ? 1.0F / static_cast<float>(end - begin) : 1.0F;
    std::vector<float*> gradients;
    for (std::size_t other = begin; other < end; ++other)
        gradients.push_back(m_modules[other]->gradientBuffer().floats());
    for (std::size_t i = from; i < to; ++i) {
        float sum = 0;
        for (const float* gradient : gradients)
            sum += gradient[i];
        for (float* gradient : gradients)
            gradient[i] = sum * weight;
    }
}

double Replicas::squaresOfShare(std::size_t home) const
{
    const auto [from, to] = share(home);
    return sumOfSquares(m_modules[home]->gradientBuffer(), from, to);
}

std::string Replicas::difference(Buffer& (StageModule::*buffer)()) const
{
    for (std::size_t home = 0; home < m_homes.size(); ++home) {
        const std::size_t first = family(home).first;
        const Buffer& mine = (m_modules[home]->*buffer)();
        const Buffer& theirs = (m_modules[first]->*buffer)();
        if (mine.size() != theirs.size() ||
            (mine.size() > 0 && std::memcmp(mine.bytes(), theirs.bytes(), mine.size()) != 0))
            return fmt::format("stage {} isn't the same on devices {} and {}", m_homes[home].stage.value,
                               m_homes[first].device.value, m_homes[home].device.value);
    }
    return "";
}

std::pair<std::size_t, std::size_t> Replicas::family(std::size_t home) const
{
    const auto [begin, end] = std::equal_range(m_homes.begin(), m_homes.end(), m_homes[home],
                                               [](const Home& a, const Home& b) { return a.stage < b.stage; });
    return {static_cast<std::size_t>(begin - m_homes.begin()), static_cast<std::size_t>(end - m_homes.begin())};
}

std::pair<std::size_t, std::size_t> Replicas::share(std::size_t home) const
{
    const auto [begin, end] = family(home);
    const std::size_t count = m_modules[home]->gradientBuffer().size() / sizeof(float);
    return {count * (home - begin) / (end - begin), count * (home - begin + 1) / (end - begin)};
}

} // namespace bubblescope
