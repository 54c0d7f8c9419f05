// A task: one unit of work of a schedule, in 16 bytes, and its text form.
//
//     7F3      forward of microbatch 3 on virtual stage 7
//     7I3:1    input-gradient backward of its slice 1
//     7W3@1    weight gradient in pipe 1 (the other direction of a bidirectional schedule)
//     7v3#2    vocabulary pass S, shard 2
//
// The letters F B I W R U are those of PyTorch's schedule files; the lower-case ones are ours.

#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bubblescope {

using Nanoseconds = std::int64_t;

/// What a task does. The order of the enumerators is stored in documents: append only.
enum class Work : std::uint8_t {
    Forward,
    Backward, ///< input and weight gradients in one
    InputGradient,
    WeightGradient,
    Recompute,
    Update,
    Send,
    Receive,
    Offload,
    Reload,
    LoadWeights,
    StoreGradients,
    Gather,
    ReduceScatter,
    AllReduce,
    Broadcast,
    Barrier,
    Filler,
    EmbeddingForward,
    EmbeddingBackward,
    VocabularyS,
    VocabularyT,
    Check,
    Draft,
    Reshard,
};

inline constexpr int workCount = 25;

/// One row of the display table: the only place where a work has a letter and a name.
struct WorkName {
    Work work;
    char letter;
    std::string_view name;
};

const WorkName& workName(Work work);
std::optional<Work> workFromLetter(char letter);

/// Every field but `flags` is its identity, unique in a schedule (see ir.md 1 "Numbering").
struct Task {
    Work work = Work::Forward;
    Pipe pipe{};
    Slice slice{};
    Stage stage{};
    Part part{};
    Microbatch microbatch{};
    std::uint32_t flags = 0;

    static constexpr std::uint32_t joinedFlag = 1;  ///< forms one unit with the next task of the lane
    static constexpr std::uint32_t groupedFlag = 2; ///< member of a group (set by ScheduleBuilder::finish)

    bool joined() const { return (flags & joinedFlag) != 0; }

    bool grouped() const { return (flags & groupedFlag) != 0; }

    /// Same identity; flags don't count.
    friend bool operator==(const Task& a, const Task& b)
    {
        return a.work == b.work && a.pipe == b.pipe && a.slice == b.slice && a.stage == b.stage && a.part == b.part &&
               a.microbatch == b.microbatch;
    }

    friend bool operator!=(const Task& a, const Task& b) { return !(a == b); }

    friend bool operator<(const Task& a, const Task& b) { return a.key() < b.key(); }

    /// The identity as one comparable value: (microbatch, stage, slice, pipe, work, part).
    std::pair<std::uint64_t, std::uint64_t> key() const
    {
        const auto high = (std::uint64_t{static_cast<std::uint32_t>(microbatch.value)} << 32) |
                          (std::uint64_t{stage.value} << 16) | slice.value;
        const auto low =
            (std::uint64_t{pipe.value} << 32) | (std::uint64_t{static_cast<std::uint8_t>(work)} << 16) | part.value;
        return {high, low};
    }
};

static_assert(sizeof(Task) == 16);

/// F, B, I, W and R follow the grid rule of dependencies (schedule.h); everything else has explicit edges.
constexpr bool onGrid(Work work)
{
    return work <= Work::Recompute;
}

/// B or I: the step of a microbatch's way back that hands a gradient to the previous stage.
constexpr bool propagatesGradient(Work work)
{
    return work == Work::Backward || work == Work::InputGradient;
}

/// Work that `schedule show` and `--order` list: what stands on a compute lane apart from updates and barriers.
constexpr bool isCompute(Work work)
{
    return onGrid(work) || (work >= Work::Filler && work <= Work::VocabularyT);
}

/// "7F3", with ":slice", "@pipe" and "#part" where they aren't 0.
std::string toText(const Task& task);

/// The inverse of toText; nullopt when the text is not a task.
std::optional<Task> taskFromText(std::string_view text);

} // namespace bubblescope
