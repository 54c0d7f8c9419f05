#include "viz/timeline/span_search.h"

#include "viz/timeline/pick_text.h"
#include "viz/timeline/rows.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>

namespace bubblescope::viz {
namespace {

/// One word (or "stage 2") of a query, prepared for a trace.
struct Word {
    std::array<bool, workCount> works{}; ///< its work has this word in its name
    std::vector<bool> names;             ///< by name of the trace
    std::optional<Task> task;            ///< "2F3": all of it
    std::optional<Work> letter;          ///< "F3", with `microbatch`
    std::optional<int> microbatch;
    std::optional<int> stage;
    std::optional<int> slice;
    std::optional<int> pipe;
    std::optional<int> device;
};

std::optional<int> numberOf(const QString& text)
{
    bool ok = false;
    const int number = text.toInt(&ok);
    return ok && number >= 0 ? std::optional<int>(number) : std::nullopt;
}

/// "stage 2": the field that the first word names and the second one fills.
bool readField(Word& word, const QString& field, const QString& value)
{
    const std::pair<const char*, std::optional<int> Word::*> fields[] = {
        {"stage", &Word::stage}, {"microbatch", &Word::microbatch}, {"mb", &Word::microbatch}, {"slice", &Word::slice},
        {"pipe", &Word::pipe},   {"device", &Word::device},         {"worker", &Word::device}, {"gpu", &Word::device}};
    for (const auto& [name, member] : fields)
        if (field.compare(QLatin1String(name), Qt::CaseInsensitive) == 0) {
            word.*member = numberOf(value);
            return (word.*member).has_value();
        }
    return false;
}

/// "F3" and "2F3". A capital letter may be typed small where no other work has the small one.
void readTask(Word& word, const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d*)([A-Za-z])(\\d+)(\\S*)$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return;
    const QChar typed = match.captured(2).front();
    auto work = workFromLetter(typed.toLatin1());
    if (!work)
        work = workFromLetter(typed.toUpper().toLatin1());
    if (!work)
        return;
    if (match.captured(1).isEmpty() && match.captured(4).isEmpty()) {
        word.letter = work;
        word.microbatch = numberOf(match.captured(3));
        return;
    }
    const QString whole =
        match.captured(1) + QLatin1Char(workName(*work).letter) + match.captured(3) + match.captured(4);
    word.task = taskFromText(whole.toStdString());
}

Word prepare(const TraceColumns& trace, const QString& text)
{
    Word word;
    const std::string lower = text.toLower().toStdString();
    for (std::size_t work = 0; work < word.works.size(); ++work)
        word.works[work] =
            text.size() > 1 && workName(static_cast<Work>(work)).name.find(lower) != std::string_view::npos;
    word.names.reserve(trace.names.size());
    for (const std::string& name : trace.names)
        word.names.push_back(!name.empty() && QString::fromStdString(name).contains(text, Qt::CaseInsensitive));
    readTask(word, text);
    if (const auto work = text.size() == 1 ? workFromLetter(text.front().toLatin1()) : std::nullopt)
        word.works[static_cast<std::size_t>(*work)] = true;
    if (!word.letter && !word.task)
        word.microbatch = numberOf(text);
    return word;
}

std::vector<Word> wordsOf(const TraceColumns& trace, const QString& text)
{
    std::vector<Word> words;
    const QStringList parts = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (qsizetype at = 0; at < parts.size(); ++at) {
        Word field;
        if (at + 1 < parts.size() && readField(field, parts[at], parts[at + 1])) {
            words.push_back(std::move(field));
            ++at;
            continue;
        }
        words.push_back(prepare(trace, parts[at]));
    }
    return words;
}

bool carriesMicrobatch(Work work)
{
    return isCompute(work) || work == Work::Send || work == Work::Receive || work == Work::Offload ||
           work == Work::Reload;
}

bool matchesTask(const Word& word, const Task& task, int device)
{
    if (word.works[static_cast<std::size_t>(task.work)] || (word.task && *word.task == task))
        return true;
    if (word.letter)
        return task.work == *word.letter && task.microbatch.value == word.microbatch;
    const std::tuple<const std::optional<int>&, int, bool> fields[] = {
        {word.microbatch, task.microbatch.value, carriesMicrobatch(task.work)},
        {word.stage, task.stage.value, true},
        {word.slice, task.slice.value, true},
        {word.pipe, task.pipe.value, true},
        {word.device, device, true}};
    return std::any_of(std::begin(fields), std::end(fields), [](const auto& field) {
        const auto& [wanted, value, applies] = field;
        return wanted && applies && *wanted == value;
    });
}

/// What of a span a query looks at.
struct Candidate {
    Task task;
    std::uint32_t name = 0;
    int device = 0;
};

bool matches(const std::vector<Word>& words, const Candidate& span)
{
    return std::all_of(words.begin(), words.end(), [&](const Word& word) {
        if (span.name == 0)
            return matchesTask(word, span.task, span.device);
        return (!word.names.empty() && word.names[span.name]) || (word.device && *word.device == span.device);
    });
}

QRegularExpression expressionOf(const SearchQuery& query)
{
    return QRegularExpression(query.text, QRegularExpression::CaseInsensitiveOption);
}

Candidate candidateOf(const SpanKind& kind, std::uint32_t number, int device)
{
    SpanEntry entry;
    entry.kind = kind;
    entry.number = number;
    const Span span = spanOf(entry);
    return {span.task, span.name, device};
}

template <class Matches>
std::vector<std::uint32_t> scan(const SpanColumns& spans, int device, const Progress& progress, const Matches& isMatch)
{
    constexpr std::uint32_t checkEvery = 4096;
    std::vector<std::uint32_t> found;
    for (const SpanChunk& chunk : spans.chunks())
        for (std::uint32_t i = 0; i < chunk.count; ++i) {
            if (i % checkEvery == 0)
                progress.check();
            bool match = isMatch(candidateOf(chunk.kinds[chunk.kind[i]], chunk.number[i], device));
            if (!match && !chunk.joins.empty())
                for (auto [join, last] = chunk.joinsOf(i); join < last && !match; ++join)
                    match = isMatch(candidateOf(chunk.kinds[chunk.joins[join].kind], chunk.joins[join].number, device));
            if (match)
                found.push_back(static_cast<std::uint32_t>(chunk.first) + i);
        }
    return found;
}

template <class Matches>
SpanMatches scan(std::shared_ptr<const TraceColumns> columns, const Progress& progress, const Matches& isMatch)
{
    SpanMatches found;
    found.columns = std::move(columns);
    for (const LaneColumns& lane : found.columns->lanes) {
        LaneMatches& own = found.lanes.emplace_back();
        for (const SpanColumns& spans : lane.subLanes)
            own.parts.push_back(scan(spans, lane.device, progress, isMatch));
        own.parts.push_back(scan(lane.moments, lane.device, progress, isMatch));
        for (const auto& part : own.parts)
            found.count += part.size();
    }
    return found;
}

} // namespace

QString problemOf(const SearchQuery& query)
{
    if (!query.regular)
        return {};
    const QRegularExpression expression = expressionOf(query);
    if (expression.isValid())
        return {};
    return QCoreApplication::translate("Search", "Not a regular expression: %1 at character %2.")
        .arg(expression.errorString())
        .arg(expression.patternErrorOffset());
}

const SpanColumns& SpanMatches::spansOf(std::size_t lane, std::size_t part) const
{
    const LaneColumns& there = columns->lanes[lane];
    return part < there.subLanes.size() ? there.subLanes[part] : there.moments;
}

SpanMatches findSpans(const RunView& run, const SearchQuery& query, const Progress& progress)
{
    const auto columns = columnsOfRun(run);
    if (query.empty() || !problemOf(query).isEmpty())
        return {columns, {}, 0};
    if (!query.regular) {
        const std::vector<Word> words = wordsOf(*columns, query.text);
        return scan(columns, progress, [&words](const Candidate& span) { return matches(words, span); });
    }
    const QRegularExpression expression = expressionOf(query);
    std::vector<bool> names;
    for (const std::string& name : columns->names)
        names.push_back(!name.empty() && expression.match(QString::fromStdString(name)).hasMatch());
    return scan(columns, progress, [&](const Candidate& span) {
        if (span.name != 0)
            return bool{names[span.name]};
        const QString text = QString::fromStdString(toText(span.task)) + QLatin1Char(' ') + taskPhrase(span.task);
        return expression.match(text).hasMatch();
    });
}

namespace {

auto orderOf(const MatchPlace& place)
{
    return std::tuple(place.start, place.slot, place.lane, place.part, place.index);
}

} // namespace

/// Calls visit(indices, at) for each part of a lane with matches, where at(i) is the place of index i.
template <class Visit>
void MatchWalk::visitLanes(Visit visit) const
{
    for (std::size_t slot = 0; slot < m_parts.size(); ++slot) {
        if (!m_parts[slot].matches)
            continue;
        const SpanMatches& matches = *m_parts[slot].matches;
        const Nanoseconds offset = m_parts[slot].offset;
        for (std::size_t lane = 0; lane < matches.lanes.size(); ++lane)
            for (std::size_t part = 0; part < matches.lanes[lane].parts.size(); ++part) {
                const SpanColumns& spans = matches.spansOf(lane, part);
                const bool moment = part + 1 == matches.lanes[lane].parts.size();
                visit(matches.lanes[lane].parts[part], [=, &spans](std::uint32_t index) {
                    return MatchPlace{static_cast<int>(slot),      static_cast<int>(lane),
                                      static_cast<int>(part),      index,
                                      spans.start(index) + offset, moment};
                });
            }
    }
}

MatchPlace MatchWalk::next(const MatchPlace& place) const
{
    MatchPlace best;
    visitLanes([&](const std::vector<std::uint32_t>& spans, const auto& at) {
        const auto found = std::partition_point(
            spans.begin(), spans.end(), [&](std::uint32_t span) { return orderOf(at(span)) <= orderOf(place); });
        if (found != spans.end() && (!best.valid() || orderOf(at(*found)) < orderOf(best)))
            best = at(*found);
    });
    return best;
}

MatchPlace MatchWalk::previous(const MatchPlace& place) const
{
    MatchPlace best;
    visitLanes([&](const std::vector<std::uint32_t>& spans, const auto& at) {
        const auto found = std::partition_point(spans.begin(), spans.end(),
                                                [&](std::uint32_t span) { return orderOf(at(span)) < orderOf(place); });
        if (found != spans.begin() && (!best.valid() || orderOf(best) < orderOf(at(*std::prev(found)))))
            best = at(*std::prev(found));
    });
    return best;
}

MatchPlace MatchWalk::after(const MatchPlace& place) const
{
    const MatchPlace found = next(place);
    return found.valid() ? found : next({-1, 0, 0, 0, std::numeric_limits<Nanoseconds>::lowest()});
}

MatchPlace MatchWalk::before(const MatchPlace& place) const
{
    const MatchPlace found = previous(place);
    return found.valid() ? found : previous({0, 0, 0, 0, std::numeric_limits<Nanoseconds>::max()});
}

std::size_t MatchWalk::rank(const MatchPlace& place) const
{
    std::size_t rank = 0;
    visitLanes([&](const std::vector<std::uint32_t>& spans, const auto& at) {
        const auto found = std::partition_point(
            spans.begin(), spans.end(), [&](std::uint32_t span) { return orderOf(at(span)) <= orderOf(place); });
        rank += static_cast<std::size_t>(found - spans.begin());
    });
    return rank;
}

std::size_t MatchWalk::count() const
{
    std::size_t count = 0;
    for (const Part& part : m_parts)
        count += part.matches ? part.matches->count : 0;
    return count;
}

} // namespace bubblescope::viz
