// The versions of one stage's weights on one device (ir.md 1 "Semantics").
//
//     PipeDream, stage p−2:  F0 F1 B0 U0 F2 B1 U1 …       at U0 version 0 is still to be read by B1: a copy of it is
//                            0  0  0  →1 1  0  →2         set aside, B1 puts it back, and its last reader frees it
//
// The module always computes with what lies in its own buffer; the store puts the version that a task
// reads there by exchanging handles. So models know nothing of versions, and only an update whose
// predecessor is still needed copies anything. Which task reads which version follows from the order
// and is worked out before the run (core/schedule/versions.h).

#pragma once

#include "core/execute/stage_module.h"
#include "core/schedule/schedule.h"

#include <map>
#include <vector>

namespace bubblescope {

class WeightStore {
public:
    /// `readers`: by version, how many tasks will compute with it. `module` and `arena` must outlive the store.
    WeightStore(StageModule& module, Arena& arena, std::vector<int> readers, Semantics::Prediction prediction);

    /// Puts a version into the module, until release() as it is expected to be after `ahead` more updates.
    void use(int version, int ahead = 0);

    /// The task that used the version has ended.
    void release(int version);

    /// Before U: the newest version goes into the module, and a copy aside when somebody will still read it.
    void beginUpdate();

    /// After U: the module holds the next version.
    void endUpdate() { m_inside = ++m_newest; }

    int newest() const { return m_newest; }

private:
    void predict(int ahead);

    StageModule& m_module;
    Arena& m_arena;
    std::vector<int> m_readers; ///< by version: tasks that will still read it
    Semantics::Prediction m_prediction;
    int m_newest = 0;
    int m_inside = 0;              ///< the version in the module
    std::map<int, Buffer> m_aside; ///< the others
    Buffer m_before;               ///< the version before the newest, for predictions from the last change
    Buffer m_true;                 ///< what a prediction stands in for
};

} // namespace bubblescope
