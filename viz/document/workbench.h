// What the window works on: one document, the draft being edited, its predictions, and which runs are shown.
//
//     edit ──► QUndoStack ──► draft ──► predictions (on another thread, the latest edit wins)
//     document ──► list of runs ──► shown runs, loaded when they are needed
//
// The document is opened for writing only for the moment of a write, because the child process that
// executes writes into it too. A new experiment lives in a temporary document until it is saved.

#pragma once

#include "core/trace/run.h"
#include "viz/document/draft.h"
#include "viz/run/run_view.h"

#include <QObject>
#include <QTemporaryDir>
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

    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    const Draft& draft() const { return m_draft; }

    /// An edit by a person: one step of undo. Edits with the same `merge` ≥ 0 become one step.
    void edit(const Draft& draft, const QString& what, int merge = -1);

    QUndoStack& undoStack() { return m_undo; }

    /// Sets the draft without undo; used by the undo commands.
    void applyDraft(const Draft& draft);

    /// Null while unknown or impossible; then the sentence says why.
    RunPtr prediction(int slot) const { return m_predictions[static_cast<std::size_t>(slot)]; }

    const QString& predictionError(int slot) const { return m_predictionErrors[static_cast<std::size_t>(slot)]; }

    /// True until the last edit has been predicted.
    bool predicting() const { return m_predicting; }

    /// Stored runs, oldest first.
    const std::vector<RunInfo>& runs() const { return m_runs; }

    /// A run by number, stored or not; null while it is being loaded.
    RunPtr run(int number) const;

    /// Numbers of the shown runs, in the order of their letters.
    const std::vector<int>& shown() const { return m_shown; }

    void setShown(std::vector<int> numbers);

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
    QString displayName() const;
    void newDocument();
    void open(const QString& path);

    /// Copies the document to `path` and works on there. False (and a problem) when that fails.
    bool saveAs(const QString& path);

    /// Stores the predictions of the draft as runs.
    void keepPredictions();

    /// Reads the list of runs again; `thenShow` shows what is new.
    void reload(bool thenShow);

    void report(const QString& sentence) { Q_EMIT problem(sentence); }

Q_SIGNALS:
    void draftChanged();
    void predictionsChanged();
    void runsChanged();
    void shownChanged();
    void documentChanged();
    void problem(const QString& sentence);
    void busyChanged(const QString& what); ///< empty: idle

private:
    void startPrediction();
    void requestLoad(int number);
    void useRuns(std::vector<RunInfo> runs, bool fresh);
    void makeTemporary();

    struct Predicted {
        std::array<RunPtr, draftSlots> runs;
        std::array<QString, draftSlots> errors;
    };

    static Predicted predictDraft(const Draft& draft);

    Draft m_draft;
    QUndoStack m_undo;
    std::array<RunPtr, draftSlots> m_predictions;
    std::array<QString, draftSlots> m_predictionErrors;
    bool m_predicting = false;
    bool m_predictAgain = false;
    std::vector<RunInfo> m_runs;
    std::map<int, RunPtr> m_loaded;
    std::set<int> m_loading;
    RunPtr m_live;
    std::vector<int> m_shown;
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    bool m_temporary = true;
    int m_generation = 0; ///< counts documents, so that a late load of an old one is dropped
};

} // namespace bubblescope::viz
