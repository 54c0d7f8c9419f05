#include "viz/panels/notes_panel.h"

#include "viz/timeline/time_text.h"
#include "viz/timeline/timeline_stack.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

enum Column { RunColumn, DeviceColumn, TimeColumn, TextColumn, ColumnCount };

bool belongsTo(const Note& note, const RunView& run)
{
    return note.run ? *note.run == run.number : run.number < 0;
}

QString lettersOf(const Note& note, const std::vector<RunPtr>& runs)
{
    QStringList letters;
    for (std::size_t slot = 0; slot < runs.size(); ++slot)
        if (belongsTo(note, *runs[slot]))
            letters << TimelineStack::letterOf(static_cast<int>(slot));
    return letters.isEmpty() ? QStringLiteral("–") : letters.join(QLatin1String(", "));
}

} // namespace

std::vector<std::vector<TimeFlag>> flagsOf(const std::vector<BookNote>& notes, const std::vector<RunPtr>& runs)
{
    std::vector<std::vector<TimeFlag>> flags(runs.size());
    for (std::size_t slot = 0; slot < runs.size(); ++slot)
        for (const BookNote& each : notes)
            if (belongsTo(each.note, *runs[slot])) {
                TimeFlag flag;
                flag.id = each.key;
                flag.time = {each.note.start, each.note.end};
                flag.device = each.note.device ? int{*each.note.device} : -1;
                flag.text = QString::fromStdString(each.note.text);
                flags[slot].push_back(flag);
            }
    return flags;
}

NotesPanel::NotesPanel(NoteBook& book) : m_book(book), m_pages(new QStackedWidget), m_table(new QTableWidget)
{
    auto* empty = new QLabel(tr("No notes yet. Shift+M writes one on the selection, the picked task or the cursor; "
                                "it is kept in the document."));
    empty->setProperty("role", "muted");
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    m_table->setAccessibleName(tr("Notes"));
    m_table->setObjectName(QStringLiteral("notes"));
    m_table->setColumnCount(ColumnCount);
    m_table->setHorizontalHeaderLabels({tr("Run"), tr("Device"), tr("Time"), tr("Note")});
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setToolTip(tr("Double-click or Enter goes there, F2 changes the text, Delete removes the note."));
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->installEventFilter(this);
    m_pages->addWidget(empty);
    m_pages->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addWidget(m_pages);
    connect(&book, &NoteBook::changed, this, &NotesPanel::fill);
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row, int) { Q_EMIT noteAsked(keyOfRow(row)); });
    connect(m_table, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
        // Later: the table is filled anew by the change, which its editor must not live to see.
        QMetaObject::invokeMethod(
            this, [this, key = keyOfRow(item->row()), text = item->text()] { m_book.setText(key, text); },
            Qt::QueuedConnection);
    });
    fill();
}

void NotesPanel::setRuns(const std::vector<RunPtr>& runs)
{
    m_runs = runs;
    fill();
}

qint64 NotesPanel::keyOfRow(int row) const
{
    const QTableWidgetItem* item = m_table->item(row, TextColumn);
    return item ? item->data(Qt::UserRole).toLongLong() : 0;
}

void NotesPanel::fill()
{
    const QSignalBlocker quiet(m_table);
    const int row = m_table->currentRow();
    m_table->setRowCount(static_cast<int>(m_book.notes().size()));
    for (int at = 0; at < m_table->rowCount(); ++at) {
        const BookNote& each = m_book.notes()[static_cast<std::size_t>(at)];
        const Note& note = each.note;
        QString time = timeText(note.start);
        if (note.end > note.start)
            time += QStringLiteral(" – ") + timeText(note.end);
        const QString texts[] = {lettersOf(note, m_runs), note.device ? QString::number(*note.device) : tr("all"), time,
                                 QString::fromStdString(note.text)};
        for (int column = 0; column < ColumnCount; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setFlags(column == TextColumn ? item->flags() | Qt::ItemIsEditable
                                                : item->flags() & ~Qt::ItemIsEditable);
            item->setData(Qt::UserRole, each.key);
            m_table->setItem(at, column, item);
        }
    }
    m_table->setCurrentCell(std::min(row, m_table->rowCount() - 1), TextColumn);
    m_pages->setCurrentIndex(m_table->rowCount() == 0 ? 0 : 1);
}

bool NotesPanel::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_table && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete && m_table->currentRow() >= 0) {
        m_book.remove(keyOfRow(m_table->currentRow()));
        return true;
    }
    return RunPanel::eventFilter(object, event);
}

} // namespace bubblescope::viz
