// Lowering: a compute order becomes a program with sends and receives, Schedule in, Schedule out.
//
// All messages get one global order: (end of the producer in a simulation, producer's device,
// consumer's device, key). They are inserted into both programs in that order: the send after its
// producer, the receive before the first compute unit that starts at or after that moment. A total
// order that agrees with every program admits no rendezvous cycle, whatever the real durations.

#pragma once

#include "core/schedule/schedule.h"

#include <vector>

namespace bubblescope {

/// One message: a result that another device needs. Two consumers on one device share it.
struct Message {
    TaskId producer{};
    TaskId consumer{}; ///< the first consumer on that device, in lane order
    Device from{};
    Device to{};
    Payload payload = Payload::Activation;
};

/// All messages of a compute order, in the order of their producers' TaskIds.
std::vector<Message> messagesOf(const Schedule& schedule);

/// Where sends and receives are put.
enum class TransferLanes { Own, Compute };

struct Lowered {
    Schedule schedule;
    std::vector<TaskId> newId;     ///< of each task of the original
    std::vector<Message> messages; ///< in the global order, ids of the original
    std::vector<TaskId> send;      ///< of each message, ids of the lowered schedule
    std::vector<TaskId> receive;
};

/// `start` and `end` are those of a simulation of `schedule` (by TaskId). A send and its receive have
/// the producer's stage, microbatch, slice and pipe; `part` holds payload and peer.
Lowered lower(const Schedule& schedule, const std::vector<Nanoseconds>& start, const std::vector<Nanoseconds>& end,
              TransferLanes lanes = TransferLanes::Own);

} // namespace bubblescope
