#include "viz/replay/export_dialog.h"

#include "core/base/error.h"
#include "viz/replay/replay_player.h"
#include "viz/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStyle>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

QSpinBox* spinBox(const char* name, int least, int most, int value)
{
    auto* box = new QSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(least, most);
    box->setValue(value);
    return box;
}

/// Pictures are looked for in the pictures' folder; where there is none, at home.
QString proposedFile(ReplayFormat format)
{
    QString folder = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    if (folder.isEmpty() || !QFileInfo(folder).isDir())
        folder = QDir::homePath();
    return QDir(folder).filePath(format == ReplayFormat::Webp ? QStringLiteral("replay.webp")
                                                              : QStringLiteral("replay.png"));
}

} // namespace

ReplayExportDialog::ReplayExportDialog(std::vector<RunPtr> runs, ReplayFormat format, const Ranges& ranges,
                                       double speed, QWidget* parent)
    : QDialog(parent), m_runs(std::move(runs)), m_offsets(ranges.offsets), m_format(format), m_fields(new QWidget)
{
    setObjectName(QStringLiteral("replayExportDialog"));
    setWindowTitle(format == ReplayFormat::Webp ? tr("Export the replay as an animated WebP")
                                                : tr("Export the replay as numbered PNGs"));
    buildFields(ranges, speed);
    m_summary = new QLabel;
    m_summary->setObjectName(QStringLiteral("replaySummary"));
    m_summary->setWordWrap(true);
    m_progress = new QProgressBar;
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the export"));
    auto* buttons = new QDialogButtonBox;
    m_export = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    m_export->setProperty("primary", true);
    m_export->setDefault(true);
    m_cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_fields);
    column->addWidget(m_summary);
    column->addWidget(m_progress);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &ReplayExportDialog::begin);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&m_job, &ReplayExportJob::progress, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * 1000)); });
    connect(&m_job, &ReplayExportJob::finished, this, &ReplayExportDialog::conclude);
    setMinimumWidth(fontMetrics().height() * 32);
    setBusy(false);
    summarise();
}

QWidget* ReplayExportDialog::buildFile()
{
    auto* widget = new QWidget;
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    m_file = new QLineEdit(QDir::toNativeSeparators(proposedFile(m_format)));
    m_file->setObjectName(QStringLiteral("replayFile"));
    m_file->setAccessibleName(tr("File"));
    auto* choose = new QPushButton(tr("Browse …"));
    choose->setAutoDefault(false); // Return exports
    row->addWidget(m_file, 1);
    row->addWidget(choose);
    connect(choose, &QPushButton::clicked, this, &ReplayExportDialog::browse);
    connect(m_file, &QLineEdit::textChanged, this, &ReplayExportDialog::summarise);
    return widget;
}

QWidget* ReplayExportDialog::buildSize()
{
    constexpr int width = 1200;
    auto* widget = new QWidget;
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    const int height = m_runs.empty() ? 600 : ReplayScene::heightFor(m_runs, width, QApplication::font());
    m_width = spinBox("replayWidth", 120, 8192, width);
    m_height = spinBox("replayHeight", 120, 8192, std::min(height, 2160));
    m_width->setAccessibleName(tr("Width in pixels"));
    m_height->setAccessibleName(tr("Height in pixels"));
    row->addWidget(m_width);
    row->addWidget(new QLabel(QStringLiteral("×")));
    row->addWidget(m_height);
    row->addWidget(new QLabel(tr("pixels")));
    row->addStretch(1);
    for (QSpinBox* box : {m_width, m_height})
        connect(box, &QSpinBox::valueChanged, this, &ReplayExportDialog::summarise);
    return widget;
}

void ReplayExportDialog::buildFields(const Ranges& ranges, double speed)
{
    auto* form = new QFormLayout(m_fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("File"), buildFile());
    form->addRow(tr("Size"), buildSize());
    m_rate = spinBox("replayRate", 1, 60, 20);
    m_rate->setAccessibleName(tr("Frames per second"));
    form->addRow(tr("Frames per second"), m_rate);
    m_speed = new QComboBox;
    m_speed->setObjectName(QStringLiteral("replayExportSpeed"));
    m_speed->setAccessibleName(tr("Speed"));
    for (const double preset : replaySpeeds())
        m_speed->addItem(speedText(preset), preset);
    int current = m_speed->findData(speed);
    if (current < 0) {
        current = m_speed->count();
        m_speed->addItem(speedText(speed), speed);
    }
    m_speed->setCurrentIndex(current);
    form->addRow(tr("Speed"), m_speed);
    m_range = new QComboBox;
    m_range->setObjectName(QStringLiteral("replayRange"));
    m_range->setAccessibleName(tr("Range"));
    const auto offer = [this](const QString& text, const TimeRange& range) {
        if (!range.empty())
            m_range->addItem(text, QVariantList{qlonglong{range.begin}, qlonglong{range.end}});
    };
    offer(tr("the whole runs"), ranges.whole);
    offer(tr("what is visible now"), ranges.visible);
    offer(tr("the selection"), ranges.selection);
    form->addRow(tr("Range"), m_range);
    m_forever = new QCheckBox(tr("Begin again at the end"));
    m_forever->setObjectName(QStringLiteral("replayForever"));
    m_forever->setChecked(true);
    m_forever->setVisible(m_format == ReplayFormat::Webp);
    form->addRow(QString(), m_forever);
    connect(m_rate, &QSpinBox::valueChanged, this, &ReplayExportDialog::summarise);
    connect(m_speed, &QComboBox::currentIndexChanged, this, &ReplayExportDialog::summarise);
    connect(m_range, &QComboBox::currentIndexChanged, this, &ReplayExportDialog::summarise);
}

ReplayExport ReplayExportDialog::wanted() const
{
    ReplayExport order;
    order.path = QDir::fromNativeSeparators(m_file->text().trimmed());
    const QString ending = m_format == ReplayFormat::Webp ? QStringLiteral("webp") : QStringLiteral("png");
    if (order.path.isEmpty())
        throw Error(tr("Say which file to write.").toStdString());
    if (QFileInfo(order.path).suffix().toLower() != ending)
        order.path += QLatin1Char('.') + ending;
    if (!QFileInfo(order.path).isAbsolute())
        order.path = QDir::home().filePath(order.path);
    order.size = {m_width->value(), m_height->value()};
    order.framesPerSecond = m_rate->value();
    order.speed = m_speed->currentData().toDouble();
    const QVariantList range = m_range->currentData().toList();
    if (range.size() == 2)
        order.range = {range[0].toLongLong(), range[1].toLongLong()};
    order.offsets = m_offsets;
    order.forever = m_forever->isChecked();
    order.dark = currentTheme().dark;
    order.upcoming = m_upcoming;
    return completed(order, m_runs, QApplication::font());
}

/// Empty when the fields can be exported.
QString ReplayExportDialog::wantedOrSentence(ReplayExport& order) const
{
    try {
        order = wanted();
        return {};
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
}

void ReplayExportDialog::summarise()
{
    if (!m_summary)
        return; // the fields are still being made
    ReplayExport order;
    const QString sentence = wantedOrSentence(order);
    QString text = sentence.isEmpty() ? summaryOf(order) : sentence;
    if (sentence.isEmpty() && m_format == ReplayFormat::Png)
        text += QStringLiteral(" · ") + tr("%1 and so on").arg(QFileInfo(numberedPng(order.path, 1)).fileName());
    m_summary->setProperty("role", sentence.isEmpty() ? "muted" : "error");
    m_summary->style()->polish(m_summary);
    m_summary->setText(text);
    m_export->setEnabled(sentence.isEmpty());
}

void ReplayExportDialog::browse()
{
    const QString kinds = m_format == ReplayFormat::Webp ? tr("Animated WebP (*.webp)") : tr("PNG (*.png)");
    const QString path = QFileDialog::getSaveFileName(this, windowTitle(), m_file->text(), kinds);
    if (!path.isEmpty())
        m_file->setText(QDir::toNativeSeparators(path));
}

void ReplayExportDialog::begin()
{
    ReplayExport order;
    if (!wantedOrSentence(order).isEmpty())
        return;
    setBusy(true);
    m_job.start(m_runs, order, QApplication::font());
}

void ReplayExportDialog::conclude(bool finished, const QString& sentence)
{
    setBusy(false);
    if (finished) {
        ReplayExport order;
        wantedOrSentence(order);
        Q_EMIT written(tr("The replay was written to %1.").arg(QDir::toNativeSeparators(order.path)));
        QDialog::done(Accepted);
        return;
    }
    m_summary->setProperty("role", sentence.isEmpty() ? "muted" : "error");
    m_summary->style()->polish(m_summary);
    m_summary->setText(sentence.isEmpty() ? tr("Cancelled. Nothing was written.") : sentence);
}

void ReplayExportDialog::setBusy(bool busy)
{
    m_fields->setEnabled(!busy);
    m_export->setEnabled(!busy);
    m_progress->setVisible(busy);
    m_progress->setValue(0);
    // The button that has the focus is the one that Return presses: Cancel while it exports, Export before and after.
    if (busy)
        m_cancel->setFocus();
    else if (focusWidget() == m_cancel)
        m_export->setFocus();
}

void ReplayExportDialog::done(int result)
{
    // Cancel ends the export first; once more closes the dialog.
    if (m_job.running())
        m_job.cancel();
    else
        QDialog::done(result);
}

} // namespace bubblescope::viz
