// Who holds which stage, and how several holders of one stage stay alike.
//
//     homes, sorted:  stage 0: (pipe 0, device 0) (pipe 1, device 3)   stage 1: (pipe 0, device 1) (pipe 1, device 2) …
//
// Before an update the gradients of a stage's homes are summed, always in the order of this list, so
// every home ends with the same bits. Each home adds up its own share of the numbers for all of them:
// the shares don't overlap, so the homes work beside each other once all of them have come.

#pragma once

#include "core/execute/stage_module.h"
#include "core/schedule/schedule.h"

#include <string>
#include <vector>

namespace bubblescope {

/// A copy of a stage's weights.
struct Home {
    Stage stage{};
    Pipe pipe{};
    Device device{};

    friend bool operator<(const Home& a, const Home& b)
    {
        if (a.stage != b.stage)
            return a.stage < b.stage;
        return a.pipe != b.pipe ? a.pipe < b.pipe : a.device < b.device;
    }
};

/// The task needs its stage on the lane's device: it computes, or updates what no microbatch may have visited.
bool holdsStage(const Task& task, const Lane& lane);

/// The task updates a stage whose weights are the host's (streamed_weights.h): that is the stage's home then.
bool isMaster(const Task& task, const Lane& lane);

/// Every (stage, pipe, device) that computes or updates, by stage, then pipe, then device.
std::vector<Home> homesOf(const Schedule& schedule);

class Replicas {
public:
    static constexpr std::size_t nowhere = ~std::size_t{0};

    explicit Replicas(const Schedule& schedule);

    const std::vector<Home>& homes() const { return m_homes; }

    /// Index of a home; `nowhere` when the device doesn't hold the stage.
    std::size_t find(const Home& home) const;

    /// The home's stage has others, and the schedule wants their gradients summed.
    bool summed(std::size_t home) const;

    /// Its gradients are summed by all-reduce tasks; otherwise at the barrier before the updates.
    bool summedByTasks(std::size_t home) const { return m_byTasks[m_homes[home].stage]; }

    /// Each home's worker tells where its stage is, before all meet for the first time.
    void settle(std::size_t home, StageModule& module) { m_modules[home] = &module; }

    /// The home's share of the sum. All homes of the stage have to be there, and none may go on before all are done.
    void sumShare(std::size_t home) const;

    /// Sum of the squares of the home's share of the gradients, which are summed by now. Over all homes of the stage:
    /// each number once.
    double squaresOfShare(std::size_t home) const;

    const StageModule& module(std::size_t home) const { return *m_modules[home]; }

    /// True for the first home of a stage.
    bool leads(std::size_t home) const { return home == 0 || m_homes[home - 1].stage != m_homes[home].stage; }

    /// A sentence for the first replica whose `buffer` differs in a bit from that of its stage's first home; else empty.
    std::string difference(Buffer& (StageModule::*buffer)()) const;

private:
    /// The homes of the same stage: [first, second).
    std::pair<std::size_t, std::size_t> family(std::size_t home) const;

    /// The home's part of the stage's numbers: [first, second).
    std::pair<std::size_t, std::size_t> share(std::size_t home) const;

    std::vector<Home> m_homes;
    std::vector<StageModule*> m_modules; ///< by home
    std::vector<bool> m_byTasks;         ///< by stage
    Semantics::Replicas m_rule;
};

} // namespace bubblescope
