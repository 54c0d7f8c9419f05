#include "viz/document/note_book.h"

#include "viz/document/workbench.h"

#include <QDateTime>
#include <QFileInfo>
#include <QPointer>
#include <QUndoCommand>

#include <algorithm>

namespace bubblescope::viz {
namespace {

class NoteEdit : public QUndoCommand {
public:
    NoteEdit(NoteBook& book, const QString& what, std::optional<BookNote> before, std::optional<BookNote> after)
        : QUndoCommand(what), m_book(book), m_before(std::move(before)), m_after(std::move(after))
    {
    }

    void undo() override { m_book.replace(m_after, m_before); } // refused: redo and undo try again

    void redo() override
    {
        const bool done = m_book.replace(m_before, m_after);
        setObsolete(m_first && !done);
        m_first = false;
    }

private:
    NoteBook& m_book;
    bool m_first = true;
    std::optional<BookNote> m_before;
    std::optional<BookNote> m_after;
};

} // namespace

NoteBook::NoteBook(Workbench& workbench, QObject* parent) : QObject(parent), m_workbench(workbench)
{
    connect(&workbench, &Workbench::documentChanged, this, &NoteBook::reload);
}

const BookNote* NoteBook::find(qint64 key) const
{
    const auto found =
        std::find_if(m_notes.begin(), m_notes.end(), [key](const BookNote& note) { return note.key == key; });
    return found == m_notes.end() ? nullptr : &*found;
}

void NoteBook::reload()
{
    std::vector<BookNote> notes;
    try {
        if (QFileInfo::exists(m_workbench.path()))
            for (const Note& note :
                 Document::open(m_workbench.path().toStdString(), Document::Mode::ReadOnly).notes()) {
                // A copy of the document has the same notes: what undo knows of them stays true.
                const auto known = std::find_if(m_notes.begin(), m_notes.end(), [&note](const BookNote& old) {
                    return old.note.id == note.id && old.note.createdMs == note.createdMs;
                });
                notes.push_back({known == m_notes.end() ? ++m_lastKey : known->key, note});
            }
    } catch (const std::runtime_error& error) {
        m_workbench.report(QString::fromUtf8(error.what()));
    }
    m_notes = std::move(notes);
    Q_EMIT changed();
}

void NoteBook::push(const QString& what, std::optional<BookNote> from, std::optional<BookNote> to)
{
    // A document has one writer: what is being saved comes first.
    m_workbench.jobs().whenIdle([self = QPointer(this), what, from = std::move(from), to = std::move(to)] {
        if (self)
            self->m_workbench.undoStack().push(new NoteEdit(*self, what, from, to));
    });
}

void NoteBook::add(const Note& note)
{
    BookNote added{++m_lastKey, note};
    added.note.createdMs = QDateTime::currentMSecsSinceEpoch();
    push(tr("add a note"), std::nullopt, added);
}

void NoteBook::setText(qint64 key, const QString& text)
{
    const BookNote* note = find(key);
    if (!note || text.trimmed().isEmpty() || note->note.text == text.toStdString())
        return;
    BookNote changed = *note;
    changed.note.text = text.toStdString();
    push(tr("change a note"), *note, changed);
}

void NoteBook::remove(qint64 key)
{
    if (const BookNote* note = find(key))
        push(tr("remove a note"), *note, std::nullopt);
}

bool NoteBook::replace(const std::optional<BookNote>& from, const std::optional<BookNote>& to)
{
    try {
        Document document = Document::openOrCreate(m_workbench.path().toStdString());
        // The row's id is the one of now: undo may have put the note back under another one.
        const qint64 key = from ? from->key : to->key;
        const BookNote* now = find(key);
        if (!to && now) {
            document.deleteNote(now->note.id);
            m_notes.erase(m_notes.begin() + (now - m_notes.data()));
        } else if (to && now) {
            BookNote changed = *to;
            changed.note.id = now->note.id;
            document.updateNote(changed.note);
            m_notes[static_cast<std::size_t>(now - m_notes.data())] = changed;
        } else if (to) {
            BookNote added = *to;
            added.note.id = document.addNote(added.note);
            m_notes.push_back(added);
        }
    } catch (const std::runtime_error& error) {
        // What was typed isn't lost with it.
        const QString text =
            to ? QLatin1Char(' ') + tr("The note was: “%1”.").arg(QString::fromStdString(to->note.text)) : QString();
        m_workbench.report(QString::fromUtf8(error.what()) + text);
        return false;
    }
    Q_EMIT changed();
    return true;
}

} // namespace bubblescope::viz
