// Activations: the deltas as people write them, and the curves that they give.

#include "core/simulate/memory.h"

#include "core/base/error.h"
#include "core/schedule/grid.h"
#include "core/simulate/activation_changes.h"
#include "core/simulate/memory_walk.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

namespace bubblescope {
namespace {

constexpr int decimals = 6;
constexpr int mostDigits = 6; // before the decimal point

/// "-0.25" → −250000 exactly, further digits rounded; nullopt for anything but a plain decimal number.
std::optional<std::int64_t> millionths(std::string_view text)
{
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+'))
        text.remove_prefix(1);
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, point);
    std::string_view rest = text.substr(std::min(point + 1, text.size()));
    while (!rest.empty() && rest.back() == '0')
        rest.remove_suffix(1);
    if ((whole.empty() && text.size() <= point + 1) || whole.size() > mostDigits)
        return std::nullopt;
    const bool up = rest.size() > decimals && rest[decimals] >= '5';
    for (const char c : rest)
        if (c < '0' || c > '9')
            return std::nullopt;
    rest = rest.substr(0, decimals);
    std::int64_t value = 0;
    for (const std::string_view digits : {whole, rest})
        for (const char c : digits) {
            if (c < '0' || c > '9')
                return std::nullopt;
            value = value * 10 + (c - '0');
        }
    for (std::size_t i = rest.size(); i < decimals; ++i)
        value *= 10;
    value += up ? 1 : 0;
    return negative ? -value : value;
}

/// 1250000 → "1.25".
std::string decimalText(std::int64_t value)
{
    std::string text = fmt::format("{}{}.{:06}", value < 0 ? "-" : "", std::abs(value) / ActivationDeltas::one,
                                   std::abs(value) % ActivationDeltas::one);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::string trimmed(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::map<char, std::int64_t> parseEntries(const std::string& text)
{
    std::map<char, std::int64_t> given;
    if (trimmed(text).empty())
        return given;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string entry = trimmed(text.substr(begin, end - begin));
        const std::size_t equals = std::min(entry.find('='), entry.size());
        const std::string letter = trimmed(entry.substr(0, equals));
        if (letter.size() != 1 || std::string_view("FBIWRoh").find(letter.front()) == std::string_view::npos)
            throw Error("--memory {}: '{}' doesn't begin with a task that holds or frees activations; F, B, I, W, R, o "
                        "(offload) and h (reload) do, as in F=1,I=-0.5,W=-0.5.",
                        text, entry);
        const std::optional<std::int64_t> value =
            equals < entry.size() ? millionths(trimmed(entry.substr(equals + 1))) : std::nullopt;
        if (!value)
            throw Error("--memory {}: '{}' should be {}= and a decimal number of activations with at most {} digits "
                        "before the point, such as -0.5.",
                        text, entry, letter, mostDigits);
        if (!given.emplace(letter.front(), *value).second)
            throw Error("--memory {}: {} is given twice.", text, letter);
        begin = end + 1;
    }
    return given;
}

/// Fills in what isn't given, from what is.
void completeEntries(std::map<char, std::int64_t>& entries)
{
    constexpr std::int64_t one = ActivationDeltas::one;
    const bool split = entries.count('I') + entries.count('W') > 0;
    const bool full = entries.count('B') > 0;
    entries.emplace('F', one);
    entries.emplace('R', 0);
    entries.emplace('I', 0);
    entries.emplace('W', full && !split ? entries['B'] : -one);
    entries.emplace('B', split ? entries['I'] + entries['W'] : -one);
    entries.emplace('o', -entries['F']);
    entries.emplace('h', -entries['o']);
}

/// Fractions such as 2/3 and 1/3 sum to 0 only up to their last digit: `last` takes the difference.
void forgiveRounding(std::int64_t sum, std::int64_t& last)
{
    constexpr std::int64_t most = 1;
    if (sum >= -most && sum <= most)
        last -= sum;
}

} // namespace

ActivationDeltas parseMemory(const std::string& text, bool splitsBackward)
{
    std::map<char, std::int64_t> entries = parseEntries(text);
    completeEntries(entries);
    const std::int64_t taken = entries['F'] + entries['R'];
    forgiveRounding(taken + entries['I'] + entries['W'], entries['W']);
    forgiveRounding(taken + entries['B'], entries['B']);
    const std::int64_t sum = taken + (splitsBackward ? entries['I'] + entries['W'] : entries['B']);
    const char* backward = splitsBackward ? "I and W" : "B";
    if (sum != 0)
        throw Error("--memory {}: a microbatch's F{}, {} sum to {}; they must sum to 0, or what a microbatch holds is "
                    "never freed or freed twice.",
                    text, entries['R'] != 0 ? ", R" : "", backward, decimalText(sum));
    if (entries['o'] + entries['h'] != 0)
        throw Error("--memory {}: o and h sum to {}; they must sum to 0, or what is offloaded never comes back.", text,
                    decimalText(entries['o'] + entries['h']));
    ActivationDeltas deltas;
    for (const auto& [letter, value] : entries) {
        const Work work = *workFromLetter(letter);
        ActivationDeltas::Delta& delta = deltas.of[static_cast<std::size_t>(work)];
        const bool atStart = work == Work::Forward || work == Work::Recompute || work == Work::Reload;
        (atStart ? delta.atStart : delta.atEnd) = value;
    }
    return deltas;
}

namespace {

/// Follows the sum through time. What is given back at an instant goes before what is taken then, so only the
/// value after everything of an instant can be a peak.
class Level {
public:
    Level(ActivationCurve& curve, bool detailed) : m_curve(curve), m_detailed(detailed) {}

    void change(Nanoseconds time, std::int64_t delta)
    {
        if (delta == 0)
            return;
        if (time != m_now) {
            settle();
            m_now = time;
        }
        m_live += delta;
    }

    void settle()
    {
        if (m_live > m_curve.peakParts) {
            m_curve.peakParts = m_live;
            m_curve.peakAt = m_now;
        }
        if (m_detailed && m_live != m_shown) {
            m_curve.steps.push_back({m_now, m_live});
            m_shown = m_live;
        }
    }

private:
    ActivationCurve& m_curve;
    bool m_detailed;
    Nanoseconds m_now = INT64_MIN;
    std::int64_t m_live = 0;
    std::int64_t m_shown = 0;
};

std::int64_t rounded(std::int64_t value, std::int64_t divisor)
{
    return (2 * value + (value < 0 ? -divisor : divisor)) / (2 * divisor);
}

/// The peak of a device with one lane, without looking at any time but that of the peak: tasks of a lane don't
/// overlap, so the order decides. False for joined units, and where tasks
/// without length make an instant of what looks like a peak.
bool peakByOrder(const Schedule& schedule, const Lane& lane, const Timing& timing, const ActivationChanges& changes,
                 ActivationCurve& curve)
{
    std::int64_t live = 0;
    TaskId at = noTask;
    std::uint32_t flags = 0;
    for (TaskId id = lane.begin; id < lane.end; ++id) {
        flags |= schedule.tasks[id].flags;
        const ActivationDeltas::Delta delta = changes(schedule.tasks[id]);
        live += delta.atStart;
        if (live > curve.peakParts) {
            curve.peakParts = live;
            at = id;
        }
        live += delta.atEnd;
    }
    const bool joined = (flags & Task::joinedFlag) != 0; // the tasks of a unit do overlap
    if (at == noTask && !joined)
        return true;
    if (!joined && timing.end[at] > timing.start[at]) {
        curve.peakAt = timing.start[at];
        return true;
    }
    curve = {};
    return false;
}

/// F of whatever still holds something once all changes up to the peak are counted.
std::vector<Task> holdersAtPeak(const Schedule& schedule, std::pair<std::uint32_t, std::uint32_t> lanes,
                                const Timing& timing, const ActivationChanges& changes, Nanoseconds peakAt)
{
    const Grid grid(schedule);
    std::unordered_map<std::uint32_t, std::int64_t> held;
    std::vector<Task> forwards;
    for (std::uint32_t i = lanes.first; i < lanes.second; ++i) {
        for (TaskId id = schedule.lanes[i].begin; id < schedule.lanes[i].end; ++id) {
            Task task = schedule.tasks[id];
            const ActivationDeltas::Delta delta = changes(task);
            const std::int64_t change =
                (timing.start[id] <= peakAt ? delta.atStart : 0) + (timing.end[id] <= peakAt ? delta.atEnd : 0);
            const bool forward = task.work == Work::Forward;
            task.work = Work::Forward;
            task.part = Part{};
            if (change == 0 || !grid.contains(task))
                continue;
            held[grid.slot(task)] += change;
            if (forward)
                forwards.push_back(schedule.tasks[id]);
        }
    }
    std::erase_if(forwards, [&](const Task& task) { return held[grid.slot(task)] <= 0; });
    return forwards;
}

} // namespace

std::vector<ActivationCurve> activationCurves(const Schedule& schedule, const Timing& timing,
                                              const ActivationDeltas& deltas, bool detailed)
{
    const auto ranges = lanesByDevice(schedule);
    const ActivationChanges changes(schedule, deltas);
    std::vector<ActivationCurve> curves(ranges.size());
    const std::int64_t parts = std::int64_t{std::max(1, schedule.shape.chunks)} * std::max(1, schedule.shape.slices);
    const auto counts = [&](const Task& task) {
        const ActivationDeltas::Delta delta = changes(task);
        return delta.atStart != 0 || delta.atEnd != 0;
    };
    for (std::size_t device = 0; device < ranges.size(); ++device) {
        ActivationCurve& curve = curves[device];
        curve.parts = parts;
        const bool oneLane = ranges[device].second - ranges[device].first == 1;
        if (!detailed && oneLane &&
            peakByOrder(schedule, schedule.lanes[ranges[device].first], timing, changes, curve)) {
            curve.peak = rounded(curve.peakParts, parts);
            continue;
        }
        curve.parts = parts;
        Level level(curve, detailed);
        walkChanges(schedule, ranges[device], timing, counts, [&](Nanoseconds time, TaskId id, bool ends) {
            const ActivationDeltas::Delta delta = changes(schedule.tasks[id]);
            level.change(time, ends ? delta.atEnd : delta.atStart);
        });
        level.settle();
        curve.peak = rounded(curve.peakParts, parts);
        for (ActivationCurve::Step& step : curve.steps)
            step.live = rounded(step.live, parts);
        if (detailed && curve.peakParts > 0)
            curve.holders = holdersAtPeak(schedule, ranges[device], timing, changes, curve.peakAt);
    }
    return curves;
}

} // namespace bubblescope
