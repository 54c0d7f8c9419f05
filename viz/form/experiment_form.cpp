#include "viz/form/experiment_form.h"

#include "viz/inspector/inspector.h"
#include "viz/theme/wrapped_label.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

/// Fields whose changes merge into one step of undo, each with its own number.
enum Field {
    Layers = 1,
    Embedding,
    Head,
    Stages,
    Comm,
    CommModelField,
    CostField,
    CostOfField,
    Microbatches,
    ScheduleField = 20,
    ChunksField = 30,
    ParameterField = 40
};

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

void markInvalid(QWidget* field, bool invalid)
{
    if (field->property("invalid").toBool() == invalid)
        return;
    field->setProperty("invalid", invalid);
    field->style()->unpolish(field);
    field->style()->polish(field);
}

QSpinBox* spin(int minimum, int maximum, const QString& name)
{
    auto* box = new QSpinBox;
    box->setRange(minimum, maximum);
    box->setMinimumWidth(box->fontMetrics().height() * 4); // its own hint is as wide as the largest number
    box->setObjectName(name);
    return box;
}

QDoubleSpinBox* decimal(double maximum, double step, const QString& name)
{
    auto* box = new QDoubleSpinBox;
    box->setRange(0, maximum);
    box->setSingleStep(step);
    box->setDecimals(2);
    box->setObjectName(name);
    return box;
}

/// A field with its label. Labels have one width, so that the fields of nested forms stand below each other.
QLabel* addField(QFormLayout& form, const QString& text, QWidget* field)
{
    auto* label = new QLabel(text);
    label->setMinimumWidth(label->fontMetrics().horizontalAdvance(QStringLiteral("Microbatches ")));
    label->setBuddy(field);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(text);
    form.addRow(label, field);
    return label;
}

void say(WrappedLabel& sentence, const QString& text)
{
    sentence.setText(text);
    sentence.fit();
    sentence.setVisible(!text.isEmpty());
}

/// "interleaved_1f1b" → "interleaved 1f1b": what a parameter is called in the form.
QString fieldTitle(const std::string& name)
{
    QString title = QString::fromStdString(name);
    title.replace(QLatin1Char('_'), QLatin1Char(' '));
    return title.left(1).toUpper() + title.mid(1);
}

} // namespace

template <class Change>
void ExperimentForm::edit(int field, const QString& what, Change change)
{
    if (m_showing)
        return;
    Draft draft = m_workbench.draft();
    change(draft);
    m_workbench.edit(draft, what, field);
}

ExperimentForm::ExperimentForm(Workbench& workbench, QWidget* parent) : QWidget(parent), m_workbench(workbench)
{
    auto* form = new QFormLayout(this);
    const int line = fontMetrics().height();
    form->setContentsMargins(line * 3 / 4, line / 2, line * 3 / 4, line / 2);
    form->setVerticalSpacing(line / 3);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    buildSchedules(*form);
    buildModel(*form);
    buildCluster(*form);
    connect(&workbench, &Workbench::draftChanged, this, &ExperimentForm::showDraft);
    connect(&workbench, &Workbench::predictionsChanged, this, &ExperimentForm::showErrors);
    showDraft();
}

WrappedLabel* ExperimentForm::errorLabel(QFormLayout& form, const QString& name)
{
    auto* label = new WrappedLabel;
    label->setObjectName(name);
    label->setProperty("role", "error");
    label->hide();
    form.addRow(label);
    return label;
}

void ExperimentForm::buildSlot(QFormLayout& form, int slot)
{
    Slot& fields = m_slots[static_cast<std::size_t>(slot)];
    const QString letter(QChar(u'A' + slot));
    fields.family = new QComboBox;
    fields.family->setObjectName(QStringLiteral("schedule%1").arg(slot));
    fields.family->setAccessibleName(tr("Schedule %1").arg(letter));
    fields.family->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    fields.family->setMinimumContentsLength(6);
    for (const RecipeInfo& info : recipes()) {
        fields.family->addItem(fromView(info.title), fromView(info.id));
        fields.family->setItemData(fields.family->count() - 1, fromView(info.idea), Qt::ToolTipRole);
    }
    connect(fields.family, &QComboBox::currentIndexChanged, this, [this, slot](int index) {
        const QString id = m_slots[static_cast<std::size_t>(slot)].family->itemData(index).toString();
        edit(ScheduleField + slot, tr("choose %1").arg(id),
             [&](Draft& draft) { draft.setSchedule(slot, parseRecipe(id.toStdString()), 0); });
    });
    addField(form, letter, fields.family);
    fields.chunks = spin(1, 64, QStringLiteral("chunks%1").arg(slot));
    fields.chunks->setAccessibleName(tr("Chunks of schedule %1").arg(letter));
    connect(fields.chunks, &QSpinBox::valueChanged, this, [this, slot](int value) {
        edit(ChunksField + slot, tr("change chunks"),
             [&](Draft& draft) { draft.setSchedule(slot, draft.schedule[static_cast<std::size_t>(slot)], value); });
    });
    fields.chunksLabel = addField(form, tr("Chunks"), fields.chunks);
    fields.parameterPanel = new QWidget;
    fields.parameters = new QFormLayout(fields.parameterPanel);
    fields.parameters->setContentsMargins(0, 0, 0, 0);
    fields.parameters->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form.addRow(fields.parameterPanel);
    fields.error = errorLabel(form, QStringLiteral("scheduleError%1").arg(slot));
}

void ExperimentForm::buildSchedules(QFormLayout& form)
{
    form.addRow(captionLabel(tr("Schedules")));
    for (int slot = 0; slot < draftSlots; ++slot)
        buildSlot(form, slot);
    m_microbatches = spin(1, 100'000, QStringLiteral("microbatches"));
    connect(m_microbatches, &QSpinBox::valueChanged, this, [this](int value) {
        edit(Microbatches, tr("change microbatches"), [&](Draft& draft) { draft.common.microbatches = value; });
    });
    addField(form, tr("Microbatches"), m_microbatches);
}

void ExperimentForm::buildModel(QFormLayout& form)
{
    form.addRow(captionLabel(tr("Model")));
    m_layers = spin(0, 4096, QStringLiteral("layers"));
    m_layers->setSpecialValueText(tr("none"));
    m_layers->setToolTip(tr("Blocks of the model. None: every stage costs what is given below."));
    connect(m_layers, &QSpinBox::valueChanged, this, [this](int value) {
        edit(Layers, tr("change layers"), [&](Draft& draft) {
            draft.common.model.layers = value;
            draft.common.model.layerCosts.clear();
            draft.common.partition.clear();
        });
    });
    addField(form, tr("Layers"), m_layers);
    m_embedding = decimal(100, 0.1, QStringLiteral("embedding"));
    m_embedding->setToolTip(tr("Cost of the embedding, in layers; it lies on the first stage."));
    connect(m_embedding, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        edit(Embedding, tr("change the embedding's cost"),
             [&](Draft& draft) { draft.common.model.embeddingCost = value; });
    });
    addField(form, tr("Embedding"), m_embedding);
    m_head = decimal(100, 0.1, QStringLiteral("head"));
    m_head->setToolTip(tr("Cost of the LM head, in layers; it lies on the last stage."));
    connect(m_head, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        edit(Head, tr("change the head's cost"), [&](Draft& draft) { draft.common.model.headCost = value; });
    });
    addField(form, tr("Head"), m_head);
}

void ExperimentForm::buildCluster(QFormLayout& form)
{
    form.addRow(captionLabel(tr("Devices and costs")));
    m_stages = spin(1, 1024, QStringLiteral("stages"));
    connect(m_stages, &QSpinBox::valueChanged, this, [this](int value) {
        edit(Stages, tr("change devices"), [&](Draft& draft) {
            draft.common.stages = value;
            draft.common.partition.clear();
        });
    });
    addField(form, tr("Devices"), m_stages);
    m_cost = new QLineEdit;
    m_cost->setObjectName(QStringLiteral("cost"));
    m_cost->setPlaceholderText(QStringLiteral("F=1,B=2"));
    m_cost->setToolTip(
        tr("Milliseconds of a task on a mean stage: F=1,B=2, or F=1,I=1,W=1 for a backward in two parts."));
    connect(m_cost, &QLineEdit::textEdited, this, [this](const QString& text) {
        edit(CostField, tr("change costs"), [&](Draft& draft) { draft.common.cost = text.trimmed().toStdString(); });
    });
    addField(form, tr("Cost, ms"), m_cost);
    m_costOf = new QComboBox;
    m_costOf->setObjectName(QStringLiteral("costOf"));
    m_costOf->addItem(tr("a device"), static_cast<int>(CostOf::DeviceShare));
    m_costOf->addItem(tr("each stage"), static_cast<int>(CostOf::EachStage));
    m_costOf->setToolTip(tr("a device: its share of the model costs that much, and several chunks share it, so that "
                            "schedules compare. each stage: a second chunk is that much more work."));
    connect(m_costOf, &QComboBox::currentIndexChanged, this, [this] {
        const auto of = static_cast<CostOf>(m_costOf->currentData().toInt());
        edit(CostOfField, tr("change costs"), [&](Draft& draft) { draft.common.costOf = of; });
    });
    addField(form, tr("Cost of"), m_costOf);
    m_costError = errorLabel(form, QStringLiteral("costError"));
    m_comm = decimal(10'000, 0.05, QStringLiteral("comm"));
    m_comm->setToolTip(tr("Latency of a hop between two devices, in milliseconds."));
    connect(m_comm, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        edit(Comm, tr("change the link"), [&](Draft& draft) { draft.common.comm = value; });
    });
    addField(form, tr("Hop, ms"), m_comm);
    m_commModel = new QComboBox;
    m_commModel->setObjectName(QStringLiteral("commModel"));
    for (const CommModel model : {CommModel::Latency, CommModel::Link, CommModel::Blocking})
        m_commModel->addItem(QString::fromUtf8(commModelName(model)));
    m_commModel->setToolTip(tr("latency: a message arrives a constant time later. link: it occupies the link. "
                               "blocking: it occupies both devices."));
    connect(m_commModel, &QComboBox::currentTextChanged, this, [this](const QString& text) {
        edit(CommModelField, tr("change the link"), [&](Draft& draft) { draft.common.commModel = text.toStdString(); });
    });
    addField(form, tr("Transfers"), m_commModel);
    m_commError = errorLabel(form, QStringLiteral("commError"));
}

void ExperimentForm::showDraft()
{
    m_showing = true;
    const Draft& draft = m_workbench.draft();
    m_layers->setValue(draft.common.model.layers);
    m_embedding->setValue(draft.common.model.embeddingCost);
    m_head->setValue(draft.common.model.headCost);
    m_stages->setValue(draft.common.stages);
    m_comm->setValue(draft.common.comm);
    m_commModel->setCurrentText(QString::fromStdString(draft.common.commModel));
    m_microbatches->setValue(draft.common.microbatches);
    const QString cost = QString::fromStdString(draft.common.cost);
    if (m_cost->text().trimmed() != cost)
        m_cost->setText(cost);
    m_costOf->setCurrentIndex(m_costOf->findData(static_cast<int>(draft.common.costOf)));
    for (int slot = 0; slot < draftSlots; ++slot)
        showSlot(slot);
    m_showing = false;
    showErrors();
}

void ExperimentForm::showSlot(int slot)
{
    Slot& fields = m_slots[static_cast<std::size_t>(slot)];
    const Draft& draft = m_workbench.draft();
    const RecipeSpec& spec = draft.schedule[static_cast<std::size_t>(slot)];
    fields.family->setCurrentIndex(fields.family->findData(QString::fromStdString(spec.id)));
    const RecipeInfo& info = recipe(spec.id);
    fields.family->setToolTip(fromView(info.idea) + QStringLiteral("\n") + fromView(info.paper));
    const bool hasChunks = info.maximumChunks > 1;
    fields.chunks->setVisible(hasChunks);
    fields.chunksLabel->setVisible(hasChunks);
    fields.chunks->setValue(draft.chunksOf(slot));
    rebuildParameters(slot);
}

void ExperimentForm::rebuildParameters(int slot)
{
    Slot& fields = m_slots[static_cast<std::size_t>(slot)];
    const RecipeSpec& spec = m_workbench.draft().schedule[static_cast<std::size_t>(slot)];
    const RecipeInfo& info = recipe(spec.id);
    if (fields.shownFamily != spec.id) {
        while (fields.parameters->rowCount() > 0)
            fields.parameters->removeRow(0);
        for (const RecipeParameter& parameter : info.parameters)
            addField(*fields.parameters, fieldTitle(parameter.name), parameterField(slot, parameter));
        fields.shownFamily = spec.id;
        fields.parameterPanel->setVisible(!info.parameters.empty());
    }
    for (const RecipeParameter& parameter : info.parameters) {
        const QString value = QString::fromStdString(spec.parameters.at(parameter.name));
        auto* field = fields.parameterPanel->findChild<QWidget*>(QString::fromStdString(parameter.name));
        if (auto* combo = qobject_cast<QComboBox*>(field))
            combo->setCurrentText(value);
        else if (auto* box = qobject_cast<QSpinBox*>(field))
            box->setValue(value.toInt());
        else if (auto* line = qobject_cast<QLineEdit*>(field); line != nullptr && line->text() != value)
            line->setText(value);
    }
}

QWidget* ExperimentForm::parameterField(int slot, const RecipeParameter& parameter)
{
    const auto change = [this, slot, name = parameter.name](const QString& value) {
        edit(ParameterField + slot, tr("change %1").arg(QString::fromStdString(name)), [&](Draft& draft) {
            draft.schedule[static_cast<std::size_t>(slot)].parameters[name] = value.toStdString();
        });
    };
    QWidget* field = nullptr;
    if (!parameter.choices.empty()) {
        auto* combo = new QComboBox;
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(4);
        for (const std::string& choice : parameter.choices)
            combo->addItem(QString::fromStdString(choice));
        connect(combo, &QComboBox::currentTextChanged, this, change);
        field = combo;
    } else if (parameter.kind != RecipeParameter::Kind::Integer) {
        auto* line = new QLineEdit;
        connect(line, &QLineEdit::editingFinished, this, [change, line] { change(line->text().trimmed()); });
        field = line;
    } else {
        const int minimum = static_cast<int>(parameter.minimum);
        auto* box = spin(minimum, std::max(minimum, static_cast<int>(parameter.maximum)), {});
        connect(box, &QSpinBox::valueChanged, this, [change](int value) { change(QString::number(value)); });
        field = box;
    }
    field->setObjectName(QString::fromStdString(parameter.name));
    field->setToolTip(QString::fromStdString(parameter.help));
    field->setAccessibleName(fieldTitle(parameter.name));
    return field;
}

void ExperimentForm::showErrors()
{
    QString cost;
    QString comm;
    bool microbatches = false;
    for (int slot = 0; slot < draftSlots; ++slot) {
        Slot& fields = m_slots[static_cast<std::size_t>(slot)];
        QString own = m_workbench.predictionError(slot);
        // The sentence stands beside the field that it names.
        if (own.startsWith(QLatin1String("--cost")))
            cost = std::exchange(own, {}).mid(2);
        else if (own.startsWith(QLatin1String("--comm")) || own.startsWith(QLatin1String("the pair")))
            comm = std::exchange(own, {}).mid(2);
        microbatches = microbatches || own.contains(QLatin1String("microbatch"));
        say(*fields.error, own);
        markInvalid(fields.family, !own.isEmpty());
    }
    say(*m_costError, cost);
    markInvalid(m_cost, !cost.isEmpty());
    say(*m_commError, comm);
    markInvalid(m_microbatches, microbatches);
}

QString ExperimentForm::errorAt(const QString& field) const
{
    if (field == QLatin1String("cost"))
        return m_costError->text();
    if (field == QLatin1String("comm"))
        return m_commError->text();
    return field.endsWith(QLatin1Char('1')) ? m_slots[1].error->text() : m_slots[0].error->text();
}

} // namespace bubblescope::viz
