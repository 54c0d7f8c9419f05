#include "viz/inspector/inspector.h"

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
    return label;
}

Inspector::Inspector(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_empty(new QLabel)
    , m_story(new QLabel)
    , m_table(new QWidget)
    , m_rows(new QFormLayout(m_table))
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
    }
    m_story->setProperty("role", "muted");
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setLabelAlignment(Qt::AlignLeft);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_rows->setHorizontalSpacing(line);
    column->addWidget(m_title);
    column->addWidget(m_empty);
    column->addWidget(m_table);
    column->addSpacing(line / 2);
    column->addWidget(m_story);
    column->addStretch(1);
    show(Inspection());
}

void Inspector::show(const Inspection& inspection)
{
    m_inspection = inspection;
    const bool empty = inspection.title.isEmpty();
    m_empty->setVisible(empty);
    m_title->setVisible(!empty);
    m_table->setVisible(!empty);
    m_story->setVisible(!empty && !inspection.story.isEmpty());
    m_title->setText(inspection.title);
    m_story->setText(inspection.story);
    while (m_rows->rowCount() > 0)
        m_rows->removeRow(0);
    for (const auto& [name, value] : inspection.rows) {
        auto* what = new QLabel(name);
        what->setProperty("role", "muted");
        auto* text = new QLabel(value);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_rows->addRow(what, text);
    }
}

QString Inspector::text() const
{
    QString all = m_inspection.title;
    for (const auto& [name, value] : m_inspection.rows)
        all += QLatin1Char('\n') + name + QStringLiteral(": ") + value;
    return m_inspection.story.isEmpty() ? all : all + QLatin1Char('\n') + m_inspection.story;
}

} // namespace bubblescope::viz
