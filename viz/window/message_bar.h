// A sentence with its next step, in the window itself: errors don't open boxes.

#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace bubblescope::viz {

/// A next step as a button.
struct MessageAction {
    QString text;
    std::function<void()> run;
};

class MessageBar : public QFrame {
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    /// An empty sentence hides the bar. A button hides it too, and then does what it says.
    void say(const QString& sentence, const std::vector<MessageAction>& actions = {});

    QString sentence() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_text;
    QHBoxLayout* m_buttons;
};

} // namespace bubblescope::viz
