// Asks where and how a replay is exported, and shows how far it is. Stays open beside the window.

#pragma once

#include "viz/replay/export_job.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace bubblescope::viz {

enum class ReplayFormat { Webp, Png };

class ReplayExportDialog : public QDialog {
    Q_OBJECT

public:
    /// Ranges that may be chosen; empty ones aren't offered.
    struct Ranges {
        TimeRange whole;
        TimeRange visible;
        TimeRange selection;
        std::vector<Nanoseconds> offsets; ///< of the runs on the axis that the ranges are of; empty: none
    };

    ReplayExportDialog(std::vector<RunPtr> runs, ReplayFormat format, const Ranges& ranges, double speed,
                       QWidget* parent = nullptr);

    /// What the fields say; throws Error with a sentence when that can't be exported.
    ReplayExport wanted() const;

    void setUpcoming(Upcoming upcoming) { m_upcoming = upcoming; }

    ReplayExportJob& job() { return m_job; }

Q_SIGNALS:
    void written(const QString& sentence);

protected:
    void done(int result) override;

private:
    QWidget* buildFile();
    QWidget* buildSize();
    void buildFields(const Ranges& ranges, double speed);
    void browse();
    void begin();
    void conclude(bool finished, const QString& sentence);
    void summarise();
    void setBusy(bool busy);
    QString wantedOrSentence(ReplayExport& order) const;

    std::vector<RunPtr> m_runs;
    std::vector<Nanoseconds> m_offsets;
    ReplayFormat m_format;
    Upcoming m_upcoming = Upcoming::Dimmed;
    ReplayExportJob m_job;
    QWidget* m_fields;
    QLineEdit* m_file = nullptr;
    QSpinBox* m_width = nullptr;
    QSpinBox* m_height = nullptr;
    QSpinBox* m_rate = nullptr;
    QComboBox* m_speed = nullptr;
    QComboBox* m_range = nullptr;
    QCheckBox* m_forever = nullptr;
    QLabel* m_summary = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_export = nullptr;
    QPushButton* m_cancel = nullptr;
};

} // namespace bubblescope::viz
