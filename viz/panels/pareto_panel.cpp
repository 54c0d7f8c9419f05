#include "viz/panels/pareto_panel.h"

#include "viz/charts/sweep_chart.h"
#include "viz/panels/job_bar.h"

#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <set>

namespace bubblescope::viz {

ParetoPanel::ParetoPanel(Workbench& workbench)
    : m_workbench(workbench), m_chart(new ParetoChart), m_bar(new JobBar(m_job))
{
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addWidget(m_chart, 1);
    column->addWidget(m_bar);
    connect(m_chart, &ParetoChart::choiceClicked, this, &ParetoPanel::openChoice);
    connect(&m_job, &BackgroundJob::finished, this, [this](const QString& sentence) {
        if (!sentence.isEmpty())
            m_bar->setIdleText(sentence);
    });
    connect(m_bar, &JobBar::cancelled, this,
            [this] { m_bar->setIdleText(tr("Cancelled; change the experiment to search again.")); });
}

void ParetoPanel::setRuns(const std::vector<RunPtr>&)
{
    Experiment experiment = m_workbench.draft().common; // every family takes the chunks that it needs
    experiment.schedules.clear();
    experiment.chunks = 0;
    experiment.partition.clear();
    experiment.stageCosts.clear();
    experiment.stageSpeed.clear();
    const std::string text = toJson(experiment).dump();
    if (text == m_searched) {
        showChoices(); // A or B may be others now
        return;
    }
    m_searched = text;
    m_bar->setIdleText(QString());
    m_job.start([experiment](const Progress& progress) { return searchSchedules(experiment, progress); },
                [this](const SearchResult& result) { show(result); });
}

void ParetoPanel::show(const SearchResult& result)
{
    m_choices = result.variants;
    std::set<std::string> families;
    for (const SearchCandidate& choice : m_choices)
        families.insert(choice.spec().id);
    QStringList reasons;
    for (const SearchLeftOut& left : result.leftOut)
        reasons << QString::fromStdString(left.id) + QStringLiteral(": ") + QString::fromStdString(left.reason);
    m_bar->setIdleText(tr("%1 variants of %2 schedules fit; chunks share a device's work. %3 schedules are left out: "
                          "point here to see why.")
                           .arg(m_choices.size())
                           .arg(families.size())
                           .arg(result.leftOut.size()));
    m_bar->setToolTip(reasons.join(QLatin1Char('\n')));
    showChoices();
}

void ParetoPanel::showChoices()
{
    const Draft& draft = m_workbench.draft();
    std::vector<ParetoChart::Shown> shown;
    for (int slot = 0; slot < draftSlots; ++slot)
        shown.push_back(
            {QString(QChar(u'A' + slot)), draft.schedule[static_cast<std::size_t>(slot)], draft.chunksOf(slot)});
    m_chart->setChoices(m_choices, shown, draft.common.memoryLimit);
}

void ParetoPanel::openChoice(int choice)
{
    const SearchCandidate& chosen = m_chart->choices()[static_cast<std::size_t>(choice)];
    Draft draft = m_workbench.draft();
    draft.schedule[1] = chosen.spec();
    draft.chunks[1] = chosen.experiment.chunks;
    m_workbench.edit(draft, tr("%1 as B").arg(recipeTitle(chosen.spec())));
}

} // namespace bubblescope::viz
