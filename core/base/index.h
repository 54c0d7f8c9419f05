// Distinct integer types, so that a stage is never passed where a device is meant.
//
// An Index is made explicitly and read implicitly: `Stage(3)` has to be written, `array[stage]` and
// `stage + 1` just work. It has the size of its representation and costs nothing.

#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>

namespace bubblescope {

template <class Tag, class Rep>
struct Index {
    using Representation = Rep;

    Rep value = 0;

    constexpr Index() = default;

    template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
    explicit constexpr Index(Integer number) : value(static_cast<Rep>(number))
    {
    }

    // Reading is implicit on purpose: an Index is used as an array subscript and in arithmetic.
    constexpr operator Rep() const { return value; } // NOLINT(google-explicit-constructor)

    constexpr Index& operator++()
    {
        ++value;
        return *this;
    }
};

using Stage = Index<struct StageTag, std::uint16_t>;          ///< virtual stage 0…S−1 of the model
using Microbatch = Index<struct MicrobatchTag, std::int32_t>; ///< inside its pipe, counting on over steps
using Slice = Index<struct SliceTag, std::uint16_t>;          ///< part of a microbatch along the sequence
using Pipe = Index<struct PipeTag, std::uint8_t>;             ///< direction or replica of the whole pipeline
using Part = Index<struct PartTag, std::uint16_t>;            ///< shard, replica or member number
using Device = Index<struct DeviceTag, std::uint16_t>;        ///< one GPU or a worker standing in for one
using LaneId = Index<struct LaneTag, std::uint32_t>;          ///< index into Schedule::lanes
using TaskId = Index<struct TaskTag, std::uint32_t>;          ///< index into Schedule::tasks

inline constexpr TaskId noTask{0xffffffffU};

} // namespace bubblescope

template <class Tag, class Rep>
struct std::hash<bubblescope::Index<Tag, Rep>> {
    std::size_t operator()(const bubblescope::Index<Tag, Rep>& index) const { return std::hash<Rep>{}(index.value); }
};
