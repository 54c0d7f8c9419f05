// The experiment as a form, made from the registry: schedules A and B with their parameters, model,
// devices, costs.
//
// What a person types goes into the draft as it is. What can't be built stays as typed, and the
// sentence of the Error stands below the field that it is about.

#pragma once

#include "viz/document/workbench.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QFormLayout;

namespace bubblescope::viz {

class WrappedLabel;

class ExperimentForm : public QWidget {
    Q_OBJECT

public:
    explicit ExperimentForm(Workbench& workbench, QWidget* parent = nullptr);

    /// The sentence below a field ("schedule0", "cost", …); empty when all is well.
    QString errorAt(const QString& field) const;

private:
    /// One schedule: its combo, its chunks and the parameters of its family.
    struct Slot {
        QComboBox* family = nullptr;
        QSpinBox* chunks = nullptr;
        QLabel* chunksLabel = nullptr;
        QWidget* parameterPanel = nullptr;
        QFormLayout* parameters = nullptr;
        std::string shownFamily; ///< whose parameters the panel shows
        WrappedLabel* error = nullptr;
    };

    void buildModel(QFormLayout& form);
    void buildCluster(QFormLayout& form);
    void buildSchedules(QFormLayout& form);
    void buildSlot(QFormLayout& form, int slot);
    void showDraft();
    void showSlot(int slot);
    void rebuildParameters(int slot);
    QWidget* parameterField(int slot, const RecipeParameter& parameter);
    void showErrors();
    WrappedLabel* errorLabel(QFormLayout& form, const QString& name);

    template <class Change>
    void edit(int field, const QString& what, Change change);

    Workbench& m_workbench;
    QSpinBox* m_layers = nullptr;
    QDoubleSpinBox* m_embedding = nullptr;
    QDoubleSpinBox* m_head = nullptr;
    QSpinBox* m_stages = nullptr;
    QDoubleSpinBox* m_comm = nullptr;
    QComboBox* m_commModel = nullptr;
    QLineEdit* m_cost = nullptr;
    QComboBox* m_costOf = nullptr;
    WrappedLabel* m_costError = nullptr;
    WrappedLabel* m_commError = nullptr;
    QSpinBox* m_microbatches = nullptr;
    std::array<Slot, draftSlots> m_slots;
    bool m_showing = false; ///< fields are being set by the draft, not by a person
};

} // namespace bubblescope::viz
