// The German of the window: its file against the texts, its menus, and what core says.

#include "core/analyze/suggest.h"
#include "core/analyze/why.h"
#include "core/partition/partition.h"
#include "core/schedule/edit_order.h"
#include "tests/viz/support.h"
#include "viz/run/core_text.h"
#include "viz/window/language.h"

#include <QFile>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

class InLanguage {
public:
    explicit InLanguage(const QString& code) { useLanguage(code); }

    ~InLanguage() { useLanguage(QStringLiteral("en")); }

    InLanguage(const InLanguage&) = delete;
    InLanguage& operator=(const InLanguage&) = delete;
};

bool speaksGerman()
{
    if (languages().size() >= 3)
        return true;
    WARN("SKIPPED: built without translations");
    return false;
}

struct Message {
    QString source;
    QStringList translations; ///< more than one where they follow a number
};

/// Of one <translation>: its text, or its forms for numbers.
QStringList translationsIn(QXmlStreamReader& xml)
{
    QStringList forms;
    QString text;
    while (xml.readNext() != QXmlStreamReader::EndElement) {
        if (xml.isStartElement())
            forms << xml.readElementText();
        else
            text += xml.text();
    }
    return forms.isEmpty() ? QStringList{text} : forms;
}

std::vector<Message> germanMessages()
{
    QFile file(QStringLiteral(BUBBLESCOPE_TEST_DATA "/../../resources/translations/bubblescope_de.ts"));
    REQUIRE(file.open(QIODevice::ReadOnly));
    std::vector<Message> messages;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("message"))
            messages.emplace_back();
        else if (xml.name() == QLatin1String("source"))
            messages.back().source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation") &&
                 xml.attributes().value(QLatin1String("type")) != QLatin1String("unfinished"))
            messages.back().translations = translationsIn(xml);
    }
    REQUIRE_FALSE(xml.hasError());
    return messages;
}

/// "%1 %2 %n", sorted.
QStringList placesOf(const QString& text)
{
    static const QRegularExpression place(QStringLiteral("%(\\d|n)"));
    QStringList places;
    for (auto found = place.globalMatch(text); found.hasNext();)
        places << found.next().captured();
    places.sort();
    return places;
}

/// What a text has to keep: its places and its ends.
QStringList signsOf(const QString& text)
{
    QStringList signs = placesOf(text);
    if (text.endsWith(QStringLiteral(" …")))
        signs << QStringLiteral("…");
    if (text.startsWith(QLatin1Char(' ')))
        signs << QStringLiteral("space at the begin");
    if (text.endsWith(QLatin1Char(' ')))
        signs << QStringLiteral("space at the end");
    for (const char sign : {'&', '\n', '|'})
        signs << QString::number(text.count(QLatin1Char(sign)));
    return signs;
}

/// "Menu: one | other" for entries that the same letter opens.
void collectTwins(const QMenu& menu, QStringList& twins)
{
    QHash<QChar, QString> owners;
    for (const QAction* action : menu.actions()) {
        const qsizetype at = action->text().indexOf(QLatin1Char('&'));
        if (action->menu())
            collectTwins(*action->menu(), twins);
        if (at < 0 || at + 1 >= action->text().size())
            continue;
        QString& owner = owners[action->text().at(at + 1).toUpper()];
        if (!owner.isEmpty())
            twins << menu.title() + QStringLiteral(": ") + owner + QStringLiteral(" | ") + action->text();
        owner = action->text();
    }
}

/// Words that German hasn't.
bool looksEnglish(const QString& text)
{
    static const QRegularExpression words(
        QStringLiteral("\\b(the|is|of|and|with|on|from|it|waits?|device|stage|which|use|move|than|has|be)\\b"),
        QRegularExpression::CaseInsensitiveOption);
    return words.match(text).hasMatch();
}

} // namespace

TEST_CASE("translations keep the places, letters and ends of their texts", "[viz][language]")
{
    const std::vector<Message> messages = germanMessages();
    CHECK(messages.size() > 900);
    for (const Message& message : messages) {
        CAPTURE(message.source.toStdString());
        REQUIRE_FALSE(message.translations.isEmpty());
        for (const QString& translation : message.translations) {
            CAPTURE(translation.toStdString());
            CHECK_FALSE(translation.isEmpty());
            // Each number form is compared; the one for 1 may say it in a word.
            QString source = message.source;
            if (message.translations.size() > 1 && !translation.contains(QStringLiteral("%n")))
                source.remove(QStringLiteral("%n"));
            CHECK(signsOf(translation) == signsOf(source));
        }
    }
}

TEST_CASE("every entry of a menu has a letter of its own", "[viz][language]")
{
    for (const char* language : {"en", "de"}) {
        if (language == std::string_view("de") && !speaksGerman())
            continue;
        const InLanguage spoken(QString::fromUtf8(language));
        test::TestWindow test;
        QMenu bar(QStringLiteral("menu bar"));
        bar.addActions(test.window.menuBar()->actions());
        QStringList twins;
        collectTwins(bar, twins);
        CAPTURE(language);
        CHECK(twins.join(QLatin1Char('\n')) == "");
    }
}

TEST_CASE("in German keys have German names", "[viz][language]")
{
    if (!speaksGerman())
        return;
    const InLanguage german(QStringLiteral("de"));
    CHECK(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S).toString(QKeySequence::NativeText) == "Strg+Umschalt+S");
}

TEST_CASE("what core says of gaps, problems and partitions is said in German", "[viz][language]")
{
    if (!speaksGerman())
        return;
    const InLanguage german(QStringLiteral("de"));
    CHECK(workTitle(Work::WeightGradient) == "Gewichtsgradient");
    CHECK(coreText("Move layer 18 from stage 3 to stage 2") == "Schicht 18 von Stufe 3 nach Stufe 2 verschieben");
    CHECK(coreText("a step has 12 instead of 8; holds 7 activations at most instead of 4") ==
          "ein Schritt hat 12 statt 8; hält höchstens 7 Aktivierungen statt 4");
    CHECK(coreText("100 %1 isn't known") == "100 %1 isn't known");
    for (const char* recipe : {"1f1b", "zb-h1", "interleaved-1f1b", "gpipe"}) {
        const RunPtr run = test::predicted(recipe, 4, 8, "F=1,I=1,W=1");
        for (const Gap& gap : run->idle.gaps) {
            const QString text = coreText(whyText(run->plan->schedule, run->plan->costs, run->timing, gap));
            CAPTURE(text.toStdString());
            CHECK_FALSE(looksEnglish(text));
        }
    }
    const RunPtr run = test::predicted("1f1b");
    Experiment experiment = run->experiment;
    experiment.model.layers = 30;
    experiment.model.headCost = 4;
    const Plan planned = plan(experiment, run->plan->spec);
    const Timing timing = simulate(planned.schedule, planned.costs);
    for (const PartitionChoice& choice : partitionChoices(experiment, planned, timing, Progress())) {
        CHECK_FALSE(looksEnglish(coreText(choice.title)));
        CHECK_FALSE(looksEnglish(coreText(choice.idea)));
        CHECK(coreText(choice.title).toStdString() != choice.title);
    }
    SuggestRequest request{experiment, run->plan->spec, nullptr};
    for (const Suggestion& suggestion : suggest(request).best) {
        CHECK(coreText(suggestion.change).toStdString() != suggestion.change);
        CHECK_FALSE(looksEnglish(coreText(suggestion.change) + QLatin1Char(' ') + coreText(suggestion.remark)));
    }
}

TEST_CASE("the problems of orders are said in German", "[viz][language]")
{
    if (!speaksGerman())
        return;
    const InLanguage german(QStringLiteral("de"));
    const Schedule whole = test::predicted("1f1b")->plan->schedule;
    std::vector<Schedule> broken;
    for (std::size_t at = 0; at < whole.tasks.size(); at += 5) {
        broken.push_back(deleteUnit(whole, TaskId(static_cast<std::uint32_t>(at))).schedule);
        broken.push_back(moveUnit(whole, TaskId(static_cast<std::uint32_t>(at)), 0).schedule);
    }
    std::size_t problems = 0;
    for (const Schedule& schedule : broken)
        for (const Problem& problem : validate(schedule)) {
            CAPTURE(problem.sentence);
            CHECK_FALSE(looksEnglish(coreText(problem.sentence)));
            ++problems;
        }
    CHECK(problems > 10);
}
