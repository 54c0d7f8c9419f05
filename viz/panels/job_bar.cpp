#include "viz/panels/job_bar.h"

#include "viz/panels/background_job.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace bubblescope::viz {

JobBar::JobBar(BackgroundJob& job, QWidget* parent)
    : QWidget(parent), m_bar(new QProgressBar), m_cancel(new QPushButton(tr("Cancel"))), m_text(new QLabel)
{
    const int line = fontMetrics().height();
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(line * 8);
    m_bar->setRange(0, 1000);
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setProperty("flat", true);
    m_cancel->setObjectName(QStringLiteral("cancelJob"));
    m_text->setProperty("role", "muted");
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_text, 1);
    row->addWidget(m_bar);
    row->addWidget(m_cancel);
    m_bar->hide();
    m_cancel->hide();
    connect(m_cancel, &QPushButton::clicked, this, [this, &job] {
        job.cancel();
        Q_EMIT cancelled();
    });
    connect(&job, &BackgroundJob::started, this, [this] {
        m_bar->setValue(0);
        m_bar->show();
        m_cancel->show();
    });
    connect(&job, &BackgroundJob::progress, this, [this, &job](double fraction, const QString& message) {
        if (!job.running())
            return;
        m_bar->setValue(static_cast<int>(fraction * 1000));
        m_text->setText(message);
    });
    connect(&job, &BackgroundJob::finished, this, [this] {
        m_bar->hide();
        m_cancel->hide();
        m_text->setText(m_idle);
    });
}

void JobBar::setIdleText(const QString& text)
{
    m_idle = text;
    if (m_bar->isHidden())
        m_text->setText(text);
}

} // namespace bubblescope::viz
