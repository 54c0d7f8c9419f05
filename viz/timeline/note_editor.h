// A line of text in place: Enter keeps what was written, Esc and a click elsewhere don't.

#pragma once

#include <QLineEdit>

namespace bubblescope::viz {

class NoteEditor : public QLineEdit {
    Q_OBJECT

public:
    explicit NoteEditor(QWidget* parent);

    /// Opens at a place of the parent; what was open there is dropped.
    void open(const QPoint& place, const QString& text);

Q_SIGNALS:
    void written(const QString& text);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
};

} // namespace bubblescope::viz
