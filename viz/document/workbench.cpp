#include "viz/document/workbench.h"

#include "core/trace/document.h"
#include "viz/document/run_loader.h"

#include <QUndoCommand>

#include <algorithm>

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

} // namespace

Workbench::Workbench(QObject* parent) : QObject(parent), m_draft(firstDraft()), m_shown{draftA, draftB}
{
    watchDocument();
    becomeUntitled();
    connect(&m_predictions, &Predictions::changed, this, [this] {
        Q_EMIT predictionsChanged();
        Q_EMIT shownChanged();
    });
    startPrediction();
}

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

void Workbench::startPrediction()
{
    m_predictions.start(m_draft, {draftA, draftB});
}

RunPtr Workbench::run(int number) const
{
    if (number == draftA || number == draftB)
        return m_predictions.run(number == draftA ? 0 : 1);
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

void Workbench::requestLoad(int number, int step)
{
    if (!m_loading.insert({number, step}).second)
        return;
    const auto info =
        std::find_if(m_runs.begin(), m_runs.end(), [number](const RunInfo& known) { return known.id == number; });
    if (info != m_runs.end() && info->spans > largeRun)
        loadPreview(number, step);
    else
        load(number, step);
}

/// What a large run looks like comes first, all of it as soon as it is read.
void Workbench::loadPreview(int number, int step)
{
    const auto found = std::make_shared<RunPtr>();
    m_jobs.read(
        tr("reading run %1").arg(number),
        [path = m_path.toStdString(), number, found](const Progress&) {
            const Document document = Document::open(path, Document::Mode::ReadOnly);
            *found = previewRun(document, document.run(number));
        },
        [this, number, step, found, generation = m_generation](const JobEnd& end) {
            if (generation != m_generation)
                return;
            if (end.cancelled)
                return notLoaded(number, step, end);
            if (*found)
                useView(number, *found);
            load(number, step); // which says what is wrong, if anything is
        });
}

void Workbench::load(int number, int step)
{
    const auto found = std::make_shared<RunPtr>();
    m_jobs.read(
        step == lastStep ? tr("reading run %1").arg(number) : tr("reading step %1 of run %2").arg(step + 1).arg(number),
        [path = m_path.toStdString(), number, step, found](const Progress& progress) {
            const Document document = Document::open(path, Document::Mode::ReadOnly);
            *found = loadRun(document, document.run(number), step, progress);
        },
        [this, number, step, found, generation = m_generation](const JobEnd& end) {
            if (generation != m_generation)
                return;
            if (!end.well())
                return notLoaded(number, step, end);
            const RunPtr run = *found;
            m_loading.erase({number, step});
            m_views[{number, run->step}] = run;
            const auto wanted = m_wantedStep.find(number);
            if (wanted == m_wantedStep.end() || wanted->second == run->step)
                useView(number, run);
            if (run->columns)
                keepCache(run);
        });
}

/// A run that couldn't be read, or isn't wanted any more, leaves its place; it can be asked for again.
void Workbench::notLoaded(int number, int step, const JobEnd& end)
{
    m_loading.erase({number, step});
    if (!end.error.isEmpty())
        Q_EMIT problem(end.error);
    const auto loaded = m_loaded.find(number);
    if (loaded != m_loaded.end() && !loaded->second->preview)
        return; // another step of it is shown
    if (loaded != m_loaded.end())
        m_loaded.erase(loaded);
    std::vector<int> shown = m_shown;
    shown.erase(std::remove(shown.begin(), shown.end(), number), shown.end());
    setShown(shown.empty() ? std::vector<int>{draftA, draftB} : shown);
}

/// The next opening of the document reads the columns of a large run instead of its rows.
void Workbench::keepCache(const RunPtr& run)
{
    m_jobs.run(tr("keeping run %1 so that it opens fast").arg(run->number),
               [path = m_path.toStdString(), run](const Progress& progress) { keepColumns(path, *run, progress); }, {});
}

void Workbench::useView(int number, const RunPtr& run)
{
    constexpr std::size_t mostViews = 32;
    m_loaded[number] = run;
    // Steps that were looked at are kept for going back to them, but not all steps of a long run.
    for (auto view = m_views.begin(); view != m_views.end() && m_views.size() > mostViews;)
        view = view->second == m_loaded[view->first.first] ? std::next(view) : m_views.erase(view);
    Q_EMIT runsChanged();
    Q_EMIT shownChanged();
}

void Workbench::showStep(int number, int step)
{
    const RunPtr shown = run(number);
    if (number <= 0 || !shown || shown->steps < 2)
        return;
    step = std::clamp(step, 0, shown->steps - 1);
    m_wantedStep[number] = step;
    if (shown->step == step)
        return;
    if (const auto known = m_views.find({number, step}); known != m_views.end())
        useView(number, known->second);
    else
        requestLoad(number, step);
}

void Workbench::forgetViews()
{
    m_loaded.clear();
    m_views.clear();
    m_wantedStep.clear();
    m_loading.clear();
    m_jobs.cancelReading();
}

} // namespace bubblescope::viz
