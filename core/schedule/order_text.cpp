#include "core/schedule/order_text.h"

#include "core/base/error.h"

#include <algorithm>
#include <charconv>

namespace bubblescope {
namespace {

/// The text up to `mark`, which is dropped with it; all of it where there is no mark.
std::string_view take(std::string_view& text, char mark)
{
    const std::size_t at = text.find(mark);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return taken;
}

int takeNumber(std::string_view& text, int line)
{
    const std::string_view word = take(text, ' ');
    int number = -1;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (status != std::errc{} || end != word.data() + word.size() || number < 0 || number > 65534)
        throw Error("line {} of the orders: '{}' is not a number.", line, word);
    return number;
}

LaneKind laneKindFromName(std::string_view name, int line)
{
    for (int kind = 0; kind <= static_cast<int>(LaneKind::Host); ++kind)
        if (name == laneKindName(static_cast<LaneKind>(kind)))
            return static_cast<LaneKind>(kind);
    throw Error("line {} of the orders: '{}' is no kind of lane.", line, name);
}

/// The sizes that tasks imply.
void widen(Shape& shape, const Task& task)
{
    if (onGrid(task.work))
        shape.stages = std::max(shape.stages, task.stage + 1);
    shape.pipes = std::max(shape.pipes, task.pipe + 1);
    shape.slices = std::max(shape.slices, task.slice + 1);
    shape.microbatches.resize(static_cast<std::size_t>(shape.pipes), 1);
    if (onGrid(task.work))
        shape.microbatches[task.pipe] = std::max(shape.microbatches[task.pipe], task.microbatch + 1);
}

/// A task, or the joined tasks of "(0F2;0B0)".
void takeUnit(std::string_view word, int line, Shape& shape, std::vector<Task>& tasks)
{
    const bool unit = word.size() > 2 && word.front() == '(' && word.back() == ')';
    if (unit)
        word = word.substr(1, word.size() - 2);
    while (!word.empty()) {
        const std::string_view one = take(word, ';');
        auto task = taskFromText(one);
        if (!task)
            throw Error("line {} of the orders: '{}' is no task.", line, one);
        task->flags = unit && !word.empty() ? Task::joinedFlag : 0;
        widen(shape, *task);
        tasks.push_back(*task);
    }
}

} // namespace

Schedule scheduleFromOrders(std::string_view orders)
{
    std::vector<std::pair<Lane, std::vector<Task>>> lanes;
    Shape shape;
    for (int line = 1; !orders.empty(); ++line) {
        std::string_view text = take(orders, '\n');
        if (text.empty())
            continue;
        std::string_view head = take(text, ':');
        if (take(head, ' ') != "device")
            throw Error("line {} of the orders doesn't begin with a device.", line);
        Lane lane;
        lane.device = Device(takeNumber(head, line));
        lane.kind = laneKindFromName(take(head, ' '), line);
        lane.index = static_cast<std::uint8_t>(takeNumber(head, line));
        if (lane.kind != LaneKind::Host)
            shape.devices = std::max(shape.devices, lane.device + 1);
        lanes.emplace_back(lane, std::vector<Task>{});
        while (!text.empty())
            takeUnit(take(text, ' '), line, shape, lanes.back().second);
    }
    shape.chunks = std::max(1, shape.stages / std::max(1, shape.devices));
    ScheduleBuilder builder(shape);
    for (const auto& [lane, tasks] : lanes) {
        const std::uint32_t at = builder.lane(lane.device, lane.kind, lane.index);
        for (const Task& task : tasks)
            builder.add(at, task);
    }
    return builder.finish();
}

} // namespace bubblescope
