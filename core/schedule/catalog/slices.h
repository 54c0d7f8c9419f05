// What the families that cut every microbatch in the same way share: their parameters, and the cut.

#pragma once

#include "core/schedule/catalog/common.h"

namespace bubblescope::catalog {

/// "6+4+3" → 6, 4, 3; nullopt for anything but whole numbers from 1 to `most`.
std::optional<std::vector<int>> parseLengths(std::string_view text, int most);

/// slices, sizes, lengths, units, attention, overhead.
std::vector<RecipeParameter> sliceParameters(int slices);

/// Sentences for a cut that can't be made, and for more tasks than fit in memory.
std::vector<std::string> sliceProblems(const RecipeRequest& request);

std::vector<std::string> sliceWarnings(const RecipeRequest& request);

/// The cut that the parameters ask for; for `sizes=auto` through request.devices stages.
Slicing sliceEqually(const RecipeRequest& request);

/// True when every slice costs 1/slices of its microbatch, which is what closed forms speak of.
bool equalSlices(const RecipeRequest& request);

/// Sizes of a single-direction pipeline whose microbatches are cut like this.
Shape slicedPipe(const RecipeRequest& request, const Slicing& slicing);

/// A task of pipe 0.
inline Task sliceTask(Work work, int stage, int microbatch, int slice)
{
    Task of = task(work, stage, microbatch);
    of.slice = Slice(slice);
    return of;
}

/// Writes F and B in the orders in which most of these families run them: both microbatch after microbatch, F with
/// ascending and B with descending slices, because the keys and values of a slice get gradients from all later ones.
class SliceLane {
public:
    SliceLane(ScheduleBuilder& builder, int stage, int microbatches, int slices)
        : m_builder(builder), m_stage(stage), m_units(microbatches * slices), m_slices(slices)
    {
    }

    bool hasForward() const { return m_forward < m_units; }

    bool hasBackward() const { return m_backward < m_units; }

    ScheduleBuilder::Ref forward()
    {
        const int unit = m_forward++;
        return m_builder.compute(Device(m_stage), sliceTask(Work::Forward, m_stage, unit / m_slices, unit % m_slices));
    }

    ScheduleBuilder::Ref backward()
    {
        const int unit = m_backward++;
        return m_builder.compute(Device(m_stage),
                                 sliceTask(Work::Backward, m_stage, unit / m_slices, m_slices - 1 - unit % m_slices));
    }

private:
    ScheduleBuilder& m_builder;
    int m_stage;
    int m_units;
    int m_slices;
    int m_forward = 0;
    int m_backward = 0;
};

} // namespace bubblescope::catalog
