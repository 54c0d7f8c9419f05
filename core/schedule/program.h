// Communication programs: what each device calls, in order, and whether they can hang.
//
//     device 0   0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 …
//     device 1   1RECV_F0 1F0 1SEND_F0 …
//
// Validity models (ir.md 4):
//   buffered    a send completes at once; a receive completes when its message was sent, matched by key
//   rendezvous  the k-th send from a to b meets the k-th receive of b from a; both block their program
//   grouped     as rendezvous, but the calls between two computations are posted together (ncclGroup)
//
// A compute order alone is never "invalid under rendezvous": a lowering of it is.

#pragma once

#include "core/schedule/schedule.h"
#include "core/schedule/torch_csv.h"
#include "core/schedule/validate.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bubblescope {

struct ProgramAction {
    enum class Kind : std::uint8_t { Compute, Send, Receive, Together };

    Kind kind = Kind::Compute;
    Payload payload = Payload::None; ///< of a send or receive
    Task task;                       ///< what is computed; for a transfer stage and microbatch as they are named there
    Device peer{};                   ///< of a send or receive
    std::uint32_t message = 0;       ///< of a send or receive: its key as a number; of Together: the group

    /// "2F1", "0SEND_F1", "1RECV_B0", "SEND_KV" for what PyTorch has no name for.
    std::string text() const;
};

/// One list of actions per device.
struct CommProgram {
    std::vector<std::vector<ProgramAction>> devices;
    std::uint32_t messages = 0; ///< keys are 0 … messages−1
    std::uint32_t groups = 0;
};

enum class ValidityModel : std::uint8_t { Buffered, Rendezvous, Grouped };

const char* validityModelName(ValidityModel model);

/// A place in a program.
struct ProgramPoint {
    Device device{};
    std::size_t action = 0;
};

/// What became of a program under one model.
struct ProgramResult {
    std::vector<std::optional<std::size_t>> blocked; ///< by device: the call that never completes
    std::vector<Device> cycle;                       ///< devices that wait for each other (of all cycles), ascending
    std::vector<Device> victims;                     ///< blocked, but in no cycle
    std::vector<std::pair<ProgramPoint, ProgramPoint>> mismatches; ///< a send that met the receive of another message

    bool hangs() const { return !cycle.empty() || !victims.empty(); }

    bool good() const { return !hangs() && mismatches.empty(); }
};

ProgramResult runProgram(const CommProgram& program, ValidityModel model);

/// Everything that can be said about one program.
struct ProgramCheck {
    struct Unmatched {
        ProgramPoint at;
        std::string action;         ///< the call that stands there, "0SEND_F2"
        std::string missing;        ///< the call that would match it, "1RECV_F2"
        std::string missingCompute; ///< what that message is for, when it isn't there either: "1F2"
    };

    std::vector<Unmatched> unmatched; ///< found by counting, before any run
    ProgramResult buffered;
    ProgramResult rendezvous;
    ProgramResult grouped;

    /// "ok", "depends on send buffering: small messages pass, large ones hang", "hangs", "messages don't match".
    std::string verdict() const;

    bool good() const { return unmatched.empty() && buffered.good() && rendezvous.good(); }
};

ProgramCheck checkProgram(const CommProgram& program);

/// One sentence: who waits for whom at which call, who is only a victim. Empty when nothing is wrong.
std::string describe(const CommProgram& program, const ProgramResult& result);
std::string describe(const ProgramCheck::Unmatched& unmatched);

/// A file's sends and receives as they stand.
CommProgram programOf(const TorchCsv& csv);

/// The naive lowering: each receive just before its consumer, each send just after its producer.
CommProgram naiveProgram(const Schedule& schedule);

/// Our lowering (lower.h) as the one program per device that a single communicator sees.
CommProgram loweredProgram(const Schedule& schedule);

/// What `schedule check` says of an order.
struct ScheduleCheck {
    std::vector<Problem> problems;         ///< of validate(): the buffered model of the order itself
    std::optional<ProgramCheck> lowered;   ///< of our lowering; absent when there are problems
    std::optional<ProgramCheck> naive;     ///< of the naive lowering, as information
    std::optional<ProgramCheck> asWritten; ///< of a file's own sends and receives
    CommProgram naiveCalls;                ///< what `naive` is about
    CommProgram loweredCalls;
    CommProgram writtenCalls;

    bool good() const { return problems.empty() && (!lowered || lowered->good()) && (!asWritten || asWritten->good()); }
};

ScheduleCheck checkSchedule(const Schedule& schedule);

/// Also checks the transfers that the file itself holds.
ScheduleCheck checkSchedule(const Schedule& schedule, const TorchCsv& csv);

std::string toText(const ScheduleCheck& check);
nlohmann::json toJson(const ScheduleCheck& check);

} // namespace bubblescope
