#include "core/schedule/grid.h"

#include <algorithm>
#include <cassert>

namespace bubblescope {

Grid::Grid(const Schedule& schedule)
{
    const Shape& shape = schedule.shape;
    m_stages = static_cast<std::uint32_t>(shape.allStages());
    m_rule.m_slices = static_cast<std::uint32_t>(std::max(1, shape.slices));
    m_rule.m_pathStages = shape.stages;
    bool weight = false;
    for (const Task& task : schedule.tasks) {
        weight = weight || task.work == Work::WeightGradient;
        m_rule.m_recompute = m_rule.m_recompute || task.work == Work::Recompute;
        m_split = m_split || task.work == Work::InputGradient;
    }
    m_rule.m_works = m_rule.m_recompute ? 4 : weight ? 3 : 2;
    m_rule.m_stageStep = m_rule.m_slices * m_rule.m_works;
    m_rule.m_row = m_stages * m_rule.m_stageStep;
    m_optional = m_rule.m_recompute || m_rule.m_slices > 1 || !schedule.paths.empty();
    std::uint32_t rows = 0;
    std::uint32_t pathBegin = 0;
    for (const int perStep : shape.microbatches) {
        m_pipeBegin.push_back(rows);
        m_perStep.push_back(static_cast<std::uint32_t>(perStep));
        m_pathBegin.push_back(pathBegin);
        rows += static_cast<std::uint32_t>(perStep * shape.steps);
        pathBegin += static_cast<std::uint32_t>(perStep);
    }
    m_pipeBegin.push_back(rows);
    m_rule.m_pipeBegin = m_pipeBegin.data();
    m_slots = rows * m_rule.m_row;
    for (const std::vector<Stage>& path : schedule.paths) {
        std::vector<std::int32_t> neighbours(std::size_t{2} * m_stages, -1);
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
            neighbours[std::size_t{2} * path[i + 1]] = path[i];
            neighbours[std::size_t{2} * path[i] + 1] = path[i + 1];
        }
        m_paths.push_back(std::move(neighbours));
    }
    m_pathOfMicrobatch = schedule.pathOfMicrobatch;
    assert(m_paths.empty() || m_pathOfMicrobatch.size() == pathBegin);
    m_rule.m_paths = m_paths.empty() ? nullptr : this;
}

int GridRule::neighbourOnPath(const Task& task, int direction) const
{
    const Grid& grid = *m_paths;
    const std::uint32_t ofStep = static_cast<std::uint32_t>(task.microbatch) % grid.m_perStep[task.pipe];
    const auto& neighbours = grid.m_paths[grid.m_pathOfMicrobatch[grid.m_pathBegin[task.pipe] + ofStep]];
    return neighbours[2U * task.stage + (direction > 0 ? 1U : 0U)];
}

Task Grid::taskAt(std::uint32_t slot) const
{
    Task task;
    const std::uint32_t work = slot % m_rule.m_works;
    slot /= m_rule.m_works;
    task.slice = Slice(slot % m_rule.m_slices);
    slot /= m_rule.m_slices;
    task.stage = Stage(slot % m_stages);
    slot /= m_stages;
    const auto after = std::upper_bound(m_pipeBegin.begin(), m_pipeBegin.end(), slot);
    task.pipe = Pipe(after - m_pipeBegin.begin() - 1);
    task.microbatch = Microbatch(slot - m_pipeBegin[task.pipe]);
    const Work backward = m_split ? Work::InputGradient : Work::Backward;
    const Work works[] = {Work::Forward, backward, Work::WeightGradient, Work::Recompute};
    task.work = works[work];
    return task;
}

} // namespace bubblescope
