// The notes of the document: each change is written at once, and can be undone.
//
// A note gets a key when it is first seen, which it keeps when undo and redo take its row away and put it back
// with another id.

#pragma once

#include "core/trace/document.h"

#include <QObject>

#include <optional>
#include <vector>

namespace bubblescope::viz {

class Workbench;

struct BookNote {
    qint64 key = 0;
    Note note;
};

class NoteBook : public QObject {
    Q_OBJECT

public:
    explicit NoteBook(Workbench& workbench, QObject* parent = nullptr);

    const std::vector<BookNote>& notes() const { return m_notes; }

    const BookNote* find(qint64 key) const;

    void add(const Note& note);
    void setText(qint64 key, const QString& text);
    void remove(qint64 key);

    /// One step of undo or redo; false (and a problem) when the document refuses. Used by the undo commands.
    bool replace(const std::optional<BookNote>& from, const std::optional<BookNote>& to);

Q_SIGNALS:
    void changed();

private:
    void reload();
    void push(const QString& what, std::optional<BookNote> from, std::optional<BookNote> to);

    Workbench& m_workbench;
    std::vector<BookNote> m_notes;
    qint64 m_lastKey = 0;
};

} // namespace bubblescope::viz
