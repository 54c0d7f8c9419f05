#include "viz/panels/compare_data.h"

#include "viz/charts/bubble_chart.h"
#include "viz/charts/plot_style.h"
#include "viz/run/core_text.h"
#include "viz/timeline/pick_text.h"
#include "viz/timeline/time_text.h"

#include <QCoreApplication>

#include <limits>
#include <set>

namespace bubblescope::viz {
namespace {

using Shared = std::shared_ptr<const RunComparison>;

QString tr(const char* source)
{
    return QCoreApplication::translate("Compare", source);
}

Nanoseconds valueOf(const TaskTimes& times, DeltaQuantity quantity)
{
    switch (quantity) {
    case DeltaQuantity::Start:
        return times.start;
    case DeltaQuantity::End:
        return times.end;
    case DeltaQuantity::Duration:
        return times.duration;
    case DeltaQuantity::IdleBefore:
        return times.idleBefore;
    }
    return 0;
}

/// Three columns: in A, in B, and B − A. `value` gives nothing where the run lacks it.
void addTriple(std::vector<FigureColumn>& columns, const Shared& c, const QString& what, const QString& meaning,
               auto value)
{
    const auto side = [&](bool isA) {
        return FigureColumn{what + QLatin1Char(' ') + (isA ? c->a.letter : c->b.letter), meaning,
                            [=](int row) {
                                const auto found = value(row, isA);
                                return found ? timeText(*found) : QStringLiteral("–");
                            },
                            [=](int row) {
                                const auto found = value(row, isA);
                                return found ? QVariant::fromValue<qlonglong>(*found) : QVariant();
                            }};
    };
    columns.push_back(side(true));
    columns.push_back(side(false));
    const auto difference = [=](int row) -> std::optional<Nanoseconds> {
        const auto inA = value(row, true);
        const auto inB = value(row, false);
        return inA && inB ? std::optional(*inB - *inA) : std::nullopt;
    };
    columns.push_back({QStringLiteral("Δ ") + what,
                       meaning + QLatin1Char('\n') + tr("%1 − %2").arg(c->b.letter, c->a.letter),
                       [=](int row) {
                           const auto delta = difference(row);
                           return delta ? signedTime(*delta) : QStringLiteral("–");
                       },
                       [=](int row) {
                           const auto delta = difference(row);
                           return delta ? QVariant::fromValue<qlonglong>(*delta) : QVariant();
                       }});
}

std::vector<RunInterval> idleIntervals(const RunComparison& c, int device, std::optional<IdleCause> cause)
{
    std::vector<RunInterval> intervals;
    for (const ComparedRun* side : {&c.a, &c.b})
        for (const Gap& gap : side->run->idle.gaps)
            if (gap.device == device && (!cause || gap.cause[static_cast<std::size_t>(*cause)] > 0))
                intervals.push_back({side->slot, device, LaneKind::Compute, {gap.start, gap.end}});
    return intervals;
}

std::vector<RunInterval> workIntervals(const RunComparison& c, int device)
{
    std::vector<RunInterval> intervals;
    for (const ComparedRun* side : {&c.a, &c.b})
        if (device < static_cast<int>(side->run->idle.devices.size()))
            for (const TimeRange& time : timesOf(*side->run, device, std::nullopt))
                intervals.push_back({side->slot, device, LaneKind::Compute, time});
    return intervals;
}

std::vector<IdleCause> causesOfBoth(const RunComparison& c)
{
    std::vector<IdleCause> causes = causesOf(*c.a.run);
    for (const IdleCause cause : causesOf(*c.b.run))
        if (std::find(causes.begin(), causes.end(), cause) == causes.end())
            causes.push_back(cause);
    return causes;
}

std::optional<double> peakOf(const ComparedRun& side, int device)
{
    const auto at = static_cast<std::size_t>(device);
    return at < side.run->memory.size() ? std::optional(side.run->memory[at].peakActivations()) : std::nullopt;
}

void addPeaks(std::vector<FigureColumn>& columns, const Shared& c)
{
    for (const bool isA : {true, false}) {
        const auto value = [c, isA](int row) { return peakOf(isA ? c->a : c->b, row); };
        columns.push_back({tr("Peak %1").arg(isA ? c->a.letter : c->b.letter), tr("Most live activations"),
                           [value](int row) { return value(row) ? countText(*value(row)) : QStringLiteral("–"); },
                           [value](int row) { return value(row) ? QVariant(*value(row)) : QVariant(); }});
    }
}

FigureColumn numberColumn(const QString& heading, const QString& meaning, const std::function<int(int)>& value)
{
    return {heading, meaning, [value](int row) { return QString::number(value(row)); },
            [value](int row) { return QVariant(value(row)); }};
}

} // namespace

RunComparison compareViews(ComparedRun a, ComparedRun b)
{
    RunComparison result;
    result.tasks = compareTasks(a.run->trace, b.run->trace);
    result.devices = compareDevices(a.run->idle, b.run->idle);
    result.idleInA = a.run->makespan() >= b.run->makespan();
    const ComparedRun& slower = result.idleInA ? a : b;
    const ComparedRun& faster = result.idleInA ? b : a;
    result.filled = filledBubbles(slower.run->idle, faster.run->trace);
    result.a = std::move(a);
    result.b = std::move(b);
    return result;
}

QString comparisonText(const RunComparison& c)
{
    const RunView& slower = *c.slower().run;
    const RunView& faster = *c.faster().run;
    if (slower.makespan() <= 0 || faster.makespan() <= 0)
        return tr("One of the runs is empty.");
    if (slower.shownSteps() != faster.shownSteps())
        return tr("%1 shows %2 steps and %3 %4, because some run into each other: times and tasks of the two don't "
                  "compare. Runs of one step do.")
            .arg(c.a.letter)
            .arg(c.a.run->shownSteps())
            .arg(c.b.letter)
            .arg(c.b.run->shownSteps());
    const Nanoseconds idle = slower.idle.totalIdle() - faster.idle.totalIdle();
    if (slower.makespan() == faster.makespan())
        return tr("%1 and %2 take the same time, %3.").arg(c.a.letter, c.b.letter, timeText(slower.makespan()));
    return tr("%1 is %2 × as fast as %3: %4 against %5, and %6 %7 idle time over all devices.")
        .arg(c.faster().letter,
             QString::number(static_cast<double>(slower.makespan()) / static_cast<double>(faster.makespan()), 'f', 2),
             c.slower().letter, timeText(faster.makespan()), timeText(slower.makespan()), timeText(std::abs(idle)),
             idle >= 0 ? tr("less") : tr("more"));
}

void fillDeviceTable(FigureModel& model, const std::shared_ptr<const RunComparison>& c)
{
    std::vector<FigureColumn> columns;
    columns.push_back(
        {tr("Device"), {}, [c](int row) { return deviceName(*c->a.run, row); }, [](int row) { return QVariant(row); }});
    const auto ofDevice = [c](auto member) {
        return [c, member](int row, bool isA) -> std::optional<Nanoseconds> {
            const DeviceDifference& device = c->devices[static_cast<std::size_t>(row)];
            const std::optional<DeviceIdle>& side = isA ? device.a : device.b;
            return side ? std::optional(member(*side)) : std::nullopt;
        };
    };
    const auto openWith = [&columns](std::size_t from, const std::function<std::vector<RunInterval>(int)>& intervals) {
        for (std::size_t i = from; i < columns.size(); ++i)
            columns[i].intervals = intervals;
    };
    addTriple(columns, c, tr("Busy"), tr("Time at work; a joined unit counts once"),
              ofDevice([](const DeviceIdle& device) { return device.busy; }));
    openWith(1, [c](int row) { return workIntervals(*c, row); });
    addTriple(columns, c, tr("Idle"),
              tr("Time between the step's begin and end in which the compute lane does nothing"),
              ofDevice([](const DeviceIdle& device) { return device.idle; }));
    for (const IdleCause cause : causesOfBoth(*c)) {
        const std::size_t from = columns.size();
        addTriple(
            columns, c, causeTitle(cause), tr("Idle time because %1").arg(causePhrase(cause)),
            ofDevice([cause](const DeviceIdle& device) { return device.cause[static_cast<std::size_t>(cause)]; }));
        openWith(from, [c, cause](int row) { return idleIntervals(*c, row, cause); });
    }
    addPeaks(columns, c);
    model.set(std::move(columns), static_cast<int>(c->devices.size()),
              [c](int row) { return idleIntervals(*c, row, std::nullopt); });
}

void fillTaskTable(FigureModel& model, const std::shared_ptr<const RunComparison>& c)
{
    const auto at = [c](int row) -> const TaskDifference& { return c->tasks.tasks[static_cast<std::size_t>(row)]; };
    std::vector<FigureColumn> columns;
    columns.push_back({tr("Work"), tr("B is set against I where one run splits the backward"),
                       [at](int row) { return workTitle(at(row).task.work); }, nullptr});
    columns.push_back(numberColumn(tr("Stage"), {}, [at](int row) { return int{at(row).task.stage}; }));
    columns.push_back(numberColumn(tr("Microbatch"), tr("Counted from 0 in the step"),
                                   [at](int row) { return int{at(row).task.microbatch}; }));
    const auto times = [at](DeltaQuantity quantity) {
        return [at, quantity](int row, bool isA) -> std::optional<Nanoseconds> {
            const auto& side = isA ? at(row).a : at(row).b;
            return side ? std::optional(valueOf(*side, quantity)) : std::nullopt;
        };
    };
    addTriple(columns, c, tr("Start"), tr("From the begin of the step"), times(DeltaQuantity::Start));
    addTriple(columns, c, tr("End"), tr("From the begin of the step"), times(DeltaQuantity::End));
    addTriple(columns, c, tr("Duration"), tr("Time at work"), times(DeltaQuantity::Duration));
    addTriple(columns, c, tr("Idle before"), tr("Idle time of the lane right before the task"),
              times(DeltaQuantity::IdleBefore));
    model.set(std::move(columns), static_cast<int>(c->tasks.tasks.size()),
              [c, at](int row) { return intervalsOf(*c, at(row)); });
}

void fillBubbleTable(FigureModel& model, const std::shared_ptr<const RunComparison>& c)
{
    const auto at = [c](int row) -> const FilledBubble& { return c->filled[static_cast<std::size_t>(row)]; };
    const auto time = [](const QString& heading, const QString& meaning, const std::function<Nanoseconds(int)>& value) {
        return FigureColumn{heading, meaning, [value](int row) { return timeText(value(row)); },
                            [value](int row) { return QVariant::fromValue<qlonglong>(value(row)); }};
    };
    std::vector<FigureColumn> columns;
    columns.push_back({tr("Device"),
                       {},
                       [c, at](int row) { return deviceName(*c->slower().run, at(row).gap.device); },
                       [at](int row) { return QVariant(int{at(row).gap.device}); }});
    columns.push_back(time(tr("%1 idle from").arg(c->slower().letter),
                           tr("Begin of the idle interval of the slower run"),
                           [at](int row) { return at(row).gap.start; }));
    columns.push_back(
        time(tr("Idle"), tr("Length of the idle interval"), [at](int row) { return at(row).gap.length(); }));
    columns.push_back({tr("Cause"), tr("Why the slower run is idle there: its largest part"),
                       [at](int row) { return causeTitle(at(row).gap.mainCause()); }, nullptr});
    columns.push_back(time(tr("%1 works").arg(c->faster().letter), tr("How much of it the faster run spends working"),
                           [at](int row) { return at(row).filled; }));
    columns.push_back({tr("With"), tr("Tasks of the faster run that lie in the interval"),
                       [at](int row) {
                           QStringList tasks;
                           for (const Filling& filling : at(row).by) {
                               if (tasks.size() == 8) {
                                   tasks << QStringLiteral("…");
                                   break;
                               }
                               tasks << QString::fromStdString(toText(filling.task));
                           }
                           return tasks.join(QLatin1Char(' '));
                       },
                       nullptr});
    model.set(std::move(columns), static_cast<int>(c->filled.size()), [c, at](int row) {
        const FilledBubble& bubble = at(row);
        std::vector<RunInterval> intervals{
            {c->slower().slot, bubble.gap.device, LaneKind::Compute, {bubble.gap.start, bubble.gap.end}}};
        for (const Filling& filling : bubble.by)
            intervals.push_back({c->faster().slot, bubble.gap.device, LaneKind::Compute, {filling.start, filling.end}});
        return intervals;
    });
}

std::vector<Work> comparedWorks(const TaskDifferences& tasks)
{
    std::set<Work> works;
    for (const TaskDifference& difference : tasks.tasks)
        if (difference.matched())
            works.insert(difference.task.work);
    return {works.begin(), works.end()};
}

std::vector<RunInterval> intervalsOf(const RunComparison& c, const TaskDifference& difference)
{
    std::vector<RunInterval> intervals;
    if (difference.a)
        intervals.push_back(
            {c.a.slot, difference.a->device, LaneKind::Compute, {difference.a->start, difference.a->end}});
    if (difference.b)
        intervals.push_back(
            {c.b.slot, difference.b->device, LaneKind::Compute, {difference.b->start, difference.b->end}});
    return intervals;
}

namespace {

struct QuantityTexts {
    QString name;
    QString low;
    QString high;
};

QuantityTexts textsOf(DeltaQuantity quantity, const QString& b)
{
    switch (quantity) {
    case DeltaQuantity::Start:
        return {tr("start"), tr("earlier in %1").arg(b), tr("later in %1").arg(b)};
    case DeltaQuantity::End:
        return {tr("end"), tr("earlier in %1").arg(b), tr("later in %1").arg(b)};
    case DeltaQuantity::Duration:
        return {tr("duration"), tr("shorter in %1").arg(b), tr("longer in %1").arg(b)};
    case DeltaQuantity::IdleBefore:
        return {tr("idle before"), tr("less in %1").arg(b), tr("more in %1").arg(b)};
    }
    return {};
}

QString cellHint(const RunComparison& c, const std::vector<std::size_t>& tasks, DeltaQuantity quantity)
{
    QStringList lines;
    const QString name = textsOf(quantity, c.b.letter).name;
    for (const std::size_t at : tasks) {
        const TaskDifference& difference = c.tasks.tasks[at];
        if (lines.size() == 6) {
            lines << QStringLiteral("…");
            break;
        }
        if (!difference.matched()) {
            lines << tr("%1: only in %2").arg(taskPhrase(difference.task), difference.a ? c.a.letter : c.b.letter);
            continue;
        }
        const Nanoseconds inA = valueOf(*difference.a, quantity);
        const Nanoseconds inB = valueOf(*difference.b, quantity);
        lines << tr("%1: %2 %3 in %4, %5 in %6 (%7)")
                     .arg(taskPhrase(difference.task), name, timeText(inA), c.a.letter, timeText(inB), c.b.letter,
                          signedTime(inB - inA));
    }
    return lines.isEmpty() ? tr("nothing to compare") : lines.join(QLatin1Char('\n'));
}

/// The mean difference of the tasks of a cell, in milliseconds; NaN where none is in both runs.
double cellValue(const RunComparison& c, const std::vector<std::size_t>& tasks, DeltaQuantity quantity)
{
    double sum = 0;
    int count = 0;
    for (const std::size_t at : tasks)
        if (const TaskDifference& difference = c.tasks.tasks[at]; difference.matched()) {
            sum += inMilliseconds(valueOf(*difference.b, quantity) - valueOf(*difference.a, quantity));
            ++count;
        }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

DeltaMap deltaMap(const std::shared_ptr<const RunComparison>& c, const DeltaMapOrder& order)
{
    DeltaMap result;
    int rows = 0;
    const auto rowOf = [&](const TaskDifference& difference) {
        return order.byDevice ? int{(difference.a ? difference.a : difference.b)->device} : int{difference.task.stage};
    };
    const auto counts = [&](const TaskDifference& difference) {
        return difference.task.work == order.work && difference.task.microbatch >= 0;
    };
    for (const TaskDifference& difference : c->tasks.tasks)
        if (counts(difference)) {
            rows = std::max(rows, rowOf(difference) + 1);
            result.map.columns = std::max(result.map.columns, difference.task.microbatch + 1);
        }
    const auto columns = static_cast<std::size_t>(result.map.columns);
    result.tasks.resize(static_cast<std::size_t>(rows) * columns);
    for (std::size_t at = 0; at < c->tasks.tasks.size(); ++at)
        if (const TaskDifference& difference = c->tasks.tasks[at]; counts(difference))
            result
                .tasks[static_cast<std::size_t>(rowOf(difference)) * columns +
                       static_cast<std::size_t>(difference.task.microbatch)]
                .push_back(at);
    for (int row = 0; row < rows; ++row)
        result.map.rows << (order.byDevice ? deviceName(*c->a.run, row) : QString::number(row));
    for (const std::vector<std::size_t>& tasks : result.tasks)
        result.map.values.push_back(cellValue(*c, tasks, order.quantity));
    const QuantityTexts texts = textsOf(order.quantity, c->b.letter);
    result.map.differences = true;
    result.map.begin = -0.5;
    result.map.end = result.map.columns - 0.5;
    result.map.labelled = 0.5;
    result.map.xLabel = tr("microbatch");
    result.map.yLabel = order.byDevice ? QString() : tr("stage");
    result.map.low = texts.low;
    result.map.high = texts.high;
    result.map.number = [](double value) {
        const QString text = QString::number(std::abs(value), 'f', std::abs(value) < 9.95 ? 1 : 0);
        return value > 0 ? QLatin1Char('+') + text : value < 0 ? QStringLiteral("−") + text : QStringLiteral("0");
    };
    result.map.hint = [c, tasks = result.tasks, columns, quantity = order.quantity](int row, int column) {
        return cellHint(*c, tasks[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)],
                        quantity);
    };
    result.map.headings << (order.byDevice ? QStringLiteral("device") : QStringLiteral("stage"))
                        << QStringLiteral("microbatch") << QStringLiteral("difference_ms");
    return result;
}

} // namespace bubblescope::viz
