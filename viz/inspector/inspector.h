// The panel at the right: what is picked in the timelines, explained.
//
//     B · Device 2 · idle 1.16 ms
//     Cause      imbalance 0.9 ms          <- a figure: a click outlines what it was computed from
//     Waits for  input gradient of …       <- a task: a click goes there
//     ┌ Move layer 18 to stage 2 ─ Apply ┐ <- what could be changed, with its predicted gain

#pragma once

#include "viz/inspector/inspector_text.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QVBoxLayout;

namespace bubblescope::viz {

class SuggestionList;

class Inspector : public QWidget {
    Q_OBJECT

public:
    explicit Inspector(QWidget* parent = nullptr);

    void show(const Inspection& inspection);

    /// Everything it says, for tests, copying and screen readers.
    QString text() const;

    SuggestionList& suggestions() { return *m_suggestions; }

Q_SIGNALS:
    void intervalsAsked(const std::vector<RunInterval>& intervals);
    void taskAsked(TaskId task);

protected:
    void changeEvent(QEvent* event) override;

private:
    void render();
    QLabel* valueLabel(const QString& text, const QString& link) const;
    void addRow(QLabel* name, QLabel* value, const QString& text);
    void follow(const QString& link);

    QLabel* m_title;
    QLabel* m_empty;
    QLabel* m_story;
    QWidget* m_table;
    QFormLayout* m_rows;
    QWidget* m_placement; ///< how the simulator placed a task
    QVBoxLayout* m_steps;
    SuggestionList* m_suggestions;
    Inspection m_inspection;
};

/// A small heading in capitals, as all panels have.
QLabel* captionLabel(const QString& text);

} // namespace bubblescope::viz
