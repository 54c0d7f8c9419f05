#include "viz/inspector/inspector.h"

#include "viz/inspector/suggestion_list.h"
#include "viz/theme/theme.h"
#include "viz/theme/wrapped_label.h"

#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace bubblescope::viz {

QLabel* captionLabel(const QString& text)
{
    auto* label = new QLabel(text.toUpper());
    label->setProperty("role", "caption");
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 0.84);
    label->setFont(font);
    label->setContentsMargins(0, 1, 0, 0); // dots of capitals may stand above the font's ascent
    return label;
}

Inspector::Inspector(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_empty(new QLabel)
    , m_story(new QLabel)
    , m_table(new QWidget)
    , m_rows(new QFormLayout(m_table))
    , m_placement(new QWidget)
    , m_steps(new QVBoxLayout(m_placement))
    , m_suggestions(new SuggestionList)
{
    setAccessibleName(tr("Inspector"));
    auto* column = new QVBoxLayout(this);
    const int line = fontMetrics().height();
    column->setContentsMargins(line, line, line, line);
    column->addWidget(captionLabel(tr("Inspector")));
    m_title->setProperty("role", "heading");
    m_empty->setProperty("role", "muted");
    m_empty->setText(tr("Click idle time to see what it waits for, or a task to see what it does.\n\nFrom the "
                        "keyboard: Tab to a timeline, then , and . go along a lane."));
    for (QLabel* label : {m_title, m_empty, m_story}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFocusPolicy(Qt::NoFocus); // the context menu copies
    }
    m_story->setProperty("role", "muted");
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setLabelAlignment(Qt::AlignLeft);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_rows->setHorizontalSpacing(line / 2);
    m_steps->setContentsMargins(0, line / 3, 0, 0);
    m_steps->setSpacing(line / 4);
    m_placement->setAccessibleName(tr("How it was placed"));
    column->addWidget(m_title);
    column->addWidget(m_empty);
    column->addWidget(m_table);
    column->addWidget(m_suggestions);
    column->addWidget(m_placement);
    column->addSpacing(line / 2);
    column->addWidget(m_story);
    column->addStretch(1);
    show(Inspection());
}

void Inspector::show(const Inspection& inspection)
{
    m_inspection = inspection;
    render();
}

/// A value; with a link it is underlined and reached by Tab, too.
QLabel* Inspector::valueLabel(const QString& text, const QString& link) const
{
    auto* label = new WrappedLabel;
    if (link.isEmpty()) {
        label->setTextFormat(Qt::PlainText);
        label->setText(text);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFocusPolicy(Qt::NoFocus); // the context menu copies
        return label;
    }
    label->setTextFormat(Qt::RichText);
    label->setText(QStringLiteral("<a href='%1' style='color:%2'>%3</a>")
                       .arg(link, currentTheme().accent.name(),
                            text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"))));
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->setToolTip(link.startsWith(QLatin1Char('i')) ? tr("Show the intervals that this comes from")
                                                        : tr("Go to this task"));
    connect(label, &QLabel::linkActivated, this, &Inspector::follow);
    return label;
}

void Inspector::follow(const QString& link)
{
    const auto number = link.mid(1).toUInt();
    if (link.startsWith(QLatin1Char('t')))
        Q_EMIT taskAsked(TaskId(number));
    else if (number < m_inspection.rows.size())
        Q_EMIT intervalsAsked(m_inspection.rows[number].intervals);
}

/// Beside its name where both are short, otherwise below it: the panel is narrow.
void Inspector::addRow(QLabel* name, QLabel* value, const QString& text)
{
    const QFontMetrics metrics = fontMetrics();
    const int half = metrics.height() * 6;
    name->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    if (metrics.horizontalAdvance(name->text()) <= half && metrics.boundingRect({}, 0, text).width() <= half) {
        m_rows->addRow(name, value);
        return;
    }
    auto* both = new QWidget;
    auto* column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(name);
    column->addWidget(value);
    m_rows->addRow(both);
}

void Inspector::render()
{
    const bool empty = m_inspection.title.isEmpty();
    m_empty->setVisible(empty);
    m_title->setVisible(!empty);
    m_table->setVisible(!empty);
    m_story->setVisible(!empty && !m_inspection.story.isEmpty());
    m_title->setText(m_inspection.title);
    m_story->setText(m_inspection.story);
    while (m_rows->rowCount() > 0)
        m_rows->removeRow(0);
    for (std::size_t i = 0; i < m_inspection.rows.size(); ++i) {
        const InspectionRow& row = m_inspection.rows[i];
        auto* what = new QLabel(row.name);
        what->setProperty("role", "muted");
        const QString link = row.task != noTask       ? QStringLiteral("t%1").arg(row.task.value)
                             : !row.intervals.empty() ? QStringLiteral("i%1").arg(i)
                                                      : QString();
        QLabel* value = valueLabel(row.value, link);
        value->setAccessibleName(row.name + QStringLiteral(": ") + row.value);
        addRow(what, value, row.value);
    }
    while (QLayoutItem* item = m_steps->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_placement->setVisible(!m_inspection.steps.empty() || !m_inspection.conclusion.isEmpty());
    if (!m_placement->isVisibleTo(this))
        return;
    m_steps->addWidget(captionLabel(tr("How it was placed")));
    for (const InspectionStep& step : m_inspection.steps) {
        const QString text = step.binding ? QStringLiteral("► %1").arg(step.text) : step.text;
        QLabel* label = valueLabel(text, step.task == noTask ? QString() : QStringLiteral("t%1").arg(step.task.value));
        if (step.binding) {
            QFont bold = label->font();
            bold.setBold(true);
            label->setFont(bold);
            label->setAccessibleDescription(tr("This one set the start."));
        }
        m_steps->addWidget(label);
    }
    auto* conclusion = new QLabel(m_inspection.conclusion);
    conclusion->setWordWrap(true);
    m_steps->addWidget(conclusion);
}

QString Inspector::text() const
{
    QString all = m_inspection.title;
    for (const InspectionRow& row : m_inspection.rows)
        all += QLatin1Char('\n') + row.name + QStringLiteral(": ") + row.value;
    for (const InspectionStep& step : m_inspection.steps)
        all += QLatin1Char('\n') + (step.binding ? QStringLiteral("► ") : QString()) + step.text;
    if (!m_inspection.conclusion.isEmpty())
        all += QLatin1Char('\n') + m_inspection.conclusion;
    return m_inspection.story.isEmpty() ? all : all + QLatin1Char('\n') + m_inspection.story;
}

void Inspector::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    // Links carry the accent of their theme. Later, for who changes it goes through all widgets, and these would vanish.
    if (event->type() == QEvent::PaletteChange)
        QMetaObject::invokeMethod(
            this, [this] { render(); }, Qt::QueuedConnection);
}

} // namespace bubblescope::viz
