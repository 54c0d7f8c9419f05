#include "viz/document/workbench.h"

#include "core/base/error.h"
#include "viz/document/run_loader.h"

#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrent>
#include <QUndoCommand>

#include <nlohmann/json.hpp>

namespace bubblescope::viz {
namespace {

/// One edit of the experiment; drags merge into one step.
class DraftEdit : public QUndoCommand {
public:
    DraftEdit(Workbench& workbench, Draft before, Draft after, const QString& text, int merge)
        : QUndoCommand(text)
        , m_workbench(workbench)
        , m_before(std::move(before))
        , m_after(std::move(after))
        , m_merge(merge)
    {
    }

    void undo() override { m_workbench.applyDraft(m_before); }

    void redo() override { m_workbench.applyDraft(m_after); }

    int id() const override { return m_merge; }

    bool mergeWith(const QUndoCommand* other) override
    {
        m_after = static_cast<const DraftEdit*>(other)->m_after;
        return true;
    }

private:
    Workbench& m_workbench;
    Draft m_before;
    Draft m_after;
    int m_merge;
};

/// Runs `work` on another thread and hands its value to `done` on this one, unless `context` is gone.
template <class Work, class Done>
void inBackground(QObject* context, Work work, Done done)
{
    using Value = decltype(work());
    auto* watcher = new QFutureWatcher<Value>(context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, context, [watcher, done] {
        watcher->deleteLater();
        done(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(std::move(work)));
}

template <class Value>
struct Outcome {
    Value value{};
    QString error;
};

/// What went wrong becomes a sentence at the boundary between core and window.
template <class Work>
auto sentenced(Work work) -> Outcome<decltype(work())>
{
    try {
        return {work(), {}};
    } catch (const std::runtime_error& error) {
        return {{}, QString::fromUtf8(error.what())};
    }
}

} // namespace

Workbench::Workbench(QObject* parent) : QObject(parent), m_draft(firstDraft()), m_shown{draftA, draftB}
{
    makeTemporary();
    startPrediction();
}

Workbench::~Workbench() = default;

void Workbench::edit(const Draft& draft, const QString& what, int merge)
{
    m_undo.push(new DraftEdit(*this, m_draft, draft, what, merge));
}

void Workbench::applyDraft(const Draft& draft)
{
    m_draft = draft;
    Q_EMIT draftChanged();
    // What is edited has to be seen: its predictions take the place of stored ones.
    if (std::find(m_shown.begin(), m_shown.end(), draftA) == m_shown.end())
        setShown({draftA, draftB});
    startPrediction();
}

Workbench::Predicted Workbench::predictDraft(const Draft& draft)
{
    Predicted predicted;
    for (int slot = 0; slot < draftSlots; ++slot) {
        const auto at = static_cast<std::size_t>(slot);
        const auto outcome =
            sentenced([&] { return predict(draft.experimentFor(slot), draft.schedule[at], draftA - slot); });
        predicted.runs[at] = outcome.value;
        predicted.errors[at] = outcome.error;
    }
    return predicted;
}

void Workbench::startPrediction()
{
    if (m_predicting) {
        m_predictAgain = true;
        return;
    }
    m_predicting = true;
    inBackground(
        this, [draft = m_draft] { return predictDraft(draft); },
        [this](const Predicted& predicted) {
            m_predicting = false;
            m_predictionErrors = predicted.errors;
            for (std::size_t slot = 0; slot < draftSlots; ++slot)
                m_predictions[slot] = predicted.runs[slot];
            Q_EMIT predictionsChanged();
            Q_EMIT shownChanged();
            if (std::exchange(m_predictAgain, false))
                startPrediction();
        });
}

RunPtr Workbench::run(int number) const
{
    if (number == draftA || number == draftB)
        return m_predictions[number == draftA ? 0 : 1];
    if (number == live)
        return m_live;
    const auto found = m_loaded.find(number);
    return found == m_loaded.end() ? nullptr : found->second;
}

void Workbench::setShown(std::vector<int> numbers)
{
    if (numbers.size() > 8)
        numbers.resize(8);
    m_shown = std::move(numbers);
    for (const int number : m_shown)
        if (number > 0 && !run(number))
            requestLoad(number);
    Q_EMIT shownChanged();
}

void Workbench::show(int number, int slot)
{
    std::vector<int> shown = m_shown;
    const auto at = static_cast<std::size_t>(slot);
    const auto found = std::find(shown.begin(), shown.end(), number);
    if (found != shown.end() && at < shown.size())
        std::iter_swap(found, shown.begin() + slot);
    else if (found == shown.end() && at < shown.size())
        shown[at] = number;
    else if (found == shown.end())
        shown.push_back(number);
    setShown(shown);
}

void Workbench::toggleShown(int number)
{
    std::vector<int> shown = m_shown;
    const auto found = std::find(shown.begin(), shown.end(), number);
    if (found == shown.end())
        shown.push_back(number);
    else if (shown.size() > 1)
        shown.erase(found);
    setShown(shown);
}

std::vector<RunPtr> Workbench::shownRuns() const
{
    std::vector<RunPtr> runs;
    for (const int number : m_shown)
        if (const RunPtr loaded = run(number))
            runs.push_back(loaded);
    return runs;
}

void Workbench::setLive(RunPtr run)
{
    const bool shownAlready = std::find(m_shown.begin(), m_shown.end(), live) != m_shown.end();
    m_live = std::move(run);
    std::vector<int> shown = m_shown;
    if (m_live && !shownAlready) {
        if (shown.size() >= 8)
            shown.pop_back();
        shown.push_back(live);
    } else if (!m_live && shownAlready) {
        shown.erase(std::find(shown.begin(), shown.end(), live));
    }
    setShown(shown);
}

bool Workbench::unsaved() const
{
    return m_temporary && (!m_runs.empty() || !m_undo.isClean());
}

QString Workbench::displayName() const
{
    return m_temporary ? tr("untitled") : QFileInfo(m_path).fileName();
}

void Workbench::makeTemporary()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("untitled.bscope"));
    m_temporary = true;
    ++m_generation;
}

void Workbench::newDocument()
{
    makeTemporary();
    m_runs.clear();
    m_loaded.clear();
    m_loading.clear();
    m_undo.clear();
    m_shown = {draftA, draftB};
    m_draft = firstDraft();
    Q_EMIT documentChanged();
    Q_EMIT runsChanged();
    Q_EMIT draftChanged();
    startPrediction();
}

void Workbench::open(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    Q_EMIT busyChanged(tr("opening %1").arg(QFileInfo(path).fileName()));
    const auto list = [absolute] {
        return sentenced([&] { return Document::open(absolute.toStdString(), Document::Mode::ReadOnly).runs(); });
    };
    inBackground(this, list, [this, absolute](const Outcome<std::vector<RunInfo>>& outcome) {
        Q_EMIT busyChanged(QString());
        if (!outcome.error.isEmpty()) {
            Q_EMIT problem(outcome.error);
            return;
        }
        m_path = absolute;
        m_temporary = false;
        m_folder.reset();
        ++m_generation;
        m_loaded.clear();
        m_loading.clear();
        m_undo.clear();
        Q_EMIT documentChanged();
        useRuns(outcome.value, true);
    });
}

void Workbench::useRuns(std::vector<RunInfo> runs, bool fresh)
{
    std::vector<int> isNew;
    for (const RunInfo& info : runs)
        if (std::none_of(m_runs.begin(), m_runs.end(), [&info](const RunInfo& known) { return known.id == info.id; }))
            isNew.push_back(info.id);
    m_runs = std::move(runs);
    Q_EMIT runsChanged();
    if (!fresh)
        return;
    if (m_runs.empty()) {
        setShown({draftA, draftB});
        return;
    }
    const RunInfo& first = m_runs.front();
    const std::string second = m_runs.size() > 1 ? m_runs[1].header.recipe : std::string();
    const auto draft = sentenced([&] {
        return draftOf(experimentFromJson(nlohmann::json::parse(first.header.experiment)), first.header.recipe, second);
    });
    if (draft.error.isEmpty()) {
        m_draft = draft.value;
        Q_EMIT draftChanged();
        startPrediction();
    }
    std::vector<int> shown;
    for (const RunInfo& info : m_runs)
        if (shown.size() < 2)
            shown.push_back(info.id);
    setShown(shown);
}

void Workbench::requestLoad(int number)
{
    if (!m_loading.insert(number).second)
        return;
    Q_EMIT busyChanged(tr("reading run %1").arg(number));
    const auto load = [path = m_path.toStdString(), number] {
        return sentenced([&] {
            const Document document = Document::open(path, Document::Mode::ReadOnly);
            return loadRun(document, document.run(number));
        });
    };
    inBackground(this, load, [this, number, generation = m_generation](const Outcome<RunPtr>& outcome) {
        if (generation != m_generation)
            return;
        m_loading.erase(number);
        Q_EMIT busyChanged(QString());
        if (!outcome.error.isEmpty()) {
            Q_EMIT problem(outcome.error);
            return;
        }
        m_loaded[number] = outcome.value;
        Q_EMIT runsChanged();
        Q_EMIT shownChanged();
    });
}

bool Workbench::saveAs(const QString& path)
{
    const auto outcome = sentenced([&] {
        // Nothing was simulated yet: there is no file to copy.
        if (m_temporary && !QFileInfo::exists(m_path))
            Document::create(m_path.toStdString());
        Document::open(m_path.toStdString(), Document::Mode::ReadOnly).saveCopy(path.toStdString());
        return true;
    });
    if (!outcome.value) {
        Q_EMIT problem(outcome.error);
        return false;
    }
    m_path = QFileInfo(path).absoluteFilePath();
    m_temporary = false;
    m_folder.reset();
    m_undo.setClean();
    Q_EMIT documentChanged();
    return true;
}

void Workbench::keepPredictions()
{
    const auto outcome = sentenced([this] {
        Document document = Document::openOrCreate(m_path.toStdString());
        for (const RunPtr& run : m_predictions) {
            if (!run)
                continue;
            RunHeader header;
            header.title = run->title.toStdString();
            header.recipe = run->plan->spec.text();
            header.experiment = toJson(run->experiment).dump();
            header.orders = ordersText(run->plan->schedule);
            RunOutcome end;
            end.summary = nlohmann::json{{"makespan_ns", run->makespan()}, {"bubble_rate", run->bubbleRate()}}.dump();
            document.addRun(header, run->trace, end);
        }
        return true;
    });
    if (!outcome.value)
        Q_EMIT problem(outcome.error);
    reload(false);
}

void Workbench::reload(bool thenShow)
{
    if (!QFileInfo::exists(m_path))
        return;
    const auto outcome =
        sentenced([this] { return Document::open(m_path.toStdString(), Document::Mode::ReadOnly).runs(); });
    if (!outcome.error.isEmpty()) {
        Q_EMIT problem(outcome.error);
        return;
    }
    std::vector<int> shown = m_shown;
    for (const RunInfo& info : outcome.value) {
        const bool known =
            std::any_of(m_runs.begin(), m_runs.end(), [&info](const RunInfo& old) { return old.id == info.id; });
        const bool measured = info.header.label != RunLabel::Predicted;
        if (thenShow && !known && measured && shown.size() < 8)
            shown.push_back(info.id);
    }
    useRuns(outcome.value, false);
    setShown(shown);
}

} // namespace bubblescope::viz
