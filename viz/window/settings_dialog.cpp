#include "viz/window/settings_dialog.h"

#include "viz/inspector/inspector.h"
#include "viz/window/language.h"
#include "viz/window/settings.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

struct Choice {
    QString text;
    QVariant value;
};

QComboBox* combo(const char* name, const std::vector<Choice>& choices, const QVariant& now)
{
    auto* box = new QComboBox;
    box->setObjectName(QLatin1String(name));
    for (const Choice& choice : choices)
        box->addItem(choice.text, choice.value);
    box->setCurrentIndex(std::max(0, box->findData(now)));
    return box;
}

QSpinBox* spin(const char* name, int most, int now)
{
    auto* box = new QSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(1, most);
    box->setValue(now);
    return box;
}

void addField(QFormLayout& form, const QString& text, QWidget* field)
{
    auto* label = new QLabel(text);
    label->setBuddy(field);
    field->setAccessibleName(text);
    form.addRow(label, field);
}

std::vector<Choice> languageChoices()
{
    std::vector<Choice> choices;
    for (const Language& language : languages())
        choices.push_back({language.name, language.code});
    return choices;
}

} // namespace

SettingsDialog::SettingsDialog(QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("settings"));
    setWindowTitle(tr("Settings"));
    m_theme = combo("theme",
                    {{tr("as the system"), static_cast<int>(ThemeMode::System)},
                     {tr("light"), static_cast<int>(ThemeMode::Light)},
                     {tr("dark"), static_cast<int>(ThemeMode::Dark)}},
                    static_cast<int>(settings::themeMode()));
    m_language = combo("language", languageChoices(), settings::language());
    m_language->setToolTip(tr("Open windows keep their language; new ones speak it."));
    m_wheel = combo("wheel", {{tr("scrolls; with Ctrl it zooms"), false}, {tr("zooms; with Ctrl it scrolls"), true}},
                    settings::wheelZooms());
    m_autosave = spin("autosave", settings::mostAutosaveSeconds, settings::autosaveSeconds());
    m_autosave->setSuffix(tr(" s"));
    m_autosave->setToolTip(tr("What isn't saved yet is kept safe from a crash this often while you edit."));
    m_backend = combo(
        "backend",
        {{tr("CPU · real model"), QStringLiteral("cpu")}, {tr("Paced · modelled times"), QStringLiteral("paced")}},
        settings::backend());
    m_steps = spin("steps", settings::mostSteps, settings::steps());
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(fontMetrics().height());
    form->addRow(captionLabel(tr("Looks")));
    addField(*form, tr("Colours"), m_theme);
    addField(*form, tr("Language"), m_language);
    form->addRow(captionLabel(tr("Habits")));
    addField(*form, tr("The wheel"), m_wheel);
    addField(*form, tr("Keep edits safe every"), m_autosave);
    form->addRow(captionLabel(tr("New executions")));
    addField(*form, tr("Backend"), m_backend);
    addField(*form, tr("Steps"), m_steps);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    const int line = fontMetrics().height();
    column->setContentsMargins(line, line, line, line);
    column->addLayout(form);
    column->addSpacing(line);
    column->addWidget(buttons);
}

void SettingsDialog::accept()
{
    settings::setThemeMode(static_cast<ThemeMode>(m_theme->currentData().toInt()));
    settings::setLanguage(m_language->currentData().toString());
    settings::setWheelZooms(m_wheel->currentData().toBool());
    settings::setAutosaveSeconds(m_autosave->value());
    settings::setBackend(m_backend->currentData().toString());
    settings::setSteps(m_steps->value());
    Q_EMIT changed();
    QDialog::accept();
}

} // namespace bubblescope::viz
