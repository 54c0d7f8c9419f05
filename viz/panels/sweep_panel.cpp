#include "viz/panels/sweep_panel.h"

#include "viz/panels/job_bar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace bubblescope::viz {
namespace {

QLabel* captionOf(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text);
    label->setProperty("role", "muted");
    label->setBuddy(buddy);
    return label;
}

} // namespace

Draft draftOfPoint(Draft draft, const SweepParameter& parameter, double value, const RecipeSpec& spec)
{
    const std::string text = spec.text();
    if (text != draft.schedule[0].text() && text != draft.schedule[1].text()) {
        draft.schedule[1] = spec;
        draft.chunks[1] = 0;
    }
    Experiment changed = draft.common;
    changed.chunks = 0;
    if (std::string_view(parameter.id) == "chunks") {
        const int chunks = static_cast<int>(std::lround(value));
        for (std::size_t slot = 0; slot < draftSlots; ++slot) {
            const RecipeInfo& info = recipe(draft.schedule[slot].id);
            draft.chunks[slot] = std::clamp(chunks, info.minimumChunks, info.maximumChunks);
        }
        draft.common.partition.clear();
        return draft;
    }
    parameter.set(changed, value);
    changed.chunks = draft.common.chunks;
    draft.common = changed;
    return draft;
}

SweepPanel::SweepPanel(Workbench& workbench)
    : m_workbench(workbench)
    , m_bubble(new SweepChart(SweepChart::Figure::BubbleRate))
    , m_throughput(new SweepChart(SweepChart::Figure::Throughput))
    , m_bar(new JobBar(m_job))
{
    auto* controls = new QHBoxLayout;
    controls->setSpacing(fontMetrics().height() / 2);
    buildControls(*controls);
    auto* charts = new QHBoxLayout;
    charts->addWidget(m_bubble, 1);
    charts->addWidget(m_throughput, 1);
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addLayout(controls);
    column->addLayout(charts, 1);
    for (SweepChart* chart : {m_bubble, m_throughput})
        connect(chart, &SweepChart::pointClicked, this, &SweepPanel::openPoint);
    connect(&m_job, &BackgroundJob::finished, this, [this](const QString& sentence) {
        if (!sentence.isEmpty())
            Q_EMIT problem(sentence);
    });
    connect(m_bar, &JobBar::cancelled, this,
            [this] { m_bar->setIdleText(tr("Cancelled; change a value to sweep again.")); });
    showLimits();
}

void SweepPanel::buildControls(QHBoxLayout& row)
{
    m_parameter = new QComboBox;
    m_parameter->setObjectName(QStringLiteral("sweepParameter"));
    m_parameter->setAccessibleName(tr("Parameter that is swept"));
    for (const SweepParameter& parameter : sweepParameters())
        m_parameter->addItem(parameterTitle(parameter), QLatin1String(parameter.id));
    const auto value = [](const QString& name, const QString& accessible) {
        auto* box = new QDoubleSpinBox;
        box->setObjectName(name);
        box->setAccessibleName(accessible);
        box->setKeyboardTracking(false);
        return box;
    };
    m_from = value(QStringLiteral("sweepFrom"), tr("First value"));
    m_to = value(QStringLiteral("sweepTo"), tr("Last value"));
    m_points = new QSpinBox;
    m_points->setObjectName(QStringLiteral("sweepPoints"));
    m_points->setAccessibleName(tr("Number of values"));
    m_points->setRange(2, 200);
    m_points->setValue(16);
    m_points->setKeyboardTracking(false);
    buildFamilies();
    auto* families = new QToolButton;
    families->setText(tr("Schedules"));
    families->setObjectName(QStringLiteral("sweepSchedules"));
    families->setProperty("boxed", true);
    families->setMenu(m_families);
    families->setPopupMode(QToolButton::InstantPopup);
    families->setToolTip(tr("Schedules that are swept beside A and B"));
    row.addWidget(m_parameter);
    row.addWidget(captionOf(tr("from"), m_from));
    row.addWidget(m_from);
    row.addWidget(captionOf(tr("to"), m_to));
    row.addWidget(m_to);
    row.addWidget(captionOf(tr("values"), m_points));
    row.addWidget(m_points);
    row.addWidget(families);
    row.addWidget(m_bar, 1);
    connect(m_parameter, &QComboBox::currentIndexChanged, this, [this] {
        showLimits();
        sweepNow();
    });
    for (QDoubleSpinBox* box : {m_from, m_to})
        connect(box, &QDoubleSpinBox::valueChanged, this, &SweepPanel::sweepNow);
    connect(m_points, &QSpinBox::valueChanged, this, &SweepPanel::sweepNow);
}

void SweepPanel::buildFamilies()
{
    m_families = new QMenu(this);
    for (const RecipeInfo& info : recipes()) {
        QAction* action =
            m_families->addAction(QString::fromUtf8(info.title.data(), static_cast<qsizetype>(info.title.size())));
        action->setCheckable(true);
        action->setData(QString::fromUtf8(info.id.data(), static_cast<qsizetype>(info.id.size())));
        connect(action, &QAction::toggled, this, &SweepPanel::sweepNow);
    }
}

const SweepParameter& SweepPanel::parameter() const
{
    return sweepParameter(m_parameter->currentData().toString().toStdString());
}

void SweepPanel::showLimits()
{
    const SweepParameter& chosen = parameter();
    const double now = chosen.get(m_workbench.draft().experimentFor(0));
    const QSignalBlocker quietFrom(m_from);
    const QSignalBlocker quietTo(m_to);
    for (QDoubleSpinBox* box : {m_from, m_to}) {
        box->setDecimals(chosen.whole ? 0 : 3);
        box->setRange(chosen.minimum, chosen.maximum);
        const QString unit = parameterUnit(chosen);
        box->setSuffix(unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
    }
    m_from->setValue(chosen.minimum);
    m_to->setValue(chosen.whole ? std::max(now * 2, 16.0) : std::max(now * 2, 1.0));
}

std::vector<Experiment> SweepPanel::experiments() const
{
    const Draft& draft = m_workbench.draft();
    std::vector<Experiment> all{draft.experimentFor(0)};
    const auto add = [&](const Experiment& experiment) {
        for (const Experiment& known : all)
            if (known.schedules.front().text() == experiment.schedules.front().text() &&
                known.chunks == experiment.chunks)
                return;
        all.push_back(experiment);
    };
    add(draft.experimentFor(1));
    for (const QAction* action : m_families->actions()) {
        if (!action->isChecked())
            continue;
        Draft other = draft;
        other.schedule[1] = parseRecipe(action->data().toString().toStdString());
        other.chunks[1] = 0;
        add(other.experimentFor(1));
    }
    return all;
}

void SweepPanel::setRuns(const std::vector<RunPtr>&)
{
    sweepIfChanged();
}

void SweepPanel::sweepNow()
{
    m_swept.clear();
    if (isVisible())
        sweepIfChanged();
}

void SweepPanel::sweepIfChanged()
{
    const std::vector<Experiment> asked = experiments();
    const SweepParameter& chosen = parameter();
    std::string text = fmt::format("{} {} {} {}", chosen.id, m_from->value(), m_to->value(), m_points->value());
    for (const Experiment& experiment : asked)
        text += '\n' + toJson(experiment).dump();
    if (text == m_swept)
        return;
    m_swept = text;
    m_bar->setIdleText(QString());
    const std::vector<double> values = sweepValues(chosen, m_from->value(), m_to->value(), m_points->value());
    const double now = chosen.get(m_workbench.draft().experimentFor(0));
    m_job.start([asked, &chosen, values](const Progress& progress) { return sweep(asked, chosen, values, progress); },
                [this, &chosen, now](const std::vector<SweepLine>& lines) {
                    m_bubble->setLines(lines, chosen, now);
                    m_throughput->setLines(lines, chosen, now);
                    std::size_t left = 0;
                    for (const SweepLine& line : lines)
                        for (const SweepPoint& point : line.points)
                            left += point.problem.empty() ? 0 : 1;
                    m_bar->setIdleText(
                        left > 0 ? tr("%n point(s) can't be built; the CSV says why.", nullptr, static_cast<int>(left))
                                 : QString());
                });
}

void SweepPanel::openPoint(int line, int point)
{
    const SweepLine& chosen = m_bubble->lines()[static_cast<std::size_t>(line)];
    const double value = chosen.points[static_cast<std::size_t>(point)].value;
    m_workbench.edit(draftOfPoint(m_workbench.draft(), parameter(), value, chosen.experiment.schedules.front()),
                     tr("%1 = %2").arg(parameterTitle(parameter()), cellText(value)));
}

} // namespace bubblescope::viz
