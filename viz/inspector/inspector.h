// The panel at the right: what is picked in the timelines, explained.

#pragma once

#include "viz/inspector/inspector_text.h"

#include <QWidget>

class QFormLayout;
class QLabel;

namespace bubblescope::viz {

class Inspector : public QWidget {
    Q_OBJECT

public:
    explicit Inspector(QWidget* parent = nullptr);

    void show(const Inspection& inspection);

    /// Everything it says, for tests, copying and screen readers.
    QString text() const;

private:
    QLabel* m_title;
    QLabel* m_empty;
    QLabel* m_story;
    QWidget* m_table;
    QFormLayout* m_rows;
    Inspection m_inspection;
};

/// A small heading in capitals, as all panels have.
QLabel* captionLabel(const QString& text);

} // namespace bubblescope::viz
