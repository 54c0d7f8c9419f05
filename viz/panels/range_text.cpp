#include "viz/panels/range_text.h"

#include "viz/run/core_text.h"
#include "viz/timeline/pick_text.h"
#include "viz/timeline/time_text.h"

#include <QCoreApplication>

namespace bubblescope::viz {
namespace {

QString tr(const char* source)
{
    return QCoreApplication::translate("Range", source);
}

/// Causes that take time in any of the ranges.
std::vector<std::size_t> causesOf(const std::vector<RangeOfRun>& ranges)
{
    std::vector<std::size_t> causes;
    for (std::size_t cause = 0; cause < idleCauses; ++cause) {
        bool present = false;
        for (const RangeOfRun& range : ranges)
            for (const DeviceSummary& device : range.summary.devices)
                present = present || device.cause[cause] > 0;
        if (present)
            causes.push_back(cause);
    }
    return causes;
}

QString quoted(const QString& text)
{
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n')))
        return text;
    QString inside = text;
    return QLatin1Char('"') + inside.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

QString csvLine(const QStringList& fields)
{
    QStringList line;
    for (const QString& field : fields)
        line << quoted(field);
    return line.join(QLatin1Char(',')) + QLatin1Char('\n');
}

QString joined(const TextTable& table)
{
    QString text = table.headers.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const QStringList& row : table.rows)
        text += row.join(QLatin1Char('\t')) + QLatin1Char('\n');
    return text;
}

/// For programs: the same in every language.
QString plainName(const KindSummary& kind)
{
    return QString::fromStdString(kind.name.empty() ? std::string(workName(kind.work).name) : kind.name);
}

} // namespace

QString kindName(const KindSummary& kind)
{
    return kind.name.empty() ? workTitle(kind.work) : QString::fromStdString(kind.name);
}

TextTable workTable(const std::vector<RangeOfRun>& ranges)
{
    TextTable table{
        {tr("Run"), tr("Work"), tr("Count"), tr("Sum"), tr("Average"), tr("Shortest"), tr("Longest"), tr("Share")}, {}};
    for (const RangeOfRun& range : ranges)
        for (const KindSummary& kind : range.summary.kinds)
            table.rows.push_back({range.letter, kindName(kind), QString::number(kind.count), timeText(kind.sum),
                                  timeText(kind.average()), timeText(kind.shortest), timeText(kind.longest),
                                  percentText(range.summary.share(kind.sum))});
    return table;
}

TextTable deviceTable(const std::vector<RangeOfRun>& ranges)
{
    TextTable table{{tr("Run"), tr("Device"), tr("Busy"), tr("Idle"), tr("Busy share")}, {}};
    const std::vector<std::size_t> causes = causesOf(ranges);
    for (const std::size_t cause : causes)
        table.headers << causeTitle(static_cast<IdleCause>(cause));
    for (const RangeOfRun& range : ranges)
        for (std::size_t device = 0; device < range.summary.devices.size(); ++device) {
            const DeviceSummary& there = range.summary.devices[device];
            const auto length = static_cast<double>(range.summary.length());
            QStringList row{range.letter, deviceName(*range.run, static_cast<int>(device)), timeText(there.busy),
                            timeText(there.idle),
                            percentText(length > 0 ? static_cast<double>(there.busy) / length : 0)};
            for (const std::size_t cause : causes)
                row << (there.cause[cause] == 0 ? QStringLiteral("–") : timeText(there.cause[cause]));
            table.rows.push_back(row);
        }
    return table;
}

QString rangeSentence(const std::vector<RangeOfRun>& ranges)
{
    if (ranges.empty())
        return {};
    const RangeSummary& first = ranges.front().summary;
    return tr("%1, from %2 to %3").arg(timeText(first.length()), timeText(first.begin), timeText(first.end));
}

QString rangeAsText(const std::vector<RangeOfRun>& ranges)
{
    if (ranges.empty())
        return {};
    return rangeSentence(ranges) + QStringLiteral("\n\n") + joined(workTable(ranges)) + QLatin1Char('\n') +
           joined(deviceTable(ranges));
}

QString rangeAsCsv(const std::vector<RangeOfRun>& ranges)
{
    QString text = QStringLiteral("run,begin_ns,end_ns,work,count,sum_ns,average_ns,min_ns,max_ns,share\n");
    const auto number = [](Nanoseconds time) { return QString::number(time); };
    for (const RangeOfRun& range : ranges)
        for (const KindSummary& kind : range.summary.kinds)
            text +=
                csvLine({range.letter, number(range.summary.begin), number(range.summary.end), plainName(kind),
                         QString::number(kind.count), number(kind.sum), number(kind.average()), number(kind.shortest),
                         number(kind.longest), QString::number(range.summary.share(kind.sum), 'g', 6)});
    QStringList headers{QStringLiteral("run"), QStringLiteral("device"), QStringLiteral("busy_ns"),
                        QStringLiteral("idle_ns")};
    for (int cause = 0; cause < idleCauses; ++cause)
        headers << QString::fromLatin1(idleCauseName(static_cast<IdleCause>(cause))) + QStringLiteral("_ns");
    text += QLatin1Char('\n') + csvLine(headers);
    for (const RangeOfRun& range : ranges)
        for (std::size_t device = 0; device < range.summary.devices.size(); ++device) {
            const DeviceSummary& there = range.summary.devices[device];
            QStringList row{range.letter, QString::number(device), number(there.busy), number(there.idle)};
            for (const Nanoseconds cause : there.cause)
                row << number(cause);
            text += csvLine(row);
        }
    return text;
}

} // namespace bubblescope::viz
