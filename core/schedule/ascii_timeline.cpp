#include "core/schedule/ascii_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace bubblescope {
namespace {

constexpr double nanosecondsPerMillisecond = 1e6;

/// A unit of a lane that takes time: what is written, and when.
struct Block {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    std::string label;   ///< "4F0", joined "4F2+3B1"
    std::string shorter; ///< "F0"
    std::string letters; ///< "F"
};

struct Row {
    std::string name;
    std::vector<Block> blocks;
};

std::string shortText(const Task& task)
{
    std::string text = fmt::format("{}{}", workName(task.work).letter, task.microbatch.value);
    return task.slice == 0 ? text : text + fmt::format(":{}", task.slice.value);
}

Row rowOf(const Schedule& schedule, const Timing& timing, const Lane& lane)
{
    Row row;
    row.name = lane.kind == LaneKind::Compute && lane.index == 0
                   ? fmt::format("{}:", lane.device.value)
                   : fmt::format("{} {}:", lane.device.value, laneKindName(lane.kind));
    std::set<std::pair<Pipe, Stage>> stages;
    for (TaskId first = lane.begin; first < lane.end;) {
        const TaskId end = schedule.unitEnd(first);
        Block block{timing.start[first], timing.end[first], {}, {}, {}};
        for (TaskId id = first; id < end; ++id) {
            const Task& task = schedule.tasks[id];
            const char* plus = id == first ? "" : "+";
            block.label += plus + toText(task);
            block.shorter += plus + shortText(task);
            block.letters += workName(task.work).letter;
            if (block.end > block.start)
                stages.insert({task.pipe, task.stage});
        }
        if (block.end > block.start)
            row.blocks.push_back(std::move(block));
        first = end;
    }
    if (stages.size() <= 1)
        for (Block& block : row.blocks)
            block.label = block.shorter;
    return row;
}

/// Columns of moments. Where the times have a common unit that fits, every unit has the same number of columns.
class Scale {
public:
    Scale(const Timing& timing, const std::vector<Row>& rows, int columns)
        : m_begin(timing.begin), m_span(timing.makespan()), m_columns(columns)
    {
        Nanoseconds common = m_span;
        Nanoseconds shortest = m_span;
        std::size_t label = 1;
        for (const Row& row : rows)
            for (const Block& block : row.blocks) {
                common = std::gcd(std::gcd(common, block.start - m_begin), block.end - m_begin);
                shortest = std::min(shortest, block.end - block.start);
                label = std::max(label, block.label.size());
            }
        if (common <= 0 || m_span / common > columns)
            return;
        const auto units = m_span / common;
        const auto perShortest = shortest / common;
        const auto wanted =
            (static_cast<Nanoseconds>(label) + perShortest) / perShortest; // label and a blank, rounded up
        m_cell = static_cast<int>(std::min<Nanoseconds>(wanted, columns / units));
        m_unit = common;
        m_columns = static_cast<int>(units) * m_cell;
    }

    int columns() const { return m_columns; }

    int cell() const { return m_cell; }

    /// Rounded down, so that tasks which touch in time touch here.
    int column(Nanoseconds time) const
    {
        if (m_span <= 0)
            return 0;
        if (m_cell > 0)
            return static_cast<int>((time - m_begin) / m_unit) * m_cell;
        return static_cast<int>(static_cast<double>(time - m_begin) / static_cast<double>(m_span) * m_columns);
    }

    Nanoseconds begin() const { return m_begin; }

    Nanoseconds span() const { return m_span; }

private:
    Nanoseconds m_begin;
    Nanoseconds m_span;
    Nanoseconds m_unit = 0;
    int m_cell = 0; ///< columns of one unit; 0: no common unit
    int m_columns;
};

/// Stages are named everywhere or nowhere: where some labels lack the room for it, "F0" beside "0F0" would mislead.
void nameStagesAlike(std::vector<Row>& rows, const Scale& scale)
{
    const auto tooNarrow = [&](const Block& block) {
        const bool alone = block.letters.size() == 1; // pairs have the room of two
        return alone && block.label != block.shorter &&
               static_cast<int>(block.label.size()) >= scale.column(block.end) - scale.column(block.start);
    };
    for (const Row& row : rows)
        if (std::any_of(row.blocks.begin(), row.blocks.end(), tooNarrow)) {
            for (Row& each : rows)
                for (Block& block : each.blocks)
                    block.label = block.shorter;
            return;
        }
}

/// The longest form of the label that fits, dashes for the rest of the time, and a blank at the end if there is room.
std::string drawn(const Block& block, std::size_t columns)
{
    std::string text = block.label;
    for (const std::string* form : {&block.label, &block.shorter, &block.letters}) {
        text = *form;
        if (text.size() <= columns)
            break;
    }
    text = text.substr(0, columns);
    const std::size_t labelled = text.size();
    text.resize(columns, '-');
    if (columns > labelled)
        text.back() = ' ';
    return text;
}

std::string withoutTrailingBlanks(std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

std::string drawRow(const Row& row, const Scale& scale, std::size_t margin)
{
    std::string line(static_cast<std::size_t>(scale.columns()), '.');
    for (std::size_t i = 0; i < line.size() && scale.cell() >= 3; ++i) // a blank between idle units too
        if (i % static_cast<std::size_t>(scale.cell()) == static_cast<std::size_t>(scale.cell()) - 1)
            line[i] = ' ';
    for (const Block& block : row.blocks) {
        const int from = scale.column(block.start);
        const int to = scale.column(block.end);
        if (to > from)
            line.replace(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from),
                         drawn(block, static_cast<std::size_t>(to - from)));
    }
    return withoutTrailingBlanks(fmt::format("{:<{}}{}", row.name, margin, line));
}

std::string milliseconds(Nanoseconds time)
{
    return fmt::format("{:.6g}", static_cast<double>(time) / nanosecondsPerMillisecond);
}

/// 1, 2 or 5 times a power of ten: the smallest step of the ruler whose marks stand `apart` columns from each other.
Nanoseconds rulerStep(const Scale& scale, int apart)
{
    Nanoseconds step = 1;
    for (int k = 0; scale.column(scale.begin() + std::min(step, scale.span())) < apart && step < scale.span(); ++k)
        step = step / (k % 3 == 1 ? 2 : 1) * (k % 3 == 1 ? 5 : 2);
    return step;
}

std::string drawRuler(const Scale& scale, std::size_t margin)
{
    std::string line = fmt::format("{:<{}}", "ms", margin);
    constexpr int apart = 10;
    const Nanoseconds step = rulerStep(scale, apart);
    for (Nanoseconds time = 0; time < scale.span(); time += step) {
        const std::size_t column = margin + static_cast<std::size_t>(scale.column(scale.begin() + time));
        const std::string mark = milliseconds(time);
        if (column < line.size() || column + mark.size() > margin + static_cast<std::size_t>(scale.columns()))
            continue;
        line.resize(column, ' ');
        line += mark;
    }
    return withoutTrailingBlanks(line);
}

std::string drawLegend(const std::vector<Row>& rows, const Scale& scale)
{
    std::set<Work> works;
    bool hidden = false;
    for (const Row& row : rows)
        for (const Block& block : row.blocks) {
            for (const char letter : block.letters)
                works.insert(*workFromLetter(letter));
            hidden = hidden || scale.column(block.start) == scale.column(block.end);
        }
    std::string text;
    for (const Work work : works)
        text += fmt::format("{} {}, ", workName(work).letter, workName(work).name);
    text += fmt::format(". idle; {} ms in all", milliseconds(scale.span()));
    if (hidden)
        text += "; tasks shorter than a column aren't drawn";
    return text + "\n";
}

} // namespace

std::string asciiTimeline(const Schedule& schedule, const Timing& timing, int width)
{
    std::vector<Row> rows;
    std::size_t margin = 3;
    for (const Lane& lane : schedule.lanes) {
        Row row = rowOf(schedule, timing, lane);
        if (row.blocks.empty() && (lane.kind != LaneKind::Compute || lane.index != 0))
            continue;
        margin = std::max(margin, row.name.size() + 1);
        rows.push_back(std::move(row));
    }
    const Scale scale(timing, rows, std::max(8, width - static_cast<int>(margin)));
    nameStagesAlike(rows, scale);
    std::string text = drawRuler(scale, margin);
    for (const Row& row : rows)
        text += drawRow(row, scale, margin);
    return text + drawLegend(rows, scale);
}

} // namespace bubblescope
