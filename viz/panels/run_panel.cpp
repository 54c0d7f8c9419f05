#include "viz/panels/run_panel.h"

#include <QLayout>

namespace bubblescope::viz {

RunPanel::RunPanel(QWidget* parent) : QWidget(parent)
{
    setProperty("surface", "canvas");
    setAttribute(Qt::WA_StyledBackground);
}

void setPanelMargins(QLayout& layout)
{
    const int line = QFontMetrics(QWidget().font()).height();
    layout.setContentsMargins(line, line / 2, line, line / 4);
    layout.setSpacing(0);
}

} // namespace bubblescope::viz
