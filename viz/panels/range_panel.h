// What took place in the selected range of time, for every shown run: start, end, duration, a table per work
// and one per device. Follows the selection; the sums are computed on another thread.

#pragma once

#include "viz/panels/range_text.h"
#include "viz/panels/run_panel.h"

#include <memory>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace bubblescope::viz {

class TimelineStack;

class RangePanel : public RunPanel {
    Q_OBJECT

public:
    explicit RangePanel(TimelineStack& stack);
    ~RangePanel() override;

    void setRuns(const std::vector<RunPtr>& runs) override;

    /// Empty while nothing is selected or the sums aren't there yet.
    const std::vector<RangeOfRun>& ranges() const { return m_ranges; }

    QTableWidget& works() { return *m_works; }

    QTableWidget& devices() { return *m_devices; }

    /// Puts the summary on the clipboard as text.
    void copy() const;

    /// False (and a sentence) when the file can't be written.
    bool saveCsv(const QString& path, QString& problem) const;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void compute();
    void showRanges(std::vector<RangeOfRun> ranges);
    void openWork(int row);
    void openDevice(int row);
    void askForCsv();

    TimelineStack& m_stack;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QLabel* m_sentence;
    QTableWidget* m_works;
    QTableWidget* m_devices;
    std::vector<RunPtr> m_runs;
    std::vector<RangeOfRun> m_ranges;
    std::shared_ptr<Progress> m_progress; // of the sums that are being computed
};

} // namespace bubblescope::viz
