// The arena's counters are the measured memory curve, so they have to be exact.

#include "core/execute/arena.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

using namespace bubblescope;

TEST_CASE("an arena counts live and peak bytes by class")
{
    Arena arena;
    Buffer weights = arena.get(1000, MemoryClass::Weight);
    {
        const Buffer first = arena.get(300, MemoryClass::Activation);
        const Buffer second = arena.get(500, MemoryClass::Activation);
        CHECK(arena.liveBytes(MemoryClass::Activation) == 800);
        CHECK(arena.liveBytes(MemoryClass::Weight) == 1000);
        CHECK(arena.liveBytes() == 1800);
    }
    CHECK(arena.liveBytes(MemoryClass::Activation) == 0);
    CHECK(arena.peakBytes(MemoryClass::Activation) == 800);
    CHECK(arena.peakBytes() == 1800);
    weights.reset();
    weights.reset(); // nothing left to give back
    CHECK(arena.liveBytes() == 0);
}

TEST_CASE("the peak of all classes is the largest sum at one moment")
{
    Arena arena;
    arena.get(100, MemoryClass::Activation).reset();
    arena.get(70, MemoryClass::Gradient).reset();
    CHECK(arena.peakBytes(MemoryClass::Activation) == 100);
    CHECK(arena.peakBytes(MemoryClass::Gradient) == 70);
    CHECK(arena.peakBytes() == 100);
}

TEST_CASE("buffers are aligned to 64 bytes and writable over their whole size")
{
    Arena arena;
    for (const std::size_t size : {1U, 63U, 64U, 65U, 1000U, 70000U}) {
        Buffer buffer = arena.get(size, MemoryClass::Workspace);
        REQUIRE(buffer.size() == size);
        CHECK(reinterpret_cast<std::uintptr_t>(buffer.bytes()) % 64 == 0);
        for (std::size_t i = 0; i < size; ++i)
            buffer.bytes()[i] = std::byte{7};
    }
}

TEST_CASE("a buffer of no bytes is empty and costs nothing")
{
    Arena arena;
    Buffer buffer = arena.get(0, MemoryClass::Message);
    CHECK_FALSE(buffer);
    CHECK(buffer.size() == 0);
    buffer.rebind(arena, MemoryClass::Weight);
    CHECK(arena.peakBytes() == 0);
}

TEST_CASE("freed memory is handed out again")
{
    Arena arena;
    Buffer buffer = arena.get(5000, MemoryClass::Activation);
    const std::byte* place = buffer.bytes();
    buffer.reset();
    buffer = arena.get(4000, MemoryClass::Gradient);
    CHECK(buffer.bytes() == place);
    CHECK(arena.liveBytes(MemoryClass::Gradient) == 4000);
    // A small request does not take a large piece away.
    buffer.reset();
    const Buffer small = arena.get(100, MemoryClass::Activation);
    CHECK(small.bytes() != place);
}

TEST_CASE("a buffer moves with its account")
{
    Arena arena;
    Buffer first = arena.get(100, MemoryClass::Activation);
    Buffer second = std::move(first);
    CHECK_FALSE(first); // NOLINT(bugprone-use-after-move): an emptied buffer may be looked at
    CHECK(second.size() == 100);
    CHECK(arena.liveBytes() == 100);
    second = arena.get(40, MemoryClass::Activation);
    CHECK(arena.liveBytes() == 40);
}

TEST_CASE("a buffer that is rebound leaves one account and enters another")
{
    Arena sender;
    Arena receiver;
    Buffer message = sender.get(256, MemoryClass::Message);
    message.floats()[63] = 5;
    message.rebind(receiver, MemoryClass::Activation);
    CHECK(sender.liveBytes() == 0);
    CHECK(receiver.liveBytes(MemoryClass::Activation) == 256);
    CHECK(message.memoryClass() == MemoryClass::Activation);
    CHECK(message.floats()[63] == 5);

    message.rebind(receiver, MemoryClass::Boundary);
    CHECK(receiver.liveBytes(MemoryClass::Activation) == 0);
    CHECK(receiver.liveBytes(MemoryClass::Boundary) == 256);
    CHECK(receiver.peakBytes() == 256);

    const std::byte* place = message.bytes();
    message.reset();
    CHECK(receiver.get(256, MemoryClass::Activation).bytes() == place);
}

TEST_CASE("a buffer may outlive its arena")
{
    Buffer survivor;
    {
        Arena arena;
        survivor = arena.get(128, MemoryClass::Message);
        const Buffer other = arena.get(64, MemoryClass::Message);
    }
    survivor.floats()[31] = 1;
    Arena next;
    survivor.rebind(next, MemoryClass::Activation);
    CHECK(next.liveBytes() == 128);
}

TEST_CASE("counters stay exact when two devices exchange buffers", "[threads]")
{
    Arena arenas[2];
    const auto work = [&arenas](int self) {
        for (int i = 0; i < 2000; ++i) {
            Buffer kept = arenas[self].get(static_cast<std::size_t>(64 + i % 7 * 100), MemoryClass::Activation);
            Buffer sent = arenas[self].get(256, MemoryClass::Message);
            sent.rebind(arenas[1 - self], MemoryClass::Activation);
            kept.rebind(arenas[self], MemoryClass::Gradient);
        }
    };
    std::vector<std::thread> threads;
    for (int self = 0; self < 2; ++self)
        threads.emplace_back(work, self);
    for (std::thread& thread : threads)
        thread.join();
    for (const Arena& arena : arenas)
        for (int memoryClass = 0; memoryClass < memoryClasses; ++memoryClass)
            CHECK(arena.liveBytes(static_cast<MemoryClass>(memoryClass)) == 0);
}
