// All keys that work right now, from where they are bound: the timelines' table, the menu bar, and widgets that
// say what their keys do.
//
// A widget with keys of its own has a property "keyHelp": a list of strings "keys|what they do".

#pragma once

#include <QDialog>
#include <QString>

#include <vector>

class QMenuBar;

namespace bubblescope::viz {

struct KeyGroup {
    QString title;
    std::vector<std::pair<QString, QString>> rows; ///< keys, what they do
};

/// `window`: where to look for widgets that have keys of their own.
std::vector<KeyGroup> keyGroups(const QMenuBar& bar, const QWidget& window);

class KeyHelp : public QDialog {
    Q_OBJECT

public:
    KeyHelp(QWidget* parent, const std::vector<KeyGroup>& groups);

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace bubblescope::viz
