// By how much the numbers of tasks count on from one step to the next (ir.md 1 "Numbering").
//
//     0F3, 4 microbatches a step        0F7 in the next step
//     0U0, one update a step            0U1
//     3b2, a broadcast per microbatch   3b6

#pragma once

#include "core/schedule/schedule.h"

#include <map>
#include <tuple>

namespace bubblescope {

class Ordinals {
public:
    explicit Ordinals(const Schedule& schedule);

    /// Numbers that one step takes: its microbatches, or the tasks of this work for this stage and pipe.
    int perStep(const Task& task) const;

private:
    std::vector<int> m_microbatches; ///< per step, by pipe
    std::map<std::tuple<Work, Pipe, Stage>, int> m_others;
};

} // namespace bubblescope
