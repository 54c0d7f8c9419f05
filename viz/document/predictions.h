// The predictions of a draft, made on another thread in two stages.
//
//     start(draft) ──► quick: order, simulation, spans ──► changed     what the timelines show, within a frame
//                 └──► full: causes, memory, slack     ──► changed     the next frame or later
//
// The latest draft wins: a quick stage that is behind is followed by another at once, and a full stage
// that is behind is cancelled.

#pragma once

#include "viz/document/draft.h"
#include "viz/run/run_view.h"

#include <QObject>

#include <array>
#include <memory>

namespace bubblescope::viz {

class Predictions : public QObject {
    Q_OBJECT

public:
    explicit Predictions(QObject* parent = nullptr);
    ~Predictions() override;

    /// `numbers` are those that the runs get, by slot.
    void start(const Draft& draft, std::array<int, draftSlots> numbers);

    /// True until the latest draft has been predicted in full.
    bool running() const { return m_quick || m_analysis; }

    /// Null while unknown or impossible; then the error says why.
    const RunPtr& run(int slot) const { return m_runs[static_cast<std::size_t>(slot)]; }

    const QString& error(int slot) const { return m_errors[static_cast<std::size_t>(slot)]; }

Q_SIGNALS:
    void changed();

private:
    struct Result {
        std::array<RunPtr, draftSlots> runs;
        std::array<QString, draftSlots> errors;
    };

    using Predictors = std::array<Predictor, draftSlots>;

    static Result predict(Predictors& predictors, const Draft& draft, std::array<int, draftSlots> numbers);
    void analyse();

    std::shared_ptr<Predictors> m_predictors; ///< used by the quick stage alone, of which there is one at a time
    std::shared_ptr<Progress> m_analysis;     ///< of the full stage that is under way
    bool m_quick = false;
    bool m_again = false;
    Draft m_draft; ///< the latest
    std::array<int, draftSlots> m_numbers{};
    std::array<RunPtr, draftSlots> m_runs;
    std::array<QString, draftSlots> m_errors;
};

} // namespace bubblescope::viz
