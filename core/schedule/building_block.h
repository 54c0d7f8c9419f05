// Building blocks: a schedule from where the passes of one microbatch stand.
//
//     slot        0  1  2  3  4  5  6  7  8  9 10 …      p=2 as a V: device 0 holds stages 0 and 3
//     device 0   0F       3F 3I       0I                 the block: one slot per pass
//     device 1      1F 2F       2I 1I                    period 6: microbatch k stands 6k slots later
//
// repeat (the constructor), then fill W into what stayed free, squeeze, and reorder warm-up and drain;
// microbatches past the last one are left out. Two passes of a device must not share a slot modulo the
// period. Only the order of each device leaves this file: times come from the simulator.
//
// Qi et al. 2024, Pipeline Parallelism with Controllable Memory (arXiv 2405.15362), sections 2 and 3.

#pragma once

#include "core/schedule/schedule.h"

#include <string>
#include <vector>

namespace bubblescope {

/// The passes of one block. A microbatch makes 2S passes, numbered on its way: F of stage 0 … S−1, then the
/// backward of stage S−1 … 0.
struct BuildingBlock {
    int devices = 1;
    std::vector<Device> homes;    ///< of each stage
    int period = 6;               ///< slots from one block to the next
    int microbatches = 1;         ///< of one block
    bool splitsBackward = true;   ///< I takes one slot and W another; otherwise B takes two
    std::vector<int> slots;       ///< of pass c of microbatch j: entry c × microbatches + j
    std::vector<int> weightSlots; ///< of W of stage s of microbatch j, likewise; empty: W go where it is free
    int turn = 0; ///< least slots between the last forward and the first backward (exchanges of a sharded head)

    int stages() const { return static_cast<int>(homes.size()); }

    int passes() const { return 2 * stages(); }

    bool forward(int pass) const { return pass < stages(); }

    int stage(int pass) const { return forward(pass) ? pass : passes() - 1 - pass; }

    Device home(int pass) const { return homes[static_cast<std::size_t>(stage(pass))]; }

    int length(int pass) const { return forward(pass) || splitsBackward ? 1 : 2; }

    /// Slots from the start of the pass before to the earliest start of this one.
    int distance(int pass) const { return length(pass - 1) + (pass == stages() ? turn : 0); }
};

/// Stage s of a zigzag (chunks=2: a V): down the devices, up again, and so on.
std::vector<Device> zigzagHomes(int devices, int chunks);

/// Stage s on device s mod p.
std::vector<Device> loopedHomes(int devices, int chunks);

/// Puts every pass into the first slot after its predecessor that is free on its device modulo the period.
/// False where a B finds no two slots side by side.
bool placeTightly(BuildingBlock& block);

/// Sentences for wrong counts, two passes on one slot modulo the period, and passes before what they wait for.
std::vector<std::string> blockProblems(const BuildingBlock& block);

/// A block repeated: the slot of every pass of every microbatch.
class SlotTable {
public:
    /// What reorder() leaves where it is. The steady phase lasts from the first backward of stage 0 to the last
    /// forward of the first p stages.
    enum class Keep { Nothing, Steady, WarmupAndSteady };

    SlotTable(const BuildingBlock& block, int microbatches);

    int slot(int pass, int microbatch) const { return m_slots[static_cast<std::size_t>(cell(pass, microbatch))]; }

    /// Whoever moves passes by hand asks afterwards whether the table is still sound: no two passes of a device on one
    /// slot, none before what it waits for.
    void move(int pass, int microbatch, int slot) { m_slots[static_cast<std::size_t>(cell(pass, microbatch))] = slot; }

    bool sound() const;

    /// Oldest first into every free slot, the rest behind; dropWeights() takes them out again.
    void placeWeights();
    void dropWeights();

    /// Moves every pass to the earliest slot that its lane and its predecessor allow; the order stays.
    void squeeze();

    /// In the order of time, moves passes to the first free slot after their predecessor, if no more
    /// activations are held for it than the device that holds most does now, or than `allowed`.
    void reorder(Keep keep, int allowed = 0);

    /// The same without the microbatches from `microbatches` on, and without W.
    SlotTable first(int microbatches) const;

    /// Activations (of one stage) that a device holds at most, from F to W; before W are placed, free slots
    /// count as theirs.
    int peak() const;

    /// Every device's tasks in order. W without a slot of their own take free slots, the deepest stage first.
    std::vector<std::vector<Task>> orders() const;

private:
    friend class Reordering;

    using Lane = std::vector<int>; // what stands in each slot: a pass or W, as cell number, or one of these:
    static constexpr int nothing = -1;
    static constexpr int secondHalf = -2; // of a B
    static constexpr int someWeight = -3; // the oldest W that is due

    int cell(int pass, int microbatch) const { return pass * m_count + microbatch; }

    std::vector<Lane> lanes() const;
    int moveForward(int what, int free);

    BuildingBlock m_block;
    int m_count;
    std::vector<int> m_slots;                // by cell; W of stage s as pass 2S + s, where they have slots
    std::vector<std::vector<int>> m_weights; // by device; empty: not placed
};

} // namespace bubblescope
