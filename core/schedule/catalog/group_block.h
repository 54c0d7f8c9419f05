// The building block of PipeOffload's generalised interleaving (GIS): where the passes of a group of
// microbatches stand, in slots of one F, I or W.
//
//     slot        0  1  2  3  4  5  6  7  8 …         p=2, v=2, group of 2: period 12
//     device 0   F0       F1       F0'      F1' …     the next group stands 12 slots later, in what is free
//     device 1      F0       F1       F0' I0' …
//
// W stands right behind its I. Qi et al. 2025, PipeOffload (arXiv 2503.01328), section 3, and the
// authors' group_interleaved_1f1b.py.

#pragma once

#include "core/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace bubblescope::catalog {

class GroupBlock {
public:
    /// A task in its slot.
    struct Placed {
        std::int64_t slot = -1;
        Task task;
    };

    GroupBlock(int devices, int chunks, int group);

    /// The fewest microbatches whose F, I and W take as long as F and I of one on all devices.
    static int smallestGroup(int devices) { return (devices + 1) / 2; }

    /// The tasks of a device in the order of their slots.
    std::vector<Placed> lane(int device, int microbatches) const;

    /// Slots by which a device's lane has to be late, so that every task's slot comes after what it waits for.
    int lateness(int device) const;

private:
    std::int64_t chunkSlot(int chunk) const;
    std::int64_t forwardSlot(int device, int chunk, int ofGroup) const;
    std::int64_t inputSlot(int device, int chunk, int ofGroup) const;

    int m_devices;
    int m_chunks;
    int m_group;
    int m_groupsPerChunk; // groups that enter before the first one comes to its next chunk
    int m_chunksPerStep;  // after as many chunks the slots would meet those of another group: one group is skipped
};

} // namespace bubblescope::catalog
