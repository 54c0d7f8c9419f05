// The document of the workbench: new, open, save, recover, and what others do to its file.

#include "core/trace/document.h"
#include "viz/document/background.h"
#include "viz/document/draft_json.h"
#include "viz/document/workbench.h"

#include <QDir>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace bubblescope::viz {
namespace {

constexpr const char* draftKey = "draft";

void addPrediction(Document& document, const RunView& run, const Progress& progress)
{
    RunHeader header;
    header.title = run.title.toStdString();
    header.recipe = run.plan->info != nullptr ? run.plan->spec.text() : run.plan->spec.id; // else an order by hand
    header.experiment = toJson(run.experiment).dump();
    header.orders = ordersText(run.plan->schedule);
    RunOutcome end;
    end.summary = nlohmann::json{{"makespan_ns", run.makespan()}, {"bubble_rate", run.bubbleRate()}}.dump();
    document.addRun(header, run.trace, end, progress);
}

bool exists(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

QString nameOf(const QString& path)
{
    return QFileInfo(path).fileName();
}

} // namespace

// Touched by jobs alone, which come one after the other.
struct Workbench::Held {
    std::optional<Document> document;

    const Document& reopen(const std::string& path)
    {
        document.reset(); // before: the last reader of a document puts it in order
        return document.emplace(Document::open(path, Document::Mode::ReadOnly));
    }
};

struct Workbench::Reading {
    std::vector<RunInfo> runs;
    std::string draft;
};

Workbench::~Workbench()
{
    m_undo.disconnect(); // it tells of its end, when those who listen have gone
    m_autosave.stop();
    if (m_discarded || !unsaved())
        m_folder->remove();
}

void Workbench::watchDocument()
{
    m_held = std::make_shared<Held>();
    m_folder = RecoveryFolder::create();
    m_autosave.setFolder(m_folder->path());
    connect(&m_undo, &QUndoStack::indexChanged, this, &Workbench::keepUnsaved);
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Workbench::keepUnsaved);
    connect(&m_autosave, &Autosave::failed, this, [this](const QString& sentence) {
        Q_EMIT problem(tr("Edits can't be kept safe from a crash: %1 Save often, with Ctrl+S.").arg(sentence));
    });
    connect(&m_watch, &DocumentWatch::changed, this, [this] { lookForChanges(false); });
    connect(&m_watch, &DocumentWatch::replaced, this, [this] { lookForChanges(true); });
    connect(&m_watch, &DocumentWatch::gone, this, &Workbench::onGone);
    connect(&m_watch, &DocumentWatch::back, this, [this] {
        m_missing = false;
        lookForChanges(true);
        Q_EMIT documentChanged();
    });
}

void Workbench::finish(const JobEnd& end, const Done& done)
{
    if (!end.error.isEmpty())
        Q_EMIT problem(end.error);
    if (done)
        done(end.well());
}

bool Workbench::unsaved() const
{
    return m_recovered || m_missing || !m_undo.isClean() || (m_temporary && !m_runs.empty());
}

QString Workbench::displayName() const
{
    return m_temporary ? tr("untitled") : nameOf(m_path);
}

void Workbench::keepUnsaved()
{
    if (m_undo.isClean() && !m_recovered)
        m_autosave.keep(std::nullopt);
    else
        m_autosave.keep(UnsavedWork{m_temporary ? QString() : m_path, draftToJson(m_draft)});
}

void Workbench::removeUntitled()
{
    for (const char* ending : {"", "-wal", "-shm", "-journal"})
        QFile::remove(m_folder->documentPath() + QLatin1String(ending));
}

void Workbench::becomeUntitled()
{
    m_held = std::make_shared<Held>();
    removeUntitled();
    m_path = m_folder->documentPath();
    m_watch.watch({});
    m_temporary = true;
    m_missing = false;
    m_recovered = false;
    m_discarded = false;
    ++m_generation;
}

void Workbench::newDocument()
{
    becomeUntitled();
    m_runs.clear();
    forgetViews();
    m_undo.clear();
    m_shown = {draftA, draftB};
    m_draft = firstDraft();
    keepUnsaved();
    Q_EMIT documentChanged();
    Q_EMIT runsChanged();
    Q_EMIT draftChanged();
    startPrediction();
}

void Workbench::readDocument(const QString& path, Done done, std::function<void(Reading&)> use)
{
    const auto reading = std::make_shared<Reading>();
    // Another document is held beside the one of now, which stays if the other can't be opened.
    const auto held = path == m_path ? m_held : std::make_shared<Held>();
    m_jobs.run(
        tr("reading %1").arg(nameOf(path)),
        [file = path.toStdString(), held, reading](const Progress&) {
            if (!exists(file)) // what is held of it stays
                throw Error("There is no file {}. Choose another one with Ctrl+O.", file);
            const Document& document = held->reopen(file);
            reading->runs = document.runs();
            reading->draft = document.text(draftKey);
        },
        [this, held, reading, use = std::move(use), done = std::move(done)](const JobEnd& end) {
            if (end.well()) {
                m_held = held;
                use(*reading);
            }
            finish(end, done);
        });
}

void Workbench::open(const QString& path, Done done)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    readDocument(absolute, std::move(done), [this, absolute](Reading& reading) { useOpened(absolute, reading); });
}

void Workbench::useOpened(const QString& path, Reading& reading)
{
    if (m_temporary && m_path != path)
        removeUntitled();
    m_path = path;
    m_temporary = false;
    m_missing = false;
    m_recovered = false;
    m_discarded = false;
    ++m_generation;
    forgetViews();
    m_undo.clear();
    keepUnsaved();
    m_watch.watch(path);
    Q_EMIT documentChanged();
    useRuns(std::move(reading.runs));
    showFirstRuns(reading.draft);
}

void Workbench::useRuns(std::vector<RunInfo> runs)
{
    m_runs = std::move(runs);
    Q_EMIT runsChanged();
}

void Workbench::showFirstRuns(const std::string& draft)
{
    const auto found = sentenced([&] {
        if (!draft.empty())
            return std::optional(draftFromJson(draft));
        if (m_runs.empty())
            return std::optional<Draft>();
        const RunHeader& first = m_runs.front().header;
        const std::string second = m_runs.size() > 1 ? m_runs[1].header.recipe : std::string();
        return std::optional(
            draftOf(experimentFromJson(nlohmann::json::parse(first.experiment)), first.recipe, second));
    });
    if (found.value) {
        m_draft = *found.value;
        Q_EMIT draftChanged();
        startPrediction();
    }
    std::vector<int> first;
    for (const RunInfo& info : m_runs)
        if (first.size() < 2)
            first.push_back(info.id);
    setShown(first.empty() ? std::vector<int>{draftA, draftB} : first);
}

void Workbench::save(Done done)
{
    if (m_temporary || m_missing) {
        saveAs(m_path, std::move(done));
        return;
    }
    const std::string draft = draftToJson(m_draft);
    m_jobs.run(
        tr("saving %1").arg(nameOf(m_path)),
        [path = m_path.toStdString(), draft](const Progress&) {
            Document::open(path, Document::Mode::ReadWrite).setText(draftKey, draft);
        },
        [this, draft, done = std::move(done)](const JobEnd& end) {
            if (end.well() && draft == draftToJson(m_draft)) { // else there was another edit meanwhile
                m_recovered = false;
                m_undo.setClean();
                keepUnsaved();
                Q_EMIT documentChanged();
            }
            finish(end, done);
        });
}

void Workbench::saveAs(const QString& path, Done done)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (!m_temporary && !m_missing && absolute == m_path) {
        save(std::move(done));
        return;
    }
    const std::string draft = draftToJson(m_draft);
    m_jobs.run(
        tr("saving %1").arg(nameOf(absolute)),
        [from = m_path.toStdString(), to = absolute.toStdString(), draft, held = m_held,
         create = m_temporary](const Progress& progress) {
            if (create && !exists(from)) // nothing was simulated yet
                Document::create(from);
            const Document::Texts texts{{draftKey, draft}};
            if (exists(from))
                Document::open(from, Document::Mode::ReadOnly).saveCopy(to, texts, progress);
            else if (held->document)
                held->document->saveCopy(to, texts, progress);
            else
                throw Failure("The document was deleted before all of it had been read, so it can't be saved.");
            held->reopen(to);
        },
        [this, absolute, draft, done = std::move(done)](const JobEnd& end) {
            if (end.well()) {
                const QString before = std::exchange(m_path, absolute);
                if (m_temporary)
                    QFile::remove(before);
                m_temporary = false;
                m_missing = false;
                m_watch.watch(absolute);
                if (draft == draftToJson(m_draft)) {
                    m_recovered = false;
                    m_undo.setClean();
                }
                keepUnsaved();
                Q_EMIT documentChanged();
            }
            finish(end, done);
        });
}

void Workbench::recover(const LeftWork& left, Done done)
{
    auto folder = RecoveryFolder::take(left.folder);
    if (!folder) {
        finish({tr("Another Bubblescope has recovered it already."), false}, done);
        return;
    }
    const auto read = sentenced(
        [&] { return QFile::exists(folder->draftPath()) ? readUnsavedWork(folder->draftPath()) : UnsavedWork(); });
    if (!read.error.isEmpty())
        Q_EMIT problem(tr("The last edits can't be recovered: %1").arg(read.error));
    const UnsavedWork work = read.value;
    m_autosave.stop();
    m_folder->remove();
    m_folder = std::move(folder); // its files stay where they are until they are saved
    m_autosave.setFolder(m_folder->path());
    const bool untitled = work.document.isEmpty();
    const QString path = untitled ? m_folder->documentPath() : work.document;
    if (!QFile::exists(path)) {
        becomeUntitled();
        useRecovered(work);
        finish(
            {untitled ? QString() : tr("%1 is not there any more; its edits are here as a new one.").arg(path), false},
            done);
        return;
    }
    readDocument(path, std::move(done), [this, path, untitled, work](Reading& reading) {
        useOpened(path, reading);
        if (untitled) {
            m_temporary = true;
            m_watch.watch({});
        }
        useRecovered(work);
    });
}

void Workbench::useRecovered(const UnsavedWork& work)
{
    const auto draft = sentenced([&] { return work.draft.empty() ? m_draft : draftFromJson(work.draft); });
    if (!draft.error.isEmpty())
        Q_EMIT problem(tr("The last edits can't be recovered: %1").arg(draft.error));
    m_recovered = !work.draft.empty();
    if (draft.error.isEmpty() && !work.draft.empty())
        applyDraft(draft.value);
    keepUnsaved();
    Q_EMIT documentChanged();
}

void Workbench::keepPredictions(Done done)
{
    keep({m_predictions.run(0), m_predictions.run(1)}, std::move(done));
}

void Workbench::keep(std::vector<RunPtr> runs, Done done)
{
    std::erase_if(runs, [](const RunPtr& run) { return !run || !run->problems.empty(); });
    m_jobs.run(
        tr("storing predictions"),
        [runs = std::move(runs), path = m_path.toStdString()](const Progress& progress) {
            Document document = Document::openOrCreate(path);
            for (const RunPtr& run : runs)
                addPrediction(document, *run, progress);
        },
        [this, done = std::move(done)](const JobEnd& end) {
            // Also when it failed: what was stored until then is there.
            if (!QFileInfo::exists(m_path))
                return finish(end, done);
            readDocument(
                m_path, [this, end, done](bool) { finish(end, done); },
                [this](Reading& reading) { useRuns(std::move(reading.runs)); });
        });
}

void Workbench::reload(bool thenShow)
{
    if (!QFileInfo::exists(m_path))
        return;
    readDocument(m_path, {}, [this, thenShow](Reading& reading) {
        std::vector<int> shown = m_shown;
        for (const RunInfo& info : reading.runs) {
            const bool known =
                std::any_of(m_runs.begin(), m_runs.end(), [&info](const RunInfo& old) { return old.id == info.id; });
            const bool measured = info.header.label != RunLabel::Predicted;
            if (thenShow && !known && measured && shown.size() < 8)
                shown.push_back(info.id);
        }
        useRuns(std::move(reading.runs));
        setShown(shown);
    });
}

void Workbench::lookForChanges(bool replaced)
{
    if (m_executing || m_jobs.busy() || m_temporary)
        return;
    readDocument(m_path, {}, [this, replaced](Reading& reading) {
        const bool same = std::equal(reading.runs.begin(), reading.runs.end(), m_runs.begin(), m_runs.end(),
                                     [](const RunInfo& a, const RunInfo& b) { return a.id == b.id; });
        if (replaced) {
            ++m_generation;
            forgetViews();
        }
        std::vector<int> shown;
        for (const int number : m_shown)
            if (number < 0 || std::any_of(reading.runs.begin(), reading.runs.end(),
                                          [number](const RunInfo& info) { return info.id == number; }))
                shown.push_back(number);
        useRuns(std::move(reading.runs));
        setShown(shown.empty() ? std::vector<int>{draftA, draftB} : shown);
        if (!same || replaced)
            Q_EMIT problem(
                tr("%1 was changed by another program. What is shown is its content now.").arg(nameOf(m_path)));
    });
}

void Workbench::onGone()
{
    m_missing = true;
    Q_EMIT documentChanged();
    Q_EMIT problem(tr("%1 was deleted or moved by another program. Nothing is lost yet: Ctrl+S writes it again, "
                      "Ctrl+Shift+S under another name.")
                       .arg(nameOf(m_path)));
}

} // namespace bubblescope::viz
