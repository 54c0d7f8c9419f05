#include "core/schedule/catalog/group_block.h"

#include "core/schedule/catalog/common.h"

#include <algorithm>
#include <numeric>

namespace bubblescope::catalog {
namespace {

constexpr int works = 3; // F, I and W take a slot each

} // namespace

GroupBlock::GroupBlock(int devices, int chunks, int group)
    : m_devices(devices)
    , m_chunks(chunks)
    , m_group(group)
    , m_groupsPerChunk((smallestGroup(devices) + group - 1) / group)
    , m_chunksPerStep(chunks / std::gcd(chunks, m_groupsPerChunk))
{
}

/// Of a chunk's first microbatch, after that of chunk 0.
std::int64_t GroupBlock::chunkSlot(int chunk) const
{
    const std::int64_t groups = std::int64_t{m_groupsPerChunk} * chunk + chunk / m_chunksPerStep;
    return works * m_group * groups;
}

std::int64_t GroupBlock::forwardSlot(int device, int chunk, int ofGroup) const
{
    return chunkSlot(chunk) + works * ofGroup + device;
}

std::int64_t GroupBlock::inputSlot(int device, int chunk, int ofGroup) const
{
    const int hops = m_devices - 1 - device;
    const std::int64_t first = forwardSlot(device, m_chunks - 1, 0) + 1 + std::int64_t{3} * hops;
    return first + chunkSlot(m_chunks - 1 - chunk) + works * ofGroup;
}

std::vector<GroupBlock::Placed> GroupBlock::lane(int device, int microbatches) const
{
    const std::int64_t period = std::int64_t{works} * m_group * m_chunks;
    const std::int64_t last = inputSlot(device, 0, m_group - 1) + 1 + (microbatches - 1) / m_group * period;
    std::vector<Placed> slots(static_cast<std::size_t>(last) + 1);
    const auto place = [&](Work work, int chunk, int microbatch, std::int64_t slot) {
        slots[static_cast<std::size_t>(slot)] = {slot, task(work, chunk * m_devices + device, microbatch)};
    };
    for (int microbatch = 0; microbatch < microbatches; ++microbatch) {
        const std::int64_t begin = microbatch / m_group * period;
        for (int chunk = 0; chunk < m_chunks; ++chunk) {
            place(Work::Forward, chunk, microbatch, begin + forwardSlot(device, chunk, microbatch % m_group));
            const std::int64_t input = begin + inputSlot(device, chunk, microbatch % m_group);
            place(Work::InputGradient, chunk, microbatch, input);
            place(Work::WeightGradient, chunk, microbatch, input + 1);
        }
    }
    std::erase_if(slots, [](const Placed& placed) { return placed.slot < 0; });
    return slots;
}

int GroupBlock::lateness(int device) const
{
    // I comes down the devices in every second slot, so each may be a slot later than the one before, up to what
    // the way of F from the last device back to the first leaves.
    std::int64_t most = m_devices - 1;
    for (int chunk = 1; chunk < m_chunks; ++chunk)
        most = std::min(most, chunkSlot(chunk) - chunkSlot(chunk - 1) - m_devices);
    return static_cast<int>(std::min<std::int64_t>(device, most));
}

} // namespace bubblescope::catalog
