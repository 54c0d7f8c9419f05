// What could be changed about the picked idle time: cards with the predicted gain and an Apply button.

#pragma once

#include "core/analyze/suggest.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace bubblescope::viz {

class SuggestionList : public QWidget {
    Q_OBJECT

public:
    explicit SuggestionList(QWidget* parent = nullptr);

    /// Nothing to say: the list is hidden.
    void clear();

    /// Says that candidates are being predicted.
    void showWorking();

    void show(const Suggestions& suggestions);

    const std::vector<Suggestion>& shown() const { return m_suggestions.best; }

    /// "bubble 16.9 → 15.2 % · 30.2 → 29.6 ms": the figures of one card.
    static QString gainText(const PredictedFigures& before, const Suggestion& suggestion);

    /// All cards as text, for tests and screen readers.
    QString text() const;

Q_SIGNALS:
    void applyAsked(const Suggestion& suggestion);

private:
    void clearCards();
    QWidget* card(std::size_t index);

    QLabel* m_caption;
    QLabel* m_state;
    QVBoxLayout* m_cards;
    Suggestions m_suggestions;
};

} // namespace bubblescope::viz
