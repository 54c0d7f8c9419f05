#include "viz/replay/replay_bar.h"

#include "viz/replay/replay_icons.h"
#include "viz/theme/theme.h"
#include "viz/timeline/time_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace bubblescope::viz {
namespace {

constexpr int positionSteps = 10'000;
constexpr int speedSteps = 60; // twenty for each power of ten

QLabel* muted(const QString& text)
{
    auto* label = new QLabel(text);
    label->setProperty("role", "muted");
    return label;
}

} // namespace

int sliderOfSpeed(double speed, int steps)
{
    const double share =
        std::log(speed / ReplayPlayer::slowest) / std::log(ReplayPlayer::fastest / ReplayPlayer::slowest);
    return static_cast<int>(std::lround(share * steps));
}

double speedOfSlider(int value, int steps)
{
    return ReplayPlayer::slowest *
           std::pow(ReplayPlayer::fastest / ReplayPlayer::slowest, static_cast<double>(value) / steps);
}

ReplayBar::ReplayBar(ReplayPlayer& player, QWidget* parent) : QWidget(parent), m_player(player)
{
    setObjectName(QStringLiteral("replayBar"));
    setAccessibleName(tr("Replay"));
    setProperty("keyHelp", QStringList{tr("Space|play and pause"), tr(",|back to the last start or end of a task"),
                                       tr(".|on to the next start or end of a task"), tr("<|slower"), tr(">|faster")});
    setProperty("surface", "panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->addWidget(buildTransport());
    m_choices = buildChoices();
    m_options = new QGridLayout;
    m_options->setColumnStretch(1, 1);
    m_options->addWidget(buildSpeed(), 0, 0);
    m_options->addWidget(m_choices, 0, 1);
    m_options->addWidget(buildEnd(), 0, 2);
    column->addLayout(m_options);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connectPlayer();
    fitFont();
    drawIcons();
    showPosition();
    showPlaying();
    showSpeed();
}

QToolButton* ReplayBar::addButton(const char* name, const QString& what)
{
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setToolTip(what);
    button->setAccessibleName(what);
    return button;
}

QWidget* ReplayBar::buildTransport()
{
    auto* widget = new QWidget;
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    m_toBegin = addButton("replayToBegin", tr("To the begin (Home)"));
    m_back = addButton("replayBack", tr("Back to the last start or end of a task (,)"));
    m_play = new QPushButton;
    m_play->setObjectName(QStringLiteral("replayPlay"));
    m_play->setToolTip(tr("Play or pause (Space)"));
    m_forward = addButton("replayForward", tr("On to the next start or end of a task (.)"));
    m_position = new QSlider(Qt::Horizontal);
    m_position->setObjectName(QStringLiteral("replayPosition"));
    m_position->setRange(0, positionSteps);
    m_position->setPageStep(positionSteps / 20);
    m_position->setSingleStep(positionSteps / 200);
    m_position->setAccessibleName(tr("Position of the replay"));
    m_time = new QLabel;
    m_time->setObjectName(QStringLiteral("replayTime"));
    m_time->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QWidget* each : std::initializer_list<QWidget*>{m_toBegin, m_back, m_play, m_forward})
        row->addWidget(each);
    row->addWidget(m_position, 1);
    row->addWidget(m_time);
    return widget;
}

QWidget* ReplayBar::buildSpeed()
{
    auto* widget = new QWidget;
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    m_speed = new QSlider(Qt::Horizontal);
    m_speed->setObjectName(QStringLiteral("replaySpeed"));
    m_speed->setRange(0, speedSteps);
    m_speed->setPageStep(speedSteps / 6);
    m_speed->setAccessibleName(tr("Speed"));
    m_speeds = new QComboBox;
    m_speeds->setObjectName(QStringLiteral("replaySpeeds"));
    m_speeds->setAccessibleName(tr("Speed"));
    m_speeds->setToolTip(tr("Seconds of the run that pass in one second; 1 × is as fast as it took place"));
    m_speeds->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    fillSpeeds();
    row->addWidget(muted(tr("Speed")));
    row->addWidget(m_speed);
    row->addWidget(m_speeds);
    row->addStretch(1);
    return widget;
}

QWidget* ReplayBar::buildChoices()
{
    auto* widget = new QWidget;
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    m_loop = new QCheckBox(tr("Loop"));
    m_loop->setObjectName(QStringLiteral("replayLoop"));
    m_follow = new QCheckBox(tr("Follow"));
    m_follow->setObjectName(QStringLiteral("replayFollow"));
    m_follow->setToolTip(tr("Zoomed in, the visible range goes with the playhead"));
    m_follow->setChecked(true);
    m_upcoming = new QComboBox;
    m_upcoming->setObjectName(QStringLiteral("replayUpcoming"));
    m_upcoming->addItem(tr("shown"), static_cast<int>(Upcoming::Shown));
    m_upcoming->addItem(tr("dimmed"), static_cast<int>(Upcoming::Dimmed));
    m_upcoming->addItem(tr("hidden"), static_cast<int>(Upcoming::Hidden));
    m_upcoming->setCurrentIndex(1);
    m_upcoming->setAccessibleName(tr("Later tasks"));
    m_upcoming->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(m_loop);
    row->addWidget(m_follow);
    row->addSpacing(fontMetrics().height());
    row->addWidget(muted(tr("Later tasks")));
    row->addWidget(m_upcoming);
    row->addStretch(1);
    connect(m_upcoming, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT upcomingChanged(upcoming()); });
    connect(m_follow, &QCheckBox::toggled, this, &ReplayBar::followsChanged);
    return widget;
}

QWidget* ReplayBar::buildEnd()
{
    auto* widget = new QWidget;
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    auto* save = new QPushButton(tr("Export …"));
    save->setObjectName(QStringLiteral("replayExport"));
    auto* close = new QPushButton(tr("Close"));
    close->setObjectName(QStringLiteral("replayClose"));
    for (QPushButton* button : {save, close}) {
        button->setProperty("flat", true);
        row->addWidget(button);
    }
    connect(save, &QPushButton::clicked, this, &ReplayBar::exportAsked);
    connect(close, &QPushButton::clicked, this, &ReplayBar::closeAsked);
    return widget;
}

void ReplayBar::fitFont()
{
    const int line = fontMetrics().height();
    layout()->setContentsMargins(line, line / 3, line, line / 3);
    layout()->setSpacing(line / 4);
    m_options->setHorizontalSpacing(line);
    m_options->setVerticalSpacing(line / 4);
    m_speed->setFixedWidth(line * 6);
}

void ReplayBar::placeOptions()
{
    const QMargins margins = layout()->contentsMargins();
    int needed = m_options->horizontalSpacing() * 2 + margins.left() + margins.right();
    for (int i = 0; i < m_options->count(); ++i)
        needed += m_options->itemAt(i)->widget()->sizeHint().width();
    const bool alone = width() < needed;
    if (alone == m_choicesAlone)
        return;
    m_choicesAlone = alone;
    m_options->removeWidget(m_choices);
    if (alone)
        m_options->addWidget(m_choices, 1, 0, 1, 3);
    else
        m_options->addWidget(m_choices, 0, 1);
}

void ReplayBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeOptions();
}

void ReplayBar::fillSpeeds()
{
    for (const double speed : replaySpeeds())
        m_speeds->addItem(speedText(speed), speed);
}

void ReplayBar::connectPlayer()
{
    connect(m_toBegin, &QToolButton::clicked, this, [this] { m_player.seek(m_player.range().begin); });
    connect(m_back, &QToolButton::clicked, this, [this] { Q_EMIT stepAsked(-1); });
    connect(m_forward, &QToolButton::clicked, this, [this] { Q_EMIT stepAsked(+1); });
    connect(m_play, &QPushButton::clicked, &m_player, &ReplayPlayer::toggle);
    connect(m_position, &QSlider::valueChanged, this, [this](int value) {
        const TimeRange& range = m_player.range();
        m_player.seek(range.begin + static_cast<Nanoseconds>(
                                        std::llround(static_cast<double>(range.length()) * value / positionSteps)));
    });
    connect(m_speed, &QSlider::valueChanged, this,
            [this](int value) { m_player.setSpeed(speedOfSlider(value, speedSteps)); });
    connect(m_speeds, &QComboBox::activated, this,
            [this](int index) { m_player.setSpeed(m_speeds->itemData(index).toDouble()); });
    connect(m_loop, &QCheckBox::toggled, &m_player, &ReplayPlayer::setLoops);
    connect(&m_player, &ReplayPlayer::loopsChanged, m_loop, &QCheckBox::setChecked);
    connect(&m_player, &ReplayPlayer::positionChanged, this, &ReplayBar::showPosition);
    connect(&m_player, &ReplayPlayer::playingChanged, this, &ReplayBar::showPlaying);
    connect(&m_player, &ReplayPlayer::speedChanged, this, &ReplayBar::showSpeed);
}

void ReplayBar::showPosition()
{
    const TimeRange& range = m_player.range();
    const Nanoseconds passed = m_player.position() - range.begin;
    const QSignalBlocker blocker(m_position);
    m_position->setValue(range.empty() ? 0
                                       : static_cast<int>(std::llround(static_cast<double>(passed) * positionSteps /
                                                                       static_cast<double>(range.length()))));
    m_time->setText(tr("%1 of %2").arg(timeText(m_player.position()), timeText(range.end)));
    // As wide as its longest text, so that the slider doesn't jump while digits change.
    const QString widest = tr("%1 of %2").arg(QStringLiteral("000.00 ms"), timeText(range.end));
    m_time->setMinimumWidth(m_time->fontMetrics().horizontalAdvance(widest));
}

void ReplayBar::showPlaying()
{
    m_play->setText(m_player.playing() ? tr("Pause") : tr("Play"));
    m_play->setAccessibleName(m_play->text());
    drawIcons();
}

void ReplayBar::showSpeed()
{
    const QSignalBlocker slider(m_speed);
    m_speed->setValue(sliderOfSpeed(m_player.speed(), speedSteps));
    int preset = -1;
    for (int i = 0; i < static_cast<int>(replaySpeeds().size()); ++i)
        if (std::abs(replaySpeeds()[static_cast<std::size_t>(i)] / m_player.speed() - 1) < 0.01)
            preset = i;
    // A speed between the presets is an entry of its own, at the end, for as long as it is set.
    while (m_speeds->count() > static_cast<int>(replaySpeeds().size()))
        m_speeds->removeItem(m_speeds->count() - 1);
    if (preset < 0) {
        preset = m_speeds->count();
        m_speeds->addItem(speedText(m_player.speed()), m_player.speed());
    }
    m_speeds->setCurrentIndex(preset);
}

void ReplayBar::drawIcons()
{
    const int side = fontMetrics().height();
    const QColor colour = currentTheme().text;
    const std::pair<QAbstractButton*, ReplaySign> signs[] = {
        {m_toBegin, ReplaySign::ToBegin},
        {m_back, ReplaySign::Back},
        {m_play, m_player.playing() ? ReplaySign::Pause : ReplaySign::Play},
        {m_forward, ReplaySign::Forward}};
    for (const auto& [button, sign] : signs) {
        button->setIcon(replayIcon(sign, colour, side));
        button->setIconSize({side, side});
    }
    // The button keeps its size whichever of its two words it carries.
    const QFontMetrics metrics = m_play->fontMetrics();
    m_play->setMinimumWidth(std::max(metrics.horizontalAdvance(tr("Pause")), metrics.horizontalAdvance(tr("Play"))) +
                            side * 4);
}

Upcoming ReplayBar::upcoming() const
{
    return static_cast<Upcoming>(m_upcoming->currentData().toInt());
}

void ReplayBar::setUpcoming(Upcoming upcoming)
{
    m_upcoming->setCurrentIndex(m_upcoming->findData(static_cast<int>(upcoming)));
}

bool ReplayBar::follows() const
{
    return m_follow->isChecked();
}

void ReplayBar::setFollows(bool follows)
{
    m_follow->setChecked(follows);
}

std::vector<QWidget*> ReplayBar::sliders() const
{
    return {m_position, m_speed};
}

void ReplayBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        fitFont();
        drawIcons();
        showPosition();
        placeOptions();
    }
}

} // namespace bubblescope::viz
