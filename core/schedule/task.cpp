#include "core/schedule/task.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

namespace bubblescope {
namespace {

constexpr std::array<WorkName, workCount> names{{
    {Work::Forward, 'F', "forward"},
    {Work::Backward, 'B', "backward"},
    {Work::InputGradient, 'I', "input gradient"},
    {Work::WeightGradient, 'W', "weight gradient"},
    {Work::Recompute, 'R', "recompute"},
    {Work::Update, 'U', "update"},
    {Work::Send, 's', "send"},
    {Work::Receive, 'r', "receive"},
    {Work::Offload, 'o', "offload"},
    {Work::Reload, 'h', "reload"},
    {Work::LoadWeights, 'l', "load weights"},
    {Work::StoreGradients, 'p', "store gradients"},
    {Work::Gather, 'g', "gather"},
    {Work::ReduceScatter, 'c', "reduce-scatter"},
    {Work::AllReduce, 'a', "all-reduce"},
    {Work::Broadcast, 'b', "broadcast"},
    {Work::Barrier, 'y', "barrier"},
    {Work::Filler, 'x', "filler"},
    {Work::EmbeddingForward, 'e', "embedding shard forward"},
    {Work::EmbeddingBackward, 'd', "embedding shard backward"},
    {Work::VocabularyS, 'v', "vocabulary pass S"},
    {Work::VocabularyT, 't', "vocabulary pass T"},
    {Work::Check, 'k', "check"},
    {Work::Draft, 'q', "draft"},
    {Work::Reshard, 'z', "reshard"},
}};

/// Reads a number no larger than `Rep` allows from the front of `text` and drops it there.
template <class Rep>
std::optional<Rep> takeNumber(std::string_view& text)
{
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc{} || number < 0 || number > std::numeric_limits<Rep>::max() || text.front() == '+')
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return static_cast<Rep>(number);
}

/// Reads ":7" and the like, when `text` begins with `mark`; false when a number is missing or too large.
template <class Id>
bool takeSuffix(std::string_view& text, char mark, Id& id)
{
    if (text.empty() || text.front() != mark)
        return true;
    text.remove_prefix(1);
    if (text.empty())
        return false;
    const auto number = takeNumber<typename Id::Representation>(text);
    if (number)
        id = Id(*number);
    return number.has_value();
}

} // namespace

const WorkName& workName(Work work)
{
    return names[static_cast<std::size_t>(work)];
}

std::optional<Work> workFromLetter(char letter)
{
    for (const WorkName& row : names)
        if (row.letter == letter)
            return row.work;
    return std::nullopt;
}

std::string toText(const Task& task)
{
    std::string text = fmt::format("{}{}{}", task.stage.value, workName(task.work).letter, task.microbatch.value);
    if (task.slice != 0)
        text += fmt::format(":{}", task.slice.value);
    if (task.pipe != 0)
        text += fmt::format("@{}", task.pipe.value);
    if (task.part != 0)
        text += fmt::format("#{}", task.part.value);
    return text;
}

std::optional<Task> taskFromText(std::string_view text)
{
    Task task;
    if (text.empty())
        return std::nullopt;
    const auto stage = takeNumber<Stage::Representation>(text);
    if (!stage || text.empty())
        return std::nullopt;
    task.stage = Stage(*stage);
    const auto work = workFromLetter(text.front());
    text.remove_prefix(1);
    if (!work || text.empty())
        return std::nullopt;
    task.work = *work;
    const auto microbatch = takeNumber<Microbatch::Representation>(text);
    if (!microbatch)
        return std::nullopt;
    task.microbatch = Microbatch(*microbatch);
    const bool good =
        takeSuffix(text, ':', task.slice) && takeSuffix(text, '@', task.pipe) && takeSuffix(text, '#', task.part);
    return good && text.empty() ? std::optional(task) : std::nullopt;
}

} // namespace bubblescope
