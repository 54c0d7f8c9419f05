// What a panel's work in the background says of itself: progress, a message, and a button to cancel it.

#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace bubblescope::viz {

class BackgroundJob;

class JobBar : public QWidget {
    Q_OBJECT

public:
    explicit JobBar(BackgroundJob& job, QWidget* parent = nullptr);

    /// Said while nothing runs.
    void setIdleText(const QString& text);

Q_SIGNALS:
    void cancelled();

private:
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    QLabel* m_text;
    QString m_idle;
};

} // namespace bubblescope::viz
