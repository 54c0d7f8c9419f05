// The notes of the document as a list: go to one, change its text in place, remove it.

#pragma once

#include "viz/document/note_book.h"
#include "viz/panels/run_panel.h"
#include "viz/timeline/overlay_painter.h"

class QLabel;
class QStackedWidget;
class QTableWidget;

namespace bubblescope::viz {

class NotesPanel : public RunPanel {
    Q_OBJECT

public:
    explicit NotesPanel(NoteBook& book);

    void setRuns(const std::vector<RunPtr>& runs) override;

    QTableWidget& table() { return *m_table; }

Q_SIGNALS:
    /// A person wants to see where a note is.
    void noteAsked(qint64 key);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void fill();
    qint64 keyOfRow(int row) const;

    NoteBook& m_book;
    QStackedWidget* m_pages;
    QTableWidget* m_table;
    std::vector<RunPtr> m_runs;
};

/// The notes as flags, by slot. A note that belongs to no stored run stands on all runs that aren't stored: the
/// predictions of the experiment being edited.
std::vector<std::vector<TimeFlag>> flagsOf(const std::vector<BookNote>& notes, const std::vector<RunPtr>& runs);

} // namespace bubblescope::viz
