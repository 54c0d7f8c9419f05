#include "viz/edit/slider_field.h"

#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <atomic>

namespace bubblescope::viz {
namespace {

/// Gestures of all fields have different numbers, so that no two of them become one step of undo.
int nextGesture()
{
    static std::atomic<int> last{1'000'000};
    return ++last;
}

} // namespace

SliderField::SliderField(const QString& name, const SliderScale& scale, QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout)
    , m_name(new QLabel(name))
    , m_box(new QDoubleSpinBox)
    , m_slider(new QSlider(Qt::Horizontal))
    , m_gesture(nextGesture())
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(fontMetrics().height() / 6);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_name->setProperty("role", "muted");
    m_name->setBuddy(m_box);
    m_box->setAccessibleName(name);
    m_box->setAlignment(Qt::AlignRight);
    m_box->setButtonSymbols(QAbstractSpinBox::NoButtons); // the slider is for small steps
    m_name->setWordWrap(true);                            // rather than push the box out of the panel
    m_slider->setAccessibleName(name);
    m_slider->setRange(0, SliderScale::steps);
    m_slider->setPageStep(SliderScale::steps / 20);
    m_slider->setSingleStep(SliderScale::steps / 100);
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_row->addWidget(m_name, 1);
    m_row->addWidget(m_box);
    column->addLayout(m_row);
    column->addWidget(m_slider);
    setScale(scale);
    connect(m_slider, &QSlider::sliderPressed, this, [this] { m_gesture = nextGesture(); });
    connect(m_slider, &QSlider::sliderReleased, this, [this] { m_gesture = nextGesture(); });
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
        if (m_setting)
            return;
        if (!m_slider->isSliderDown())
            m_gesture = nextGesture(); // a key or a click beside the handle: a step of its own
        report(m_scale.valueAt(position), true);
    });
    connect(m_box, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        if (!m_setting)
            report(value, false);
    });
    connect(m_box, &QDoubleSpinBox::editingFinished, this, [this] { m_gesture = nextGesture(); });
}

void SliderField::report(double value, bool dragged)
{
    Q_EMIT edited(value, m_gesture, dragged);
}

void SliderField::setValue(double value)
{
    m_setting = true;
    if (m_box->value() != m_scale.rounded(value))
        m_box->setValue(value);
    // A slider under the finger goes where the finger is.
    if (!m_slider->isSliderDown() && m_scale.valueAt(m_slider->value()) != m_scale.rounded(value))
        m_slider->setValue(m_scale.positionOf(value));
    m_setting = false;
}

double SliderField::value() const
{
    return m_box->value();
}

void SliderField::setScale(const SliderScale& scale)
{
    m_scale = scale;
    m_setting = true;
    m_box->setDecimals(scale.decimals);
    // Typing may go beyond what the slider reaches.
    m_box->setRange(scale.unlimitedEnd ? 0 : scale.minimum,
                    scale.maximum * (scale.kind == SliderScale::Kind::Linear ? 1 : 100));
    m_box->setSingleStep(scale.decimals == 0 ? 1 : std::pow(10.0, -scale.decimals) * 5);
    m_setting = false;
    fitBox();
}

/// As wide as what the slider reaches: the box would rather show all that can be typed.
void SliderField::fitBox()
{
    const QFontMetrics metrics = m_box->fontMetrics();
    const QString longest = QString::number(m_scale.maximum, 'f', m_scale.decimals) + m_box->suffix();
    const int text = std::max({metrics.horizontalAdvance(longest), metrics.horizontalAdvance(m_box->specialValueText()),
                               metrics.horizontalAdvance(QStringLiteral("000000"))});
    m_box->setFixedWidth(text + metrics.height() * 5 / 4);
}

void SliderField::setSuffix(const QString& suffix)
{
    m_box->setSuffix(suffix);
    fitBox();
}

void SliderField::setSpecialText(const QString& text)
{
    m_box->setSpecialValueText(text);
    fitBox();
}

void SliderField::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitBox();
}

void SliderField::setHint(const QString& hint)
{
    for (QWidget* widget :
         {static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_box), static_cast<QWidget*>(m_slider)})
        widget->setToolTip(hint);
}

void SliderField::setChooser(QWidget* chooser)
{
    m_row->insertWidget(1, chooser);
    m_row->setStretch(0, 0);
    m_row->setStretch(1, 1);
}

} // namespace bubblescope::viz
