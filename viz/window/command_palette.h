// A list of everything that can be done, filtered by what a person types; Enter does it.
//
//     live menu bar  ──► commandsOf() ──┐
//     timeline keys  ──► commandsOf() ──┴──► CommandPalette        also used to find a lane by its name

#pragma once

#include <QDialog>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;
class QMenuBar;

namespace bubblescope::viz {

class TimelineStack;

struct Command {
    QString title;
    QString group;    ///< "View › Align runs"
    QString shortcut; ///< as people read it
    bool enabled = true;
    bool checked = false;
    std::function<void()> run;
};

/// All actions of a menu bar with its submenus as they are now.
std::vector<Command> commandsOf(const QMenuBar& bar);

/// What the keys of the timelines do, where no menu does it too.
std::vector<Command> commandsOf(TimelineStack& stack);

/// Every lane of every shown run, opened or not.
std::vector<Command> lanesOf(TimelineStack& stack);

class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(QWidget* parent, std::vector<Command> commands, const QString& placeholder);

    /// What is listed now, best first.
    QStringList titles() const;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void filter(const QString& typed);
    void runCurrent();

    std::vector<Command> m_commands;
    QLineEdit* m_text;
    QListWidget* m_list;
};

} // namespace bubblescope::viz
