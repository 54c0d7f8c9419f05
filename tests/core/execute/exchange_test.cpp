#include "core/execute/core_gate.h"
#include "core/execute/thread_exchange.h"
#include "core/execute/time_source.h"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <thread>

using namespace bubblescope;

namespace {

/// Ports between lanes 0 … n−1 in a ring: port i goes from lane i to lane i + 1.
ExchangeLayout ring(std::uint32_t lanes, int capacity)
{
    ExchangeLayout layout;
    layout.lanes = lanes;
    layout.capacity = capacity;
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
        layout.ports.push_back({TaskId(lane), lane, (lane + 1) % lanes});
    layout.groupMembers = {lanes};
    layout.describe = [](std::uint32_t lane, const Wait& wait) {
        return "lane " + std::to_string(lane) + (wait.kind == Wait::Kind::Credit ? " is full" : " waits");
    };
    return layout;
}

Parcel parcel(std::uint32_t round, std::uint32_t producer, Nanoseconds sent)
{
    return {.round = round, .producer = TaskId(producer), .sent = sent};
}

template <class Body>
void onLanes(std::uint32_t lanes, ThreadExchange& exchange, Body body)
{
    std::vector<std::jthread> threads;
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
        threads.emplace_back([&, lane] {
            try {
                body(lane);
            } catch (const Stopped&) {
                // the reason is in the exchange
            }
            exchange.leave(lane);
        });
}

} // namespace

TEST_CASE("a ring of lanes passes many messages, whatever the capacity", "[execute]")
{
    const auto capacity = GENERATE(0, 1, 3);
    constexpr std::uint32_t lanes = 6;
    constexpr std::uint32_t rounds = 2000;
    ThreadExchange exchange(ring(lanes, capacity));
    std::atomic<std::int64_t> last{0};
    onLanes(lanes, exchange, [&](std::uint32_t lane) {
        Nanoseconds time = 0;
        const std::uint32_t before = (lane + lanes - 1) % lanes;
        for (std::uint32_t round = 0; round < rounds; ++round) {
            if (lane == 0)
                time = exchange.send(PortId(lane), parcel(round, lane, time + 1), 2);
            const Parcel got = exchange.receive(PortId(before), round);
            time = std::max(time, got.arrives);
            exchange.consumed(PortId(before), time);
            if (lane != 0)
                time = exchange.send(PortId(lane), parcel(round, lane, time + 1), 2);
        }
        if (lane == 0)
            last = time;
    });
    CHECK(exchange.stopReason().reason == RunStop::Reason::None);
    CHECK(exchange.leftovers().empty());
    CHECK(last == rounds * lanes * 3); // each hop: 1 to make it, 2 on the way
}

TEST_CASE("a lane that waits for ever is found at once, and all are named", "[execute]")
{
    ThreadExchange exchange(ring(3, 0));
    onLanes(3, exchange, [&](std::uint32_t lane) { exchange.receive(PortId((lane + 2) % 3), 0); });
    CHECK(exchange.stopReason().reason == RunStop::Reason::Deadlock);
    CHECK(exchange.stopReason().sentence == "Deadlock: lane 0 waits; lane 1 waits; lane 2 waits.");
}

TEST_CASE("a lane that ended early can leave the others in a deadlock", "[execute]")
{
    ThreadExchange exchange(ring(3, 0));
    onLanes(3, exchange, [&](std::uint32_t lane) {
        if (lane != 1)
            exchange.receive(PortId((lane + 2) % 3), 0);
    });
    CHECK(exchange.stopReason().sentence == "Deadlock: lane 0 waits; lane 2 waits.");
}

TEST_CASE("two lanes that fill each other's queues are found", "[execute]")
{
    ThreadExchange exchange(ring(2, 1));
    onLanes(2, exchange, [&](std::uint32_t lane) {
        for (std::uint32_t round = 0; round < 2; ++round)
            exchange.send(PortId(lane), parcel(round, lane, 0), 0);
    });
    CHECK(exchange.stopReason().sentence == "Deadlock: lane 0 is full; lane 1 is full.");
}

TEST_CASE("a credit carries the virtual time at which room was made", "[execute]")
{
    ThreadExchange exchange(ring(2, 1));
    std::array<Nanoseconds, 2> goesOn{};
    std::array<Nanoseconds, 2> arrives{}; // Catch isn't thread-safe: what the lanes see is checked when they ended
    onLanes(2, exchange, [&](std::uint32_t lane) {
        if (lane == 0) {
            goesOn[0] = exchange.send(PortId(0), parcel(0, 0, 10), 5);
            goesOn[1] = exchange.send(PortId(0), parcel(1, 0, 11), 5);
        } else {
            arrives[0] = exchange.receive(PortId(0), 0).arrives;
            exchange.consumed(PortId(0), 70);
            arrives[1] = exchange.receive(PortId(0), 1).arrives;
        }
    });
    CHECK(goesOn == std::array<Nanoseconds, 2>{10, 70});
    CHECK(arrives == std::array<Nanoseconds, 2>{15, 75});
    CHECK(exchange.stopReason().reason == RunStop::Reason::None);
}

TEST_CASE("a message of another round is an error with both numbers", "[execute]")
{
    ThreadExchange exchange(ring(2, 0));
    exchange.send(PortId(0), parcel(4, 0, 0), 0);
    CHECK_THROWS_WITH(exchange.receive(PortId(0), 3), Catch::Contains("round 4") && Catch::Contains("round 3"));
}

TEST_CASE("members of a group go on together, after the reduction", "[execute]")
{
    constexpr std::uint32_t lanes = 5;
    constexpr int rounds = 300;
    ThreadExchange exchange(ring(lanes, 0));
    std::vector<int> contribution(lanes);
    int sum = 0;
    std::atomic<int> wrong{0};
    onLanes(lanes, exchange, [&](std::uint32_t lane) {
        for (int round = 0; round < rounds; ++round) {
            contribution[lane] = round;
            const Nanoseconds ready = exchange.meet(GroupId(0), lane, round * 10 + lane, [&] {
                sum = 0;
                for (const int part : contribution)
                    sum += part;
            });
            wrong += ready != round * 10 + 4 || sum != round * static_cast<int>(lanes) ? 1 : 0;
            exchange.meet(GroupId(0), lane, 0, {});
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("stopping wakes lanes that wait and lanes that sleep, and the first reason stays", "[execute]")
{
    ThreadExchange exchange(ring(3, 0));
    SystemTime time;
    const Nanoseconds begin = time.wall();
    std::atomic<int> waiting{0};
    std::jthread stopper([&] {
        while (waiting < 2)
            std::this_thread::yield();
        exchange.stop({RunStop::Reason::Failure, 1, "first"});
        exchange.stop({RunStop::Reason::Cancel, RunStop::nobody, "second"});
    });
    onLanes(3, exchange, [&](std::uint32_t lane) {
        if (lane == 2)
            return;
        ++waiting;
        if (lane == 0)
            exchange.sleepUntil(0, begin + 3'600'000'000'000);
        else
            exchange.receive(PortId(0), 0);
    });
    CHECK(exchange.stopReason().sentence == "first");
    CHECK_THROWS_AS(exchange.receive(PortId(0), 0), Stopped);
}

TEST_CASE("no more workers hold a core than there are, and the one that is first in virtual time goes first",
          "[execute]")
{
    CoreGate gate(2);
    std::atomic<int> inside{0};
    std::atomic<int> most{0};
    {
        std::vector<std::jthread> threads;
        for (std::uint32_t lane = 0; lane < 6; ++lane)
            threads.emplace_back([&, lane] {
                for (int i = 0; i < 500; ++i) {
                    const HeldCore core(gate, lane, i);
                    const int now = ++inside;
                    int seen = most;
                    while (now > seen && !most.compare_exchange_weak(seen, now)) {
                    }
                    --inside;
                }
            });
    }
    CHECK(most <= 2);

    CoreGate single(1);
    REQUIRE(single.enter(0, 0));
    std::vector<int> order;
    std::jthread late([&] {
        const HeldCore core(single, 1, 200);
        order.push_back(200);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::jthread early([&] {
        const HeldCore core(single, 2, 100);
        order.push_back(100);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    single.leave();
    late.join();
    early.join();
    CHECK(order.size() == 2); // which of them waited when the core came free is up to the machine
}

TEST_CASE("a gate that was stopped admits nobody", "[execute]")
{
    CoreGate gate(1);
    REQUIRE(gate.enter(0, 0));
    bool held = true;
    std::jthread waiter([&] { held = static_cast<bool>(HeldCore(gate, 1, 0)); });
    gate.stop();
    waiter.join();
    CHECK_FALSE(held);
    CHECK_FALSE(gate.enter(2, 0));
}
