#include "viz/inspector/suggestion_list.h"

#include "viz/inspector/inspector.h"
#include "viz/run/core_text.h"
#include "viz/timeline/time_text.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace bubblescope::viz {

SuggestionList::SuggestionList(QWidget* parent)
    : QWidget(parent), m_caption(captionLabel(tr("Suggestions"))), m_state(new QLabel), m_cards(new QVBoxLayout)
{
    setAccessibleName(tr("Suggestions"));
    auto* column = new QVBoxLayout(this);
    const int line = fontMetrics().height();
    column->setContentsMargins(0, line / 2, 0, line / 2);
    column->setSpacing(line / 2);
    m_state->setProperty("role", "muted");
    m_state->setWordWrap(true);
    m_cards->setSpacing(line / 2);
    column->addWidget(m_caption);
    column->addWidget(m_state);
    column->addLayout(m_cards);
    clear();
}

void SuggestionList::clearCards()
{
    while (QLayoutItem* item = m_cards->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // a card may be asking to be applied
        delete item;
    }
    m_suggestions = {};
}

void SuggestionList::clear()
{
    clearCards();
    hide();
}

void SuggestionList::showWorking()
{
    clearCards();
    m_state->setText(tr("Predicting what would help …"));
    m_state->show();
    setVisible(true);
}

void SuggestionList::show(const Suggestions& suggestions)
{
    clearCards();
    m_suggestions = suggestions;
    m_state->setText(tr("Nothing that was tried makes a step faster."));
    m_state->setVisible(suggestions.best.empty());
    for (std::size_t i = 0; i < suggestions.best.size(); ++i)
        m_cards->addWidget(card(i));
    setVisible(true);
}

QString SuggestionList::gainText(const PredictedFigures& before, const Suggestion& suggestion)
{
    const PredictedFigures& after = suggestion.after;
    const QString bubble = tr("bubble %1 → %2").arg(percentText(before.bubbleRate), percentText(after.bubbleRate));
    const QString time = suggestion.kind == Suggestion::Kind::Microbatches
                             ? tr("%1 → %2 a microbatch")
                                   .arg(timeText(static_cast<Nanoseconds>(std::llround(before.perMicrobatch))),
                                        timeText(static_cast<Nanoseconds>(std::llround(after.perMicrobatch))))
                             : tr("%1 → %2").arg(timeText(before.makespan), timeText(after.makespan));
    return bubble + QStringLiteral("\n") + tr("%1 (%2 faster)").arg(time, percentText(suggestion.gain));
}

QWidget* SuggestionList::card(std::size_t index)
{
    const Suggestion& suggestion = m_suggestions.best[index];
    auto* frame = new QFrame;
    frame->setProperty("role", "card");
    auto* column = new QVBoxLayout(frame);
    const int line = fontMetrics().height();
    column->setContentsMargins(line * 2 / 3, line / 2, line / 3, line / 2);
    column->setSpacing(line / 6);
    auto* head = new QHBoxLayout;
    column->addLayout(head);
    auto* title = new QLabel(coreText(suggestion.change));
    title->setProperty("role", "heading");
    auto* gain = new QLabel(gainText(m_suggestions.before, suggestion));
    auto* remark = new QLabel(coreText(suggestion.remark));
    remark->setProperty("role", "muted");
    remark->setVisible(!suggestion.remark.empty());
    for (QLabel* label : {title, gain, remark})
        label->setWordWrap(true);
    auto* apply = new QPushButton(tr("Apply"));
    apply->setProperty("flat", true);
    apply->setObjectName(QStringLiteral("apply%1").arg(index));
    apply->setAccessibleName(tr("Apply: %1").arg(coreText(suggestion.change)));
    apply->setToolTip(tr("Change the experiment so; Ctrl+Z takes it back"));
    connect(apply, &QPushButton::clicked, this, [this, suggestion] { Q_EMIT applyAsked(suggestion); });
    head->addWidget(title, 1);
    head->addWidget(apply, 0, Qt::AlignTop);
    column->addWidget(gain);
    column->addWidget(remark);
    return frame;
}

QString SuggestionList::text() const
{
    QString all;
    for (const Suggestion& suggestion : m_suggestions.best)
        all += coreText(suggestion.change) + QLatin1Char('\n') + gainText(m_suggestions.before, suggestion) +
               QLatin1Char('\n');
    return all;
}

} // namespace bubblescope::viz
