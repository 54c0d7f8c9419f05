// What kind of placement a list of stages per rank is.
//
//     looped   [0 4] [1 5] [2 6] [3 7]     stage s on rank s mod p
//     V        [0 7] [1 6] [2 5] [3 4]     rank r owns r and 2p−1−r; the hop 3→4 stays on rank 3
//     custom   anything else in which every stage has exactly one rank

#pragma once

#include <string>
#include <vector>

namespace bubblescope {

struct PlacementClass {
    enum class Kind { Looped, V, Custom, Invalid };

    Kind kind = Kind::Custom;
    std::string problem; ///< of an invalid one: "stage 6 twice, stage 7 missing"
    int stages = 0;
    int sameRankHops = 0; ///< s → s+1 on one rank: no transfer

    /// "looped", "V", "custom" or "invalid: …".
    std::string text() const;
};

/// `stages[rank]` lists the stages of a rank, in any order.
PlacementClass classifyPlacement(const std::vector<std::vector<int>>& stages);

} // namespace bubblescope
