// PyTorch's pipeline schedule files: a row per rank, a cell per action.
//
//     0F0,0F1,,,0B0,,,0B1          a blank cell is an idle slot: the order counts, not the column
//     ,1F0,1B0,,1F1,1B1,,
//
// A cell is {stage}{F|I|W|B}{microbatch}; files made for a runtime also hold SEND_F, RECV_F, SEND_B,
// RECV_B, UNSHARD, RESHARD and REDUCE_GRAD, and overlapped pairs `(0F3;7B1)OVERLAP_F_B`. In older files
// B means the input gradient: that is so for a stage and microbatch that has both B and W.
// Spreadsheets add a byte order mark, semicolons, CRLF, quotes, spaces and trailing blanks.

#pragma once

#include "core/schedule/placement.h"
#include "core/schedule/schedule.h"

#include <string>
#include <string_view>
#include <vector>

namespace bubblescope {

/// A cell, or one member of an overlapped cell.
struct TorchAction {
    enum class Kind : std::uint8_t { F, I, W, B, SendF, ReceiveF, SendB, ReceiveB, Unshard, Reshard, ReduceGradient };

    Kind kind = Kind::F;
    Stage stage{};
    Microbatch microbatch{};
    bool overlaps = false; ///< one unit with the next action
    int row = 0;           ///< 1-based, as spreadsheets count
    int column = 0;

    bool computes() const { return kind <= Kind::B; }

    bool transfers() const { return kind >= Kind::SendF && kind <= Kind::ReceiveB; }

    std::string text() const;
};

/// The cells as they stand, one list per rank.
struct TorchCsv {
    std::vector<std::vector<TorchAction>> ranks;

    bool hasTransfers() const;
};

/// Throws Error with a sentence per bad cell, naming row and column and what would be right.
TorchCsv readTorchCsv(std::string_view text);

/// A compute order with the placement that the rows say.
struct TorchImport {
    Schedule schedule;
    PlacementClass placement;
    std::string dialect;            ///< what B means in this file
    std::vector<std::string> notes; ///< what was guessed or left out
};

/// Throws Error when stages have no rank or several, or when I and W don't pair. An order that is
/// incomplete or can't finish is imported: validate() says what is wrong with it.
TorchImport importTorchCsv(const TorchCsv& csv);

struct TorchExport {
    std::string csv;                  ///< cells that PyTorch's parser accepts, rows end with a line feed
    std::vector<std::string> leftOut; ///< what a schedule has and a file can't hold
};

/// Throws Error with the reason when the compute order itself can't be written.
TorchExport exportTorchCsv(const Schedule& schedule);

} // namespace bubblescope
