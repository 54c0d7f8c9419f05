#include "viz/window/message_bar.h"

#include "viz/theme/theme.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace bubblescope::viz {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_text(new QLabel), m_buttons(new QHBoxLayout)
{
    auto* row = new QHBoxLayout(this);
    const int line = fontMetrics().height();
    row->setContentsMargins(line, line / 3, line / 2, line / 3);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setAccessibleName(tr("Message"));
    auto* close = new QPushButton(tr("Close"));
    close->setProperty("flat", true);
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    row->addWidget(m_text, 1);
    row->addLayout(m_buttons);
    row->addWidget(close);
    hide();
}

void MessageBar::say(const QString& sentence, const std::vector<MessageAction>& actions)
{
    m_text->setText(sentence);
    while (const QLayoutItem* item = m_buttons->takeAt(0)) {
        item->widget()->deleteLater(); // later: it may be the one that was clicked
        item->widget()->hide();
        delete item;
    }
    for (const MessageAction& action : actions) {
        auto* button = new QPushButton(action.text);
        connect(button, &QPushButton::clicked, this, [this, run = action.run] {
            hide();
            run();
        });
        m_buttons->addWidget(button);
    }
    setVisible(!sentence.isEmpty());
    if (!sentence.isEmpty()) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

QString MessageBar::sentence() const
{
    return isVisibleTo(parentWidget()) ? m_text->text() : QString();
}

void MessageBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QFrame::keyPressEvent(event);
}

void MessageBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.fillRect(rect(), theme.errorSoft);
    painter.fillRect(QRect(0, 0, 4, height()), theme.error);
}

} // namespace bubblescope::viz
