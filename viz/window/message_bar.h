// A sentence with its next step, in the window itself: errors don't open boxes.

#pragma once

#include <QFrame>

class QLabel;

namespace bubblescope::viz {

class MessageBar : public QFrame {
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    void say(const QString& sentence);
    QString sentence() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_text;
};

} // namespace bubblescope::viz
