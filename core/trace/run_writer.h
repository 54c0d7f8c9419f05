// Writes a run into a document while it takes place.
//
// Spans wait in memory until flush(): one transaction, lane by lane, so that the b-tree is filled in
// order. The caller calls flushIfDue() at least every 250 ms; that is all that a kill can lose. When a
// flush fails (disk full) the spans stay in memory and a later flush tries again.

#pragma once

#include "core/trace/run.h"
#include "core/trace/trace_sink.h"

#include <chrono>
#include <cstddef>
#include <memory>

namespace bubblescope {

class DocumentFile;

class RunWriter final : public TraceSink {
public:
    static constexpr std::chrono::milliseconds flushInterval{200}; ///< below 250 ms with the time of a commit
    static constexpr std::size_t mostPending = 65'536;             ///< spans; then append() flushes by itself

    /// Document::record() makes it.
    RunWriter(std::shared_ptr<DocumentFile> file, int run);
    ~RunWriter() override; ///< marks a run that wasn't finished as interrupted

    RunWriter(const RunWriter&) = delete;
    RunWriter& operator=(const RunWriter&) = delete;

    int run() const; ///< its id in the document

    std::uint32_t lane(Device device, LaneKind kind = LaneKind::Compute, int index = 0) override;
    std::uint32_t name(std::string_view text) override;
    void append(const SpanBatch& batch) override;
    void counter(std::string_view name, Device device,
                 std::span<const std::pair<Nanoseconds, std::int64_t>> samples) override;
    void links(std::span<const Link> links) override;

    /// Throws Failure when it can't be written: disk full, file deleted or moved, no permission.
    void flush() override;

    /// Flushes when flushInterval has passed since the last flush. True when it did.
    bool flushIfDue();

    /// Flushes and writes the outcome, in one transaction. Nothing may be appended afterwards.
    void finish(const RunOutcome& outcome);

private:
    struct State;

    void store(const RunOutcome* outcome);

    std::unique_ptr<State> m_state;
};

} // namespace bubblescope
