#include "viz/timeline/search_bar.h"

#include "viz/theme/theme.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

namespace bubblescope::viz {
namespace {

QToolButton* button(const QString& text, const QString& name)
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setProperty("boxed", true);
    return button;
}

} // namespace

SearchBar::SearchBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLineEdit)
    , m_regular(button(QStringLiteral(".*"), tr("Regular expression")))
    , m_count(new QLabel)
    , m_previous(button(QStringLiteral("↑"), tr("Previous match (Shift+Enter)")))
    , m_next(button(QStringLiteral("↓"), tr("Next match (Enter)")))
{
    setObjectName(QStringLiteral("searchBar"));
    m_text->setObjectName(QStringLiteral("searchText"));
    m_text->setAccessibleName(tr("Find tasks"));
    m_text->setPlaceholderText(tr("Find tasks: F3, stage 2, forward, a kernel's name …"));
    m_text->setClearButtonEnabled(true);
    for (auto* clear : m_text->findChildren<QAbstractButton*>())
        clear->setAccessibleName(tr("Clear the text"));
    m_text->installEventFilter(this);
    m_regular->setCheckable(true);
    m_regular->setObjectName(QStringLiteral("searchRegular"));
    m_count->setObjectName(QStringLiteral("searchCount"));
    m_count->setProperty("role", "muted");
    m_count->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("00000000 of 00000000")));
    auto* leave = button(QStringLiteral("×"), tr("Close the search (Esc)"));
    auto* row = new QHBoxLayout(this);
    const int line = fontMetrics().height();
    row->setContentsMargins(line, line / 4, line, line / 4);
    row->setSpacing(line / 3);
    row->addWidget(m_text, 1);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_regular), static_cast<QWidget*>(m_count), static_cast<QWidget*>(m_previous),
          static_cast<QWidget*>(m_next), static_cast<QWidget*>(leave)})
        row->addWidget(widget);
    const auto changed = [this] { Q_EMIT queryChanged(query()); };
    connect(m_text, &QLineEdit::textChanged, this, changed);
    connect(m_regular, &QToolButton::toggled, this, changed);
    connect(m_previous, &QToolButton::clicked, this, &SearchBar::previousAsked);
    connect(m_next, &QToolButton::clicked, this, &SearchBar::nextAsked);
    connect(leave, &QToolButton::clicked, this, &SearchBar::close);
    hide();
}

void SearchBar::open()
{
    show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
    Q_EMIT queryChanged(query());
}

void SearchBar::close()
{
    if (isHidden())
        return;
    hide();
    Q_EMIT closed();
}

SearchQuery SearchBar::query() const
{
    return {m_text->text(), m_regular->isChecked()};
}

void SearchBar::showCount(std::size_t rank, std::size_t count)
{
    m_text->setProperty("invalid", count == 0 && !query().empty());
    m_text->style()->polish(m_text);
    const QString all = QString::number(count);
    m_count->setText(query().empty() ? QString()
                     : count == 0    ? tr("nothing found")
                     : rank == 0     ? tr("%1 found").arg(all)
                                     : tr("%1 of %2").arg(QString::number(rank), all));
    m_count->setToolTip({});
    for (QToolButton* way : {m_previous, m_next})
        way->setEnabled(count > 0);
}

void SearchBar::showBusy()
{
    m_count->setText(tr("searching …"));
}

void SearchBar::showProblem(const QString& sentence)
{
    showCount(0, 0);
    m_count->setText(fontMetrics().elidedText(sentence, Qt::ElideRight, width() / 2));
    m_count->setToolTip(sentence);
}

QString SearchBar::countText() const
{
    return m_count->text();
}

bool SearchBar::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_text && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (key->modifiers().testFlag(Qt::ShiftModifier))
                Q_EMIT previousAsked();
            else
                Q_EMIT nextAsked();
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            close();
            return true;
        }
    }
    return QFrame::eventFilter(object, event);
}

void SearchBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().window);
    painter.setPen(currentTheme().border);
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

} // namespace bubblescope::viz
