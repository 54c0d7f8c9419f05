// Bubble rate against peak memory of many schedules: those that nobody beats in both are joined, the others faded.

#pragma once

#include "core/schedule/search/search.h"
#include "viz/charts/chart.h"

namespace bubblescope::viz {

class ParetoChart : public Chart {
    Q_OBJECT

public:
    /// A schedule that is shown in the timelines.
    struct Shown {
        QString letter;
        RecipeSpec spec;
        int chunks = 0;
    };

    explicit ParetoChart(QWidget* parent = nullptr);

    /// `limit` in activations is a dashed line; 0: none.
    void setChoices(std::vector<SearchCandidate> choices, std::vector<Shown> shown, double limit);

    const std::vector<SearchCandidate>& choices() const { return m_choices; }

    /// Places in choices() of the front, by rising peak.
    const std::vector<std::size_t>& front() const { return m_front; }

    QString hintAt(const QPointF& position) const override;
    ChartTable table() const override;

    /// The front first, then the others.
    std::vector<QPointF> marks() const override;
    QPointF placeOf(std::size_t choice) const;
    void clickAt(const QPointF& position) override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void choiceClicked(int choice);

protected:
    void rebuild() override;

private:
    int choiceAt(const QPointF& position) const;
    void thinNames();
    QCPItemText* addText(const QPointF& place, const QString& text, const QColor& colour);
    void addFront();
    void markShown();
    void markLimit();

    std::vector<SearchCandidate> m_choices;
    std::vector<Shown> m_shown;
    std::vector<std::size_t> m_front;
    std::vector<QCPItemText*> m_names; ///< of the front
    double m_limit = 0;
};

} // namespace bubblescope::viz
