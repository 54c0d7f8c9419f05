#include "viz/run/core_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <vector>

namespace bubblescope::viz {
namespace {

// As core writes them, with %1, %2 … for what differs. What stands there is looked for here in its turn.
// The first that fits is taken, so the general ones stand last.
constexpr const char* sentences[] = {
    // suggestions
    QT_TRANSLATE_NOOP("Core", "Balance the partition by cost"),
    QT_TRANSLATE_NOOP("Core", "Move layer %1 from stage %2 to stage %3"),
    QT_TRANSLATE_NOOP("Core", "Use %1 microbatches"),
    QT_TRANSLATE_NOOP("Core", "Keep activations instead of recomputing them"),
    QT_TRANSLATE_NOOP("Core", "Use a link twice as fast"),
    QT_TRANSLATE_NOOP("Core", "Use %1 chunks a device"),
    QT_TRANSLATE_NOOP("Core", "Use the schedule %1"),
    QT_TRANSLATE_NOOP("Core", "Go back to the order of %1"),
    QT_TRANSLATE_NOOP("Core", "a step has %1 instead of %2; %3"),
    QT_TRANSLATE_NOOP("Core", "a step has %1 instead of %2"),
    QT_TRANSLATE_NOOP("Core", "needs memory for all of them; %1"),
    QT_TRANSLATE_NOOP("Core", "needs memory for all of them"),
    QT_TRANSLATE_NOOP("Core", "holds %1 activations at most instead of %2"),
    // why a gap is there
    QT_TRANSLATE_NOOP("Core", "Device %1 is idle for %2 before %3, from %4 to %5."),
    QT_TRANSLATE_NOOP("Core", "the end of the run"),
    QT_TRANSLATE_NOOP("Core", "Why: %1."),
    QT_TRANSLATE_NOOP("Core", "A later forward was ready, but with it the device would have passed the memory limit."),
    QT_TRANSLATE_NOOP("Core", "It waits for %1."),
    QT_TRANSLATE_NOOP("Core", "Device %1 is what it waits for longest: %2 of %3."),
    // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): one sentence
    QT_TRANSLATE_NOOP("Core", "%1 could begin another %2 later before the end moves: filling this gap alone gains "
                              "nothing."),
    QT_TRANSLATE_NOOP("Core", "%1 is on the critical path: if it began earlier, the run could end earlier."),
    QT_TRANSLATE_NOOP("Core", "the end of %1 on device %2"),
    QT_TRANSLATE_NOOP("Core", "the result of %1, on its way from device %2"),
    QT_TRANSLATE_NOOP("Core", "%1, which several devices do together"),
    QT_TRANSLATE_NOOP("Core", "the copy %1 on device %2"),
    QT_TRANSLATE_NOOP("Core", "the data of %1 to arrive"),
    QT_TRANSLATE_NOOP("Core", "nothing that is recorded: %1 could have begun %2 earlier"),
    // problems of an order
    QT_TRANSLATE_NOOP("Core", "Devices %1 wait for each other: %2. Devices %3 wait because of them (%4)."),
    QT_TRANSLATE_NOOP("Core", "Devices %1 wait for each other: %2. Device %3 waits because of them (%4)."),
    QT_TRANSLATE_NOOP("Core", "Devices %1 wait for each other: %2."),
    QT_TRANSLATE_NOOP("Core", "Device %1 waits for itself: %2. Devices %3 wait because of them (%4)."),
    QT_TRANSLATE_NOOP("Core", "Device %1 waits for itself: %2. Device %3 waits because of them (%4)."),
    QT_TRANSLATE_NOOP("Core", "Device %1 waits for itself: %2."),
    QT_TRANSLATE_NOOP("Core", "%1 is missing: microbatch %2 never runs forward on stage %3."),
    QT_TRANSLATE_NOOP("Core", "%1 is missing before %2."),
    QT_TRANSLATE_NOOP("Core", "%1 is missing, or %2 and %3 in its place."),
    QT_TRANSLATE_NOOP("Core", "%1 is missing after %2."),
    QT_TRANSLATE_NOOP("Core", "%1 stands twice on device %2."),
    QT_TRANSLATE_NOOP("Core", "%1 stands on device %2 and again on device %3."),
    QT_TRANSLATE_NOOP("Core", "%1 runs on device %2, but stage %3 is placed on device %4."),
    QT_TRANSLATE_NOOP("Core", "%1 runs on device %2, but stage %3 is placed nowhere."),
    // parts of them
    QT_TRANSLATE_NOOP("Core", "warmup %1 (the pipeline fills)"),
    QT_TRANSLATE_NOOP("Core", "drain %1 (the pipeline empties)"),
    QT_TRANSLATE_NOOP("Core", "dependency %1 (the order makes the device wait even if all stages were equal and "
                              "transfers free)"),
    QT_TRANSLATE_NOOP("Core", "arrival %1 (the data had not arrived from outside)"),
    QT_TRANSLATE_NOOP("Core", "imbalance %1 (stages don't cost the same, and this device waits for a slower one)"),
    QT_TRANSLATE_NOOP("Core", "communication %1 (transfers between devices take time)"),
    QT_TRANSLATE_NOOP("Core", "synchronisation %1 (devices wait for each other at a barrier or collective)"),
    QT_TRANSLATE_NOOP("Core", "memory %1 (activations or weights are still being copied)"),
    QT_TRANSLATE_NOOP("Core", "jitter %1 (this time the tasks took longer or shorter than they usually do)"),
    QT_TRANSLATE_NOOP("Core", "unexplained %1 (none of the modelled reasons covers it)"),
    QT_TRANSLATE_NOOP("Core", "and so on"),
    QT_TRANSLATE_NOOP("Core", "%1; %2"),
    QT_TRANSLATE_NOOP("Core", "%1 stands at %2, which needs %3 later on the same lane"),
    QT_TRANSLATE_NOOP("Core", "%1 stands at %2, which needs %3 of %4"),
    QT_TRANSLATE_NOOP("Core", "%1 stands at %2, which has to start together with %3 later on the same lane"),
    QT_TRANSLATE_NOOP("Core", "%1 stands at %2, which has to start together with %3 of %4"),
    QT_TRANSLATE_NOOP("Core", "%1, device %2"),
    QT_TRANSLATE_NOOP("Core", "%1 at %2"),
    QT_TRANSLATE_NOOP("Core", "device %1 (%2 lane %3)"),
    QT_TRANSLATE_NOOP("Core", "device %1"),
    QT_TRANSLATE_NOOP("Core", "%1 and %2 more"),
    // remarks on a comparison
    QT_TRANSLATE_NOOP("Core", "%1 computes both gradients in one task, %2 in two: B is set against I, and W has no "
                              "partner. %3"),
    QT_TRANSLATE_NOOP("Core", "%1 computes both gradients in one task, %2 in two: B is set against I, and W has no "
                              "partner."),
    QT_TRANSLATE_NOOP("Core", "%1 tasks only in A and %2 tasks only in B have no partner."),
    QT_TRANSLATE_NOOP("Core", "%1 task only in A and %2 tasks only in B have no partner."),
    QT_TRANSLATE_NOOP("Core", "%1 tasks only in A and %2 task only in B have no partner."),
    QT_TRANSLATE_NOOP("Core", "A has %1 stages, B has %2 stages: %3 stages of %4 together are set against one of %5."),
    QT_TRANSLATE_NOOP("Core", "A has %1 stages, B has %2 stages: stages of the same number are compared, although "
                              "they hold different layers, and the others have no partner."),
    QT_TRANSLATE_NOOP("Core", "The runs cut microbatches into slices differently: whole microbatches are compared."),
    // names of partitions, and their ideas
    QT_TRANSLATE_NOOP("Core", "Even"),
    QT_TRANSLATE_NOOP("Core", "Every stage has the same number of layers."),
    QT_TRANSLATE_NOOP("Core", "Balanced by cost"),
    QT_TRANSLATE_NOOP("Core", "The slowest stage is as fast as any partition allows."),
    QT_TRANSLATE_NOOP("Core", "Balanced over devices"),
    QT_TRANSLATE_NOOP("Core", "The device with most to do has as little as can be; its stages may differ."),
    QT_TRANSLATE_NOOP("Core", "Balanced by memory"),
    QT_TRANSLATE_NOOP("Core", "The stage with most bytes has as few as can be: weights, optimizer states and "
                              "activations."),
    QT_TRANSLATE_NOOP("Core", "Searched by prediction"),
    QT_TRANSLATE_NOOP("Core", "From the balanced one, single layers move as long as the predicted time gets less."),
};

struct Pattern {
    const char* sentence;
    QRegularExpression expression;
};

std::vector<Pattern> makePatterns()
{
    static const QRegularExpression place(QStringLiteral("%\\d"));
    std::vector<Pattern> patterns;
    for (const char* sentence : sentences) {
        QString expression;
        qsizetype from = 0;
        const QString text = QString::fromUtf8(sentence);
        for (auto places = place.globalMatch(text); places.hasNext();) {
            const QRegularExpressionMatch match = places.next();
            expression +=
                QRegularExpression::escape(text.mid(from, match.capturedStart() - from)) + QStringLiteral("(.+?)");
            from = match.capturedEnd();
        }
        expression += QRegularExpression::escape(text.mid(from));
        patterns.push_back({sentence, QRegularExpression(QRegularExpression::anchoredPattern(expression))});
    }
    return patterns;
}

QString translated(const QString& text)
{
    static const std::vector<Pattern> patterns = makePatterns();
    for (const Pattern& pattern : patterns) {
        const QRegularExpressionMatch match = pattern.expression.match(text);
        if (!match.hasMatch())
            continue;
        QString result = QCoreApplication::translate("Core", pattern.sentence);
        for (int part = match.lastCapturedIndex(); part > 0; --part)
            result.replace(QStringLiteral("%%1").arg(part), translated(match.captured(part)));
        return result;
    }
    return text;
}

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

QString workTitle(Work work)
{
    const std::string name(workName(work).name);
    return QCoreApplication::translate("Work", name.c_str());
}

QString spanTitle(const std::string& name)
{
    return QCoreApplication::translate("Work", name.c_str());
}

QString inSentence(const QString& title)
{
    // A noun, to see how the language writes one.
    const bool capitals = QCoreApplication::translate("Language", "device").at(0).isUpper();
    return capitals ? title : title.left(1).toLower() + title.mid(1);
}

QString runStateTitle(RunState state)
{
    return QCoreApplication::translate("RunState", runStateText(state));
}

QString coreText(std::string_view sentences)
{
    QStringList lines;
    for (const QString& line : fromView(sentences).split(QLatin1Char('\n')))
        lines << translated(line);
    return lines.join(QLatin1Char('\n'));
}

} // namespace bubblescope::viz
