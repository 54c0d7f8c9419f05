// Text that wraps and asks for its height itself.
//
// A QLabel that wraps has a height for each width. Beside such rows QFormLayout squeezes others to nothing, and some lose
// their last lines. This one is laid out by its minimum height, which follows its width.

#pragma once

#include <QLabel>

#include <algorithm>

namespace bubblescope::viz {

class WrappedLabel : public QLabel {
public:
    WrappedLabel() { setWordWrap(true); }

    bool hasHeightForWidth() const override { return false; }

    /// For another text without another width.
    void fit() { setMinimumHeight(std::max(0, heightForWidth(width()))); }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QLabel::resizeEvent(event);
        fit();
    }
};

} // namespace bubblescope::viz
