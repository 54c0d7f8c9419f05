// Between the cells of a PyTorch schedule file and a Schedule.

#include "core/base/error.h"
#include "core/schedule/torch_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace bubblescope {
namespace {

using Kind = TorchAction::Kind;
constexpr std::size_t mostSentences = 20;

// ---- reading ---------------------------------------------------------------------------------------------------

/// Which of F, I, W and B a stage runs for a microbatch, as bits.
class ActionSets {
public:
    explicit ActionSets(const TorchCsv& csv)
    {
        for (const auto& rank : csv.ranks)
            for (const TorchAction& action : rank)
                if (action.computes())
                    m_sets[key(action)] |= bit(action.kind);
    }

    bool has(const TorchAction& action, Kind kind) const { return (m_sets.at(key(action)) & bit(kind)) != 0; }

    /// In older files B beside a W is the input gradient.
    bool olderB(const TorchAction& action) const
    {
        return has(action, Kind::B) && has(action, Kind::W) && !has(action, Kind::I);
    }

private:
    static unsigned bit(Kind kind) { return 1U << static_cast<unsigned>(kind); }

    static std::uint64_t key(const TorchAction& action)
    {
        return (std::uint64_t{action.stage.value} << 32) | static_cast<std::uint32_t>(action.microbatch.value);
    }

    std::unordered_map<std::uint64_t, unsigned> m_sets;
};

/// I without its W, or W without its I: the file can't be what somebody meant.
void checkPairs(const TorchCsv& csv, const ActionSets& sets)
{
    std::vector<std::string> problems;
    std::size_t count = 0;
    for (const auto& rank : csv.ranks)
        for (const TorchAction& action : rank) {
            TorchAction partner = action;
            std::string_view relation;
            if (action.kind == Kind::I && !sets.has(action, Kind::W)) {
                partner.kind = Kind::W;
                relation = "after";
            } else if (action.kind == Kind::W && !sets.has(action, Kind::I) && !sets.has(action, Kind::B)) {
                partner.kind = Kind::I;
                relation = "before";
            } else {
                continue;
            }
            if (++count <= mostSentences)
                problems.push_back(fmt::format("Row {}, column {}: {} missing {} {}.", action.row, action.column,
                                               partner.text(), relation, action.text()));
        }
    if (count > mostSentences)
        problems.push_back(fmt::format("{} more tasks have no partner.", count - mostSentences));
    if (count > 0)
        throw Error("{}", fmt::join(problems, "\n"));
}

/// What B means here, and a note where that had to be guessed.
void nameDialect(const TorchCsv& csv, const ActionSets& sets, TorchImport& import)
{
    std::size_t older = 0;
    std::size_t full = 0;
    bool split = false;
    for (const auto& rank : csv.ranks)
        for (const TorchAction& action : rank) {
            split = split || action.kind == Kind::I;
            if (action.kind == Kind::B)
                ++(sets.olderB(action) ? older : full);
        }
    if (older > 0) {
        import.dialect = "older: B = input gradient";
        import.notes.push_back(
            fmt::format("{} B have a W of their own, so they were read as input gradients, as in older files.", older));
        if (full > 0)
            import.notes.push_back(fmt::format(
                "{} B have no W, so they were read as whole backwards. If a W is missing there, add it.", full));
    } else if (split) {
        import.dialect = full > 0 ? "mixed, B = full backward" : "I/W split";
    } else {
        import.dialect = full > 0 ? "B = full backward" : "forward only";
    }
}

std::vector<std::vector<int>> stagesOfRanks(const TorchCsv& csv)
{
    std::vector<std::vector<int>> stages;
    for (const auto& rank : csv.ranks) {
        std::set<int> own;
        for (const TorchAction& action : rank)
            own.insert(action.stage.value);
        stages.emplace_back(own.begin(), own.end());
    }
    return stages;
}

Shape shapeOf(const TorchCsv& csv, const std::vector<std::vector<int>>& stages, int stageCount)
{
    Shape shape;
    shape.devices = static_cast<int>(csv.ranks.size());
    shape.stages = stageCount;
    std::size_t computing = 0;
    std::int64_t last = -1;
    for (std::size_t rank = 0; rank < csv.ranks.size(); ++rank) {
        shape.chunks = std::max(shape.chunks, static_cast<int>(stages[rank].size()));
        for (const TorchAction& action : csv.ranks[rank]) {
            computing += action.computes() ? 1 : 0;
            last = std::max<std::int64_t>(last, action.microbatch);
        }
    }
    if (computing == 0)
        throw Error("The file has no F, I, W or B: there is nothing to run.");
    if (last >= static_cast<std::int64_t>(computing))
        throw Error(
            "The file names microbatch {}, but it runs only {} tasks. Microbatches are numbered from 0 without gaps.",
            last, computing);
    if ((last + 1) * stageCount > std::max<std::int64_t>(1'000'000, 64 * static_cast<std::int64_t>(computing)))
        throw Error("The file names {} stages and {} microbatches, but it runs only {} tasks.", stageCount, last + 1,
                    computing);
    shape.microbatches = {static_cast<int>(last + 1)};
    return shape;
}

Work workOf(const TorchAction& action, const ActionSets& sets)
{
    switch (action.kind) {
    case Kind::F:
        return Work::Forward;
    case Kind::I:
        return Work::InputGradient;
    case Kind::W:
        return Work::WeightGradient;
    default:
        return sets.olderB(action) ? Work::InputGradient : Work::Backward;
    }
}

void noteLeftOut(const TorchCsv& csv, TorchImport& import)
{
    std::map<Kind, std::size_t> count;
    std::size_t transfers = 0;
    for (const auto& rank : csv.ranks)
        for (const TorchAction& action : rank) {
            ++count[action.kind];
            transfers += action.transfers() ? 1 : 0;
        }
    for (const auto& [kind, name] : {std::pair(Kind::Unshard, "UNSHARD"), std::pair(Kind::Reshard, "RESHARD"),
                                     std::pair(Kind::ReduceGradient, "REDUCE_GRAD")})
        if (count[kind] > 0)
            import.notes.push_back(fmt::format(
                "{} {} left out: sharding inside a stage isn't part of the pipeline's order.", count[kind], name));
    if (transfers > 0)
        import.notes.push_back(fmt::format(
            "{} sends and receives are checked as they stand and left out of the compute order.", transfers));
}

// ---- writing ---------------------------------------------------------------------------------------------------

bool writable(Work work)
{
    return work <= Work::WeightGradient;
}

/// Throws with the reason when the sizes are more than a file can say.
void checkWritable(const Shape& shape, std::size_t paths)
{
    if (shape.pipes > 1)
        throw Error(
            "A PyTorch file numbers stages along one pipeline; this schedule has {} pipes over the same stages.",
            shape.pipes);
    if (shape.slices > 1)
        throw Error("A PyTorch file knows whole microbatches; this schedule cuts them into up to {} slices.",
                    shape.slices);
    if (shape.steps > 1)
        throw Error("A PyTorch file holds one step; this schedule has {}. Write one step.", shape.steps);
    if (paths > 0)
        throw Error("In a PyTorch file every microbatch visits every stage; this schedule lets them take {} paths.",
                    paths);
}

void checkWritable(const Task& task, const Lane& lane, int stages)
{
    if (lane.kind != LaneKind::Compute || lane.index != 0)
        throw Error("{} stands on a {} lane; a PyTorch file has one row of compute per rank.", toText(task),
                    laneKindName(lane.kind));
    if (task.stage >= stages)
        throw Error("{} belongs to a component beside the pipeline, for which a PyTorch file has no stage number.",
                    toText(task));
}

/// Throws with the reason when a row per rank can't say what the schedule says.
void checkWritable(const Schedule& schedule)
{
    checkWritable(schedule.shape, schedule.paths.size());
    std::vector<std::optional<Device>> home(static_cast<std::size_t>(schedule.shape.stages));
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            if (!writable(task.work))
                continue;
            checkWritable(task, lane, schedule.shape.stages);
            if (home[task.stage].value_or(lane.device) != lane.device)
                throw Error("Stage {} runs on devices {} and {}; in a PyTorch file a stage has one rank.",
                            task.stage.value, home[task.stage]->value, lane.device.value);
            home[task.stage] = lane.device;
        }
}

std::string plural(std::size_t count, std::string_view name)
{
    return fmt::format("{} {} task{}", count, name, count == 1 ? "" : "s");
}

std::vector<std::string> leftOutOf(const Schedule& schedule, std::size_t units)
{
    std::array<std::size_t, workCount> count{};
    for (const Task& task : schedule.tasks)
        ++count[static_cast<std::size_t>(task.work)];
    std::vector<std::string> left;
    for (std::size_t work = 0; work < count.size(); ++work)
        if (count[work] > 0 && !writable(static_cast<Work>(work)))
            left.push_back(plural(count[work], workName(static_cast<Work>(work)).name));
    if (!schedule.groups.empty())
        left.push_back(fmt::format("{} group{} of tasks that start together", schedule.groups.size(),
                                   schedule.groups.size() == 1 ? "" : "s"));
    if (!schedule.dataflow.edges.empty())
        left.push_back(fmt::format("{} extra dependenc{}", schedule.dataflow.edges.size(),
                                   schedule.dataflow.edges.size() == 1 ? "y" : "ies"));
    if (units > 0)
        left.push_back(
            fmt::format("the tie of {} unit{} that aren't a forward with a backward", units, units == 1 ? "" : "s"));
    const int every = schedule.semantics.updateEvery;
    if (every > 0 && every < schedule.shape.microbatches.front())
        left.push_back(fmt::format("weight updates every {} microbatches: a file describes a synchronous step", every));
    return left;
}

/// A unit that PyTorch can run as one: a forward and a backward.
bool isPair(const Schedule& schedule, TaskId first, TaskId end)
{
    const auto forward = [&](TaskId id) { return schedule.tasks[id].work == Work::Forward; };
    const auto backward = [&](TaskId id) { return propagatesGradient(schedule.tasks[id].work); };
    const TaskId second(first + 1U);
    return end - first == 2U && ((forward(first) && backward(second)) || (backward(first) && forward(second)));
}

/// The cells of one lane; counts the units that had to be written one task after another.
std::string rowOf(const Schedule& schedule, const Lane& lane, std::size_t& brokenUnits)
{
    std::vector<std::string> cells;
    for (TaskId first = lane.begin; first < lane.end;) {
        const TaskId end = schedule.unitEnd(first);
        if (isPair(schedule, first, end)) {
            cells.push_back(
                fmt::format("({};{})OVERLAP_F_B", toText(schedule.tasks[first]), toText(schedule.tasks[first + 1U])));
        } else {
            brokenUnits += end - first > 1U ? 1 : 0;
            for (TaskId id = first; id < end; ++id)
                if (writable(schedule.tasks[id].work))
                    cells.push_back(toText(schedule.tasks[id]));
        }
        first = end;
    }
    return fmt::format("{}\n", fmt::join(cells, ","));
}

} // namespace

TorchImport importTorchCsv(const TorchCsv& csv)
{
    TorchImport import;
    const std::vector<std::vector<int>> stages = stagesOfRanks(csv);
    import.placement = classifyPlacement(stages);
    if (import.placement.kind == PlacementClass::Kind::Invalid)
        throw Error("The placement of stages on ranks is {}. Every stage from 0 on must be on exactly one rank.",
                    import.placement.text());
    const ActionSets sets(csv);
    checkPairs(csv, sets);
    ScheduleBuilder builder(shapeOf(csv, stages, import.placement.stages));
    nameDialect(csv, sets, import);
    noteLeftOut(csv, import);
    for (std::size_t rank = 0; rank < csv.ranks.size(); ++rank) {
        const std::uint32_t lane = builder.lane(Device(rank));
        for (const TorchAction& action : csv.ranks[rank]) {
            if (!action.computes())
                continue;
            const auto ref = builder.add(
                lane, {.work = workOf(action, sets), .stage = action.stage, .microbatch = action.microbatch});
            if (action.overlaps)
                builder.join(ref);
        }
        for (const int stage : stages[rank])
            builder.place(Pipe(0), Stage(stage), {Device(rank)});
    }
    if (import.dialect != "forward only")
        builder.endSynchronousStep();
    import.schedule = builder.finish();
    return import;
}

TorchExport exportTorchCsv(const Schedule& schedule)
{
    checkWritable(schedule);
    TorchExport out;
    std::size_t brokenUnits = 0;
    for (int device = 0; device < schedule.shape.devices; ++device) {
        const LaneId lane = schedule.computeLane(Device(device));
        const std::string row =
            lane < schedule.lanes.size() ? rowOf(schedule, schedule.lanes[lane], brokenUnits) : "\n";
        if (row == "\n")
            throw Error("Device {} runs no stage, so its row would be empty; PyTorch expects work on every rank.",
                        device);
        out.csv += row;
    }
    out.leftOut = leftOutOf(schedule, brokenUnits);
    return out;
}

} // namespace bubblescope
