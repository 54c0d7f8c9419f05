// Between the partition bar and the draft: edits, whose partition is shown, and the algorithms with what
// is predicted for each before it is chosen.

#pragma once

#include "core/partition/partition.h"
#include "viz/document/workbench.h"

#include <QMenu>
#include <QObject>

#include <memory>

namespace bubblescope::viz {

class PartitionBar;

class PartitionControl : public QObject {
    Q_OBJECT

public:
    PartitionControl(Workbench& workbench, PartitionBar& bar, QObject* parent = nullptr);
    ~PartitionControl() override;

    /// Whose partition the bar shows: 0 is A.
    int slot() const { return m_slot; }

    void setSlot(int slot);
    void balance();

    /// "Balanced by cost     36.5 ms · bubble 31.4 %", …; filled when it is about to be shown.
    QMenu& menu() { return m_menu; }

    /// True while the algorithms are being predicted.
    bool working() const { return m_search != nullptr; }

private:
    void show();
    void fillMenu();
    void addChoices(const std::vector<PartitionChoice>& choices);
    void choose(const std::vector<int>& layers, const QString& what, int merge = -1);

    Workbench& m_workbench;
    PartitionBar& m_bar;
    QMenu m_menu;
    std::shared_ptr<Progress> m_search;
    int m_slot = 0;
};

} // namespace bubblescope::viz
