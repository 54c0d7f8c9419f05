#include "viz/document/predictions.h"

#include "core/base/error.h"
#include "viz/document/background.h"

#include <optional>

namespace bubblescope::viz {
namespace {

/// A prediction takes memory with every task. More than this many would take the machine's, so they aren't tried.
constexpr std::int64_t mostTasks = 5'000'000;

void checkSize(const Draft& draft, int slot)
{
    constexpr std::int64_t passes = 3; // forward and the two halves of backward
    const std::int64_t microbatches = draft.common.microbatches;
    const std::int64_t tasks = passes * draft.virtualStages(slot) * microbatches;
    if (tasks > mostTasks)
        throw Error(
            "{} stages with {} microbatches have some {} million tasks, and the window predicts up to {} million. "
            "Take up to {} microbatches, or simulate it with: bubblescope simulate",
            draft.virtualStages(slot), microbatches, tasks / 1'000'000, mostTasks / 1'000'000,
            std::max<std::int64_t>(1, mostTasks / (passes * draft.virtualStages(slot))));
}

} // namespace

Predictions::Predictions(QObject* parent) : QObject(parent), m_predictors(std::make_shared<Predictors>()) {}

Predictions::~Predictions()
{
    if (m_analysis)
        m_analysis->cancel();
}

Predictions::Result Predictions::predict(Predictors& predictors, const Draft& draft,
                                         std::array<int, draftSlots> numbers)
{
    Result result;
    for (int slot = 0; slot < draftSlots; ++slot) {
        const auto at = static_cast<std::size_t>(slot);
        const auto outcome = sentenced([&] {
            checkSize(draft, slot);
            const Experiment experiment = draft.experimentFor(slot);
            return quickView(experiment, predictors[at].predict(experiment, draft.schedule[at], draft.order[at]),
                             numbers[at]);
        });
        result.runs[at] = outcome.value;
        result.errors[at] = outcome.error;
    }
    return result;
}

void Predictions::start(const Draft& draft, std::array<int, draftSlots> numbers)
{
    m_draft = draft;
    m_numbers = numbers;
    if (m_analysis)
        m_analysis->cancel();
    m_analysis = nullptr;
    m_again = m_quick;
    if (m_quick)
        return;
    m_quick = true;
    inBackground(
        this, [predictors = m_predictors, draft, numbers] { return predict(*predictors, draft, numbers); },
        [this](const Result& result) {
            m_quick = false;
            m_runs = result.runs;
            m_errors = result.errors;
            if (m_again)
                start(m_draft, m_numbers);
            else
                analyse();
            Q_EMIT changed();
        });
}

void Predictions::analyse()
{
    const auto progress = std::make_shared<Progress>();
    m_analysis = progress;
    using Runs = std::array<RunPtr, draftSlots>;
    const auto work = [runs = m_runs, progress]() -> std::optional<Runs> {
        try {
            Runs full;
            for (std::size_t slot = 0; slot < full.size(); ++slot)
                full[slot] = completed(runs[slot], *progress);
            return full;
        } catch (const Cancelled&) {
            return std::nullopt;
        }
    };
    inBackground(this, work, [this, progress](const std::optional<Runs>& full) {
        if (m_analysis != progress)
            return; // a later draft is on its way
        m_analysis = nullptr;
        if (full)
            m_runs = *full;
        Q_EMIT changed();
    });
}

} // namespace bubblescope::viz
