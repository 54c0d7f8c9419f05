#include "viz/partition/partition_control.h"

#include "viz/document/background.h"
#include "viz/partition/partition_bar.h"
#include "viz/run/core_text.h"
#include "viz/timeline/time_text.h"

#include <QToolButton>

#include <optional>

namespace bubblescope::viz {
namespace {

constexpr int dragMerge = 1000; ///< first merge number of drags in the bar

/// The devices of each stage: as predicted, or one after another while nothing is.
std::vector<std::vector<int>> homesFor(const Workbench& workbench, int slot)
{
    const int stages = workbench.draft().virtualStages(slot);
    const RunPtr& run = workbench.prediction(slot);
    if (run && run->plan && run->plan->schedule.shape.stages == stages)
        return homesOfStages(run->plan->schedule);
    std::vector<std::vector<int>> homes;
    for (int stage = 0; stage < stages; ++stage)
        homes.push_back({stage % std::max(1, workbench.draft().common.stages)});
    return homes;
}

} // namespace

PartitionControl::PartitionControl(Workbench& workbench, PartitionBar& bar, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_bar(bar)
{
    m_menu.setTitle(tr("&Partition algorithms"));
    m_menu.setToolTipsVisible(true);
    bar.algorithms().setMenu(&m_menu);
    connect(&m_menu, &QMenu::aboutToShow, this, &PartitionControl::fillMenu);
    connect(&bar, &PartitionBar::slotChosen, this, &PartitionControl::setSlot);
    connect(&bar, &PartitionBar::balanceAsked, this, &PartitionControl::balance);
    connect(&bar, &PartitionBar::partitionEdited, this, [this](const std::vector<int>& layers, int drag) {
        choose(layers, tr("move a boundary"), dragMerge + drag);
    });
    connect(&workbench, &Workbench::draftChanged, this, &PartitionControl::show);
    connect(&workbench, &Workbench::predictionsChanged, this, &PartitionControl::show);
    show();
}

PartitionControl::~PartitionControl()
{
    if (m_search)
        m_search->cancel();
}

void PartitionControl::setSlot(int slot)
{
    m_slot = slot;
    show();
}

void PartitionControl::show()
{
    const Draft& draft = m_workbench.draft();
    const ModelSpec& model = draft.common.model;
    if (draft.partitionShared())
        m_slot = 0;
    m_bar.setPartition(draft.partition(m_slot), draft.layerCosts(), homesFor(m_workbench, m_slot),
                       model.embeddingCost > 0, model.headCost > 0);
    m_bar.setChoice(draft.partitionShared() ? -1 : m_slot);
}

void PartitionControl::choose(const std::vector<int>& layers, const QString& what, int merge)
{
    if (layers.empty() || layers == m_workbench.draft().partition(m_slot))
        return;
    Draft draft = m_workbench.draft();
    draft.setPartition(m_slot, layers);
    m_workbench.edit(draft, what, merge);
}

void PartitionControl::balance()
{
    const Draft& draft = m_workbench.draft();
    choose(balancedPartition(draft.layerCosts(), draft.virtualStages(m_slot)), tr("balance the partition"));
}

void PartitionControl::fillMenu()
{
    if (m_search)
        m_search->cancel();
    m_search = nullptr;
    m_menu.clear();
    const RunPtr run = m_workbench.prediction(m_slot);
    if (!run || !run->timed() || !run->problems.empty() || m_workbench.draft().common.model.layers <= 0) {
        m_menu.addAction(tr("There is no predicted schedule with layers to divide."))->setEnabled(false);
        return;
    }
    m_menu.addAction(tr("Predicting …"))->setEnabled(false);
    const auto progress = std::make_shared<Progress>();
    m_search = progress;
    const auto work = [run, progress]() -> std::optional<std::vector<PartitionChoice>> {
        try {
            return partitionChoices(run->experiment, *run->plan, run->timing, *progress);
        } catch (const Error&) {
            return std::vector<PartitionChoice>();
        } catch (const Cancelled&) {
            return std::nullopt;
        }
    };
    inBackground(this, work, [this, progress](const std::optional<std::vector<PartitionChoice>>& choices) {
        if (m_search != progress)
            return;
        m_search = nullptr;
        if (choices)
            addChoices(*choices);
    });
}

void PartitionControl::addChoices(const std::vector<PartitionChoice>& choices)
{
    m_menu.clear();
    if (choices.empty())
        m_menu.addAction(tr("There are fewer layers than stages."))->setEnabled(false);
    const std::vector<int> now = m_workbench.draft().partition(m_slot);
    for (const PartitionChoice& choice : choices) {
        const QString title = coreText(choice.title);
        QString layers;
        for (const int count : choice.layers)
            layers += (layers.isEmpty() ? QString() : QStringLiteral(", ")) + QString::number(count);
        QAction* action =
            m_menu.addAction(title + QLatin1Char('\t') +
                             tr("%1 · bubble %2").arg(timeText(choice.makespan), percentText(choice.bubbleRate)));
        action->setObjectName(QString::fromStdString(choice.id));
        action->setCheckable(true);
        action->setChecked(choice.layers == now);
        action->setToolTip(tr("%1\nLayers: %2\nSlowest stage: %3 × mean")
                               .arg(coreText(choice.idea), layers)
                               .arg(choice.slowest, 0, 'f', 2));
        connect(action, &QAction::triggered, this,
                [this, choice, title] { choose(choice.layers, tr("divide the layers: %1").arg(inSentence(title))); });
    }
}

} // namespace bubblescope::viz
