#include "viz/timeline/note_editor.h"

#include <QKeyEvent>

namespace bubblescope::viz {

NoteEditor::NoteEditor(QWidget* parent) : QLineEdit(parent)
{
    setObjectName(QStringLiteral("noteText"));
    setAccessibleName(tr("Text of the note"));
    setPlaceholderText(tr("Note: Enter keeps it, Esc doesn't"));
    hide();
}

void NoteEditor::open(const QPoint& place, const QString& text)
{
    setText(text);
    resize(fontMetrics().averageCharWidth() * 44, sizeHint().height());
    move(std::clamp(place.x(), 0, std::max(0, parentWidget()->width() - width())),
         std::clamp(place.y(), 0, std::max(0, parentWidget()->height() - height())));
    show();
    raise();
    selectAll();
    setFocus(Qt::PopupFocusReason);
}

void NoteEditor::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        const QString text = this->text().trimmed();
        hide();
        if (!text.isEmpty())
            Q_EMIT written(text);
        Q_EMIT closed();
    } else if (event->key() == Qt::Key_Escape) {
        hide();
        Q_EMIT closed();
    } else
        QLineEdit::keyPressEvent(event);
}

void NoteEditor::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        hide();
}

} // namespace bubblescope::viz
