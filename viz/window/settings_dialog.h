// The settings, in one small dialog. OK keeps them; what they change is said by `changed`.

#pragma once

#include <QDialog>

class QComboBox;
class QSpinBox;

namespace bubblescope::viz {

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(QWidget* parent = nullptr);

    void accept() override;

Q_SIGNALS:
    /// They have been stored.
    void changed();

private:
    QComboBox* m_theme;
    QComboBox* m_language;
    QComboBox* m_wheel;
    QSpinBox* m_autosave;
    QComboBox* m_backend;
    QSpinBox* m_steps;
};

} // namespace bubblescope::viz
