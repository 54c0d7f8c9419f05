// A quantity that is dragged or typed: name and value above, slider below.
//
//     Link bandwidth        [ 450 GB/s ]
//     ────────────────●─────────────────

#pragma once

#include "viz/edit/slider_scale.h"

#include <QWidget>

class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QSlider;

namespace bubblescope::viz {

class SliderField : public QWidget {
    Q_OBJECT

public:
    SliderField(const QString& name, const SliderScale& scale, QWidget* parent = nullptr);

    /// Without a signal.
    void setValue(double value);
    double value() const;
    void setScale(const SliderScale& scale);
    void setSuffix(const QString& suffix);

    /// What the least value means, such as "unlimited".
    void setSpecialText(const QString& text);

    void setHint(const QString& hint);

    /// Stands in the place of the name: a chooser of what the value belongs to.
    void setChooser(QWidget* chooser);

    QSlider& slider() { return *m_slider; }

    QDoubleSpinBox& box() { return *m_box; }

Q_SIGNALS:
    /// `dragged`: by the slider. Edits of one gesture (a drag, typing until the field is left) have one number.
    void edited(double value, int gesture, bool dragged);

protected:
    void changeEvent(QEvent* event) override;

private:
    void report(double value, bool dragged);
    void fitBox();

    SliderScale m_scale;
    QHBoxLayout* m_row;
    QLabel* m_name;
    QDoubleSpinBox* m_box;
    QSlider* m_slider;
    int m_gesture = 0;
    bool m_setting = false;
};

} // namespace bubblescope::viz
