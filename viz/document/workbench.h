// What the window works on: one document, the draft being edited, its predictions, and which runs are shown.
//
//     edit ──► QUndoStack ──► draft ──► predictions (predictions.h)
//     document ──► list of runs ──► shown runs, loaded when they are needed
//
// The document is opened for writing only for the moment of a write, because the child process that
// executes writes into it too. What reads or writes it is a job of its own (document_jobs.h), never done on
// the GUI thread. A new experiment lives in a document of the recovery folder until it is saved, and edits
// that aren't saved are kept there too (autosave.h).

#pragma once

#include "core/trace/run.h"
#include "viz/document/autosave.h"
#include "viz/document/document_jobs.h"
#include "viz/document/document_watch.h"
#include "viz/document/predictions.h"
#include "viz/document/recovery.h"

#include <QObject>
#include <QUndoStack>

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace bubblescope::viz {

class Workbench : public QObject {
    Q_OBJECT

public:
    /// Numbers of runs that aren't stored: the predictions of the draft, and the one being executed.
    static constexpr int draftA = -1;
    static constexpr int draftB = -2;
    static constexpr int live = -3;

    static constexpr int lastStep = -1;

    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    const Draft& draft() const { return m_draft; }

    /// An edit by a person: one step of undo. Edits with the same `merge` ≥ 0 become one step.
    void edit(const Draft& draft, const QString& what, int merge = -1);

    QUndoStack& undoStack() { return m_undo; }

    /// Sets the draft without undo; used by the undo commands.
    void applyDraft(const Draft& draft);

    /// Null while unknown or impossible; then the sentence says why.
    RunPtr prediction(int slot) const { return m_predictions.run(slot); }

    const QString& predictionError(int slot) const { return m_predictions.error(slot); }

    /// True until the last edit has been predicted.
    bool predicting() const { return m_predictions.running(); }

    /// Stored runs, oldest first.
    const std::vector<RunInfo>& runs() const { return m_runs; }

    /// A run by number, stored or not; null while it is being loaded.
    RunPtr run(int number) const;

    /// Numbers of the shown runs, in the order of their letters.
    const std::vector<int>& shown() const { return m_shown; }

    void setShown(std::vector<int> numbers);

    /// Shows another step of a stored run of several, from 0; what was shown stays until that is loaded.
    void showStep(int number, int step);

    /// Makes a run the one with this letter (0 is A); a run that was there elsewhere moves.
    void show(int number, int slot);
    void toggleShown(int number);

    /// The shown runs that are loaded.
    std::vector<RunPtr> shownRuns() const;

    /// The run that is being executed, as far as it came; null ends it.
    void setLive(RunPtr run);

    // The document.
    const QString& path() const { return m_path; }

    bool temporary() const { return m_temporary; }

    /// True when something would be lost by closing.
    bool unsaved() const;

    /// True when others deleted or moved the document's file. Its content is still at hand, and can be saved.
    bool missing() const { return m_missing; }

    QString displayName() const;
    void newDocument();

    /// Called on this thread when it is done; false: it failed (and `problem` said why) or was cancelled.
    using Done = std::function<void(bool)>;

    void open(const QString& path, Done done = {});

    /// Stores the draft in the document, which must have a file.
    void save(Done done = {});

    /// Copies the document with the draft to `path` and works on there.
    void saveAs(const QString& path, Done done = {});

    /// Works on what a program that died has left.
    void recover(const LeftWork& left, Done done = {});

    /// Stores the predictions of the draft as runs.
    void keepPredictions(Done done = {});

    /// Stores runs, but those that have problems.
    void keep(std::vector<RunPtr> runs, Done done = {});

    /// Reads the list of runs again; `thenShow` shows what is new.
    void reload(bool thenShow);

    /// While a child process executes into the document, its changes are no news.
    void setExecuting(bool executing) { m_executing = executing; }

    /// What isn't saved now may be lost: it isn't recovered later.
    void discard() { m_discarded = true; }

    DocumentJobs& jobs() { return m_jobs; }

    const DocumentJobs& jobs() const { return m_jobs; }

    Autosave& autosave() { return m_autosave; }

    void report(const QString& sentence) { Q_EMIT problem(sentence); }

Q_SIGNALS:
    void draftChanged();
    void predictionsChanged();
    void runsChanged();
    void shownChanged();
    void documentChanged();
    void problem(const QString& sentence);

private:
    void startPrediction();
    void requestLoad(int number, int step = lastStep);
    void loadPreview(int number, int step);
    void load(int number, int step);
    void notLoaded(int number, int step, const JobEnd& end);
    void keepCache(const RunPtr& run);
    void useView(int number, const RunPtr& run);
    void forgetViews();
    struct Reading; ///< what a job found in the document
    struct Held;    ///< the document, open for reading, so that it can be saved even when its file is deleted

    void watchDocument();
    void readDocument(const QString& path, Done done, std::function<void(Reading&)> use);
    void useOpened(const QString& path, Reading& reading);
    void useRuns(std::vector<RunInfo> runs);
    void showFirstRuns(const std::string& draft);
    void lookForChanges(bool replaced);
    void onGone();
    void keepUnsaved();
    void becomeUntitled();
    void removeUntitled();
    void useRecovered(const UnsavedWork& work);
    void finish(const JobEnd& end, const Done& done);

    Draft m_draft;
    QUndoStack m_undo;
    Predictions m_predictions;
    std::vector<RunInfo> m_runs;
    std::map<int, RunPtr> m_loaded;                ///< as shown, by run
    std::map<std::pair<int, int>, RunPtr> m_views; ///< what was read, by run and step
    std::map<int, int> m_wantedStep;               ///< by run; absent: the last
    std::set<std::pair<int, int>> m_loading;       ///< run and step
    RunPtr m_live;
    std::vector<int> m_shown;
    std::unique_ptr<RecoveryFolder> m_folder;
    std::shared_ptr<Held> m_held;
    QString m_path;
    bool m_temporary = true;
    bool m_missing = false;
    bool m_recovered = false; ///< the draft is newer than the document, though nothing can be undone
    bool m_discarded = false;
    bool m_executing = false;
    int m_generation = 0; ///< counts documents, so that a late load of an old one is dropped
    DocumentWatch m_watch;
    DocumentJobs m_jobs;
    Autosave m_autosave;
};

} // namespace bubblescope::viz
