#include "core/schedule/building_block.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace bubblescope {
namespace {

int positiveModulo(int value, int period)
{
    return (value % period + period) % period;
}

/// "I of stage 5 (slot 9)".
std::string passText(const BuildingBlock& block, int pass, int slot)
{
    const char letter = block.forward(pass) ? 'F' : block.splitsBackward ? 'I' : 'B';
    return fmt::format("{} of stage {} (slot {})", letter, block.stage(pass), slot);
}

/// One slot of the period: who takes it, as text; empty while free.
using Wheel = std::vector<std::string>;

class BlockCheck {
public:
    explicit BlockCheck(const BuildingBlock& block)
        : m_block(block)
        , m_wheels(static_cast<std::size_t>(block.devices), Wheel(static_cast<std::size_t>(block.period)))
    {
    }

    std::vector<std::string> run()
    {
        const int g = m_block.microbatches;
        for (int pass = 0; pass < m_block.passes(); ++pass)
            for (int j = 0; j < g; ++j)
                checkPass(pass, j);
        for (int stage = 0; stage < m_block.stages() && !m_block.weightSlots.empty(); ++stage)
            for (int j = 0; j < g; ++j)
                checkWeight(stage, j);
        return std::move(m_sentences);
    }

private:
    int slot(int pass, int j) const { return m_block.slots[static_cast<std::size_t>(pass * m_block.microbatches + j)]; }

    void take(Device device, int slot, int length, const std::string& text)
    {
        Wheel& wheel = m_wheels[device];
        for (int part = 0; part < length; ++part) {
            const int at = positiveModulo(slot + part, m_block.period);
            std::string& taken = wheel[static_cast<std::size_t>(at)];
            if (!taken.empty()) {
                std::vector<int> free;
                for (int other = 0; other < m_block.period; ++other)
                    if (wheel[static_cast<std::size_t>(other)].empty())
                        free.push_back(other);
                m_sentences.push_back(fmt::format("On device {}, {} and {} both fall on slot {} of every {}; {}.",
                                                  device.value, taken, text, at, m_block.period,
                                                  free.empty()
                                                      ? std::string("none is free, so the period has to be longer")
                                                      : fmt::format("still free there: {}", fmt::join(free, ", "))));
                return;
            }
            taken = text;
        }
    }

    void checkPass(int pass, int j)
    {
        const std::string text = passText(m_block, pass, slot(pass, j));
        if (pass > 0) {
            const int earliest = slot(pass - 1, j) + m_block.distance(pass);
            if (slot(pass, j) < earliest)
                m_sentences.push_back(fmt::format("{} on device {} waits for {} on device {}; {} is its earliest slot.",
                                                  text, m_block.home(pass).value,
                                                  passText(m_block, pass - 1, slot(pass - 1, j)),
                                                  m_block.home(pass - 1).value, earliest));
        }
        take(m_block.home(pass), slot(pass, j), m_block.length(pass), text);
    }

    void checkWeight(int stage, int j)
    {
        const int at = m_block.weightSlots[static_cast<std::size_t>(stage * m_block.microbatches + j)];
        const int input = m_block.passes() - 1 - stage;
        const std::string text = fmt::format("W of stage {} (slot {})", stage, at);
        if (at <= slot(input, j))
            m_sentences.push_back(fmt::format("{} waits for {}; {} is its earliest slot.", text,
                                              passText(m_block, input, slot(input, j)), slot(input, j) + 1));
        take(m_block.homes[static_cast<std::size_t>(stage)], at, 1, text);
    }

    const BuildingBlock& m_block;
    std::vector<Wheel> m_wheels;
    std::vector<std::string> m_sentences;
};

/// Slots of work of each device per block.
std::vector<int> workOf(const BuildingBlock& block)
{
    std::vector<int> work(static_cast<std::size_t>(block.devices), 0);
    for (const Device home : block.homes)
        work[home] += 3 * block.microbatches;
    return work;
}

} // namespace

std::vector<Device> zigzagHomes(int devices, int chunks)
{
    std::vector<Device> homes;
    for (int stage = 0; stage < devices * chunks; ++stage) {
        const int position = stage % devices;
        homes.emplace_back(stage / devices % 2 == 0 ? position : devices - 1 - position);
    }
    return homes;
}

std::vector<Device> loopedHomes(int devices, int chunks)
{
    std::vector<Device> homes;
    for (int stage = 0; stage < devices * chunks; ++stage)
        homes.emplace_back(stage % devices);
    return homes;
}

bool placeTightly(BuildingBlock& block)
{
    std::vector<std::vector<bool>> taken(static_cast<std::size_t>(block.devices),
                                         std::vector<bool>(static_cast<std::size_t>(block.period)));
    block.slots.clear();
    int slot = 0;
    for (int pass = 0; pass < block.passes(); ++pass) {
        std::vector<bool>& wheel = taken[block.home(pass)];
        const int length = block.length(pass);
        const auto free = [&](int at) {
            for (int part = 0; part < length; ++part)
                if (wheel[static_cast<std::size_t>((at + part) % block.period)])
                    return false;
            return length <= block.period;
        };
        const int earliest = slot;
        while (slot < earliest + block.period && !free(slot))
            ++slot;
        if (slot == earliest + block.period)
            return false;
        for (int part = 0; part < length; ++part)
            wheel[static_cast<std::size_t>((slot + part) % block.period)] = true;
        block.slots.push_back(slot);
        slot += length;
    }
    return true;
}

std::vector<std::string> blockProblems(const BuildingBlock& block)
{
    const auto wanted = static_cast<std::size_t>(block.passes() * block.microbatches);
    if (block.slots.size() != wanted)
        return {fmt::format("{} slots are given; {} stages with a forward and a backward each for {} microbatches "
                            "of a block need {}.",
                            block.slots.size(), block.stages(), block.microbatches, wanted)};
    if (!block.weightSlots.empty() && block.weightSlots.size() != wanted / 2)
        return {fmt::format("{} slots of W are given; {} stages need {}, or none.", block.weightSlots.size(),
                            block.stages(), wanted / 2)};
    const std::vector<int> work = workOf(block);
    const auto most = std::max_element(work.begin(), work.end());
    if (block.period < *most)
        return {fmt::format("Device {} has {} slots of work for every block (F, I and W of each stage), but the period "
                            "is {}; {} is the shortest.",
                            most - work.begin(), *most, block.period, *most)};
    return BlockCheck(block).run();
}

// ---- repeating and squeezing ---------------------------------------------------------------------------------

SlotTable::SlotTable(const BuildingBlock& block, int microbatches) : m_block(block), m_count(microbatches)
{
    const auto append = [&](const std::vector<int>& offsets) {
        const std::size_t passes = offsets.size() / static_cast<std::size_t>(block.microbatches);
        for (std::size_t pass = 0; pass < passes; ++pass)
            for (int i = 0; i < microbatches; ++i) {
                const int j = i % block.microbatches;
                const int offset =
                    offsets[pass * static_cast<std::size_t>(block.microbatches) + static_cast<std::size_t>(j)];
                m_slots.push_back(offset + i / block.microbatches * block.period);
            }
    };
    append(block.slots);
    append(block.weightSlots);
    if (const int first = *std::min_element(m_slots.begin(), m_slots.end()); first != 0)
        for (int& slot : m_slots)
            slot -= first;
}

std::vector<SlotTable::Lane> SlotTable::lanes() const
{
    std::vector<Lane> lanes(static_cast<std::size_t>(m_block.devices));
    const auto put = [](Lane& lane, int slot, int what) {
        if (static_cast<std::size_t>(slot) >= lane.size())
            lane.resize(static_cast<std::size_t>(slot) + 1, nothing);
        lane[static_cast<std::size_t>(slot)] = what;
    };
    const int withSlots = static_cast<int>(m_slots.size()) / m_count;
    for (int pass = 0; pass < withSlots; ++pass) {
        const bool weight = pass >= m_block.passes();
        Lane& lane =
            lanes[weight ? m_block.homes[static_cast<std::size_t>(pass - m_block.passes())] : m_block.home(pass)];
        for (int i = m_count - 1; i >= 0; --i) {
            const int slot = m_slots[static_cast<std::size_t>(cell(pass, i))];
            if (!weight && m_block.length(pass) == 2)
                put(lane, slot + 1, secondHalf);
            put(lane, slot, cell(pass, i));
        }
    }
    for (std::size_t device = 0; device < m_weights.size(); ++device)
        for (const int slot : m_weights[device])
            put(lanes[device], slot, someWeight);
    return lanes;
}

bool SlotTable::sound() const
{
    if (*std::min_element(m_slots.begin(), m_slots.end()) < 0)
        return false;
    std::size_t taken = 0;
    for (const Lane& lane : lanes())
        taken += static_cast<std::size_t>(std::count_if(
            lane.begin(), lane.end(), [this](int what) { return what >= 0 && what < m_block.passes() * m_count; }));
    if (taken != static_cast<std::size_t>(m_block.passes() * m_count))
        return false;
    for (int pass = 0; pass < m_block.passes(); ++pass)
        for (int i = 0; i < m_count; ++i) {
            const int least = pass > 0 ? slot(pass - 1, i) + m_block.length(pass - 1) : 0;
            if (slot(pass, i) < std::max(least, i > 0 ? slot(pass, i - 1) + 1 : 0))
                return false;
        }
    return true;
}

void SlotTable::placeWeights()
{
    dropWeights();
    std::vector<std::vector<int>> weights;
    for (const Lane& lane : lanes()) {
        std::vector<int>& slots = weights.emplace_back();
        int due = 0;
        for (std::size_t slot = 0; slot < lane.size() || due > 0; ++slot) {
            const int what = slot < lane.size() ? lane[slot] : nothing;
            if (what >= m_block.stages() * m_count)
                ++due;
            else if (what == nothing && due > 0) {
                slots.push_back(static_cast<int>(slot));
                --due;
            }
        }
    }
    m_weights = std::move(weights);
}

void SlotTable::dropWeights()
{
    m_weights.clear();
    m_slots.resize(static_cast<std::size_t>(m_block.passes() * m_count));
}

void SlotTable::squeeze()
{
    const std::vector<Lane> before = lanes();
    std::vector<int> free(before.size(), 0); // from where each lane is
    std::size_t longest = 0;
    for (const Lane& lane : before)
        longest = std::max(longest, lane.size());
    for (auto& slots : m_weights)
        slots.clear();
    for (std::size_t slot = 0; slot < longest; ++slot)
        for (std::size_t device = 0; device < before.size(); ++device) {
            const int what = slot < before[device].size() ? before[device][slot] : nothing;
            if (what == someWeight)
                m_weights[device].push_back(free[device]++);
            if (what >= 0)
                free[device] = moveForward(what, free[device]);
        }
}

/// To the first slot from `free` on that the pass before allows; returns the slot after it.
int SlotTable::moveForward(int what, int free)
{
    const int pass = what / m_count;
    const bool weight = pass >= m_block.passes();
    int& slot = m_slots[static_cast<std::size_t>(what)];
    slot = free;
    if (pass > 0 && !weight)
        slot = std::max(slot, m_slots[static_cast<std::size_t>(what - m_count)] + m_block.distance(pass));
    return slot + (weight ? 1 : m_block.length(pass));
}

// ---- reordering ------------------------------------------------------------------------------------------------

/// One walk over the slots of all devices. Behind it, passes have found their places and what each
/// device holds after every slot is known.
class Reordering {
public:
    Reordering(SlotTable& table, SlotTable::Keep keep)
        : m_table(table)
        , m_keep(keep)
        , m_lanes(table.lanes())
        , m_states(m_lanes.size())
        , m_inputs(m_lanes.size())
        , m_weights(m_lanes.size(), 0)
        , m_someWeights(!table.m_weights.empty())
        , m_implied(table.m_block.splitsBackward && !m_someWeights && !ownSlots())
        , m_forwards(table.m_block.stages() * table.m_count)
        , m_passes(table.m_block.passes() * table.m_count)
    {
        for (std::size_t device = 0; device < m_lanes.size(); ++device) {
            m_longest = std::max(m_longest, m_lanes[device].size());
            m_states[device].resize(m_lanes[device].size());
        }
    }

    int peak()
    {
        int most = 0;
        for (std::size_t device = 0; device < m_lanes.size(); ++device)
            for (std::size_t slot = 0; slot < m_lanes[device].size(); ++slot) {
                settle(device, slot);
                most = std::max(most, m_states[device][slot].held);
            }
        return most;
    }

    void run(int allowed)
    {
        m_limit = std::max(allowed, peak());
        for (std::size_t slot = 0; slot < m_longest; ++slot)
            for (std::size_t device = 0; device < m_lanes.size(); ++device) {
                if (slot >= m_lanes[device].size())
                    continue;
                if (const int what = m_lanes[device][slot]; what >= 0 || what == SlotTable::someWeight)
                    visit(device, slot, what);
                settle(device, slot);
            }
    }

private:
    struct State {
        int held; // activations after the slot
        int due;  // W that wait for a free slot, where they have none of their own
    };

    bool ownSlots() const
    {
        return m_table.m_slots.size() > static_cast<std::size_t>(m_table.m_block.passes() * m_table.m_count);
    }

    bool isForward(int what) const { return what >= 0 && what < m_forwards; }

    bool isInput(int what) const { return what >= m_forwards && what < m_passes; }

    bool isWeight(int what) const { return what == SlotTable::someWeight || what >= m_passes; }

    /// What the device holds after `slot`; the slots before it are settled.
    void settle(std::size_t device, std::size_t slot)
    {
        std::vector<State>& states = m_states[device];
        State state = slot == 0 ? State{0, 0} : states[slot - 1];
        const int what = m_lanes[device][slot];
        if (isForward(what))
            ++state.held;
        else if (isWeight(what) || what == SlotTable::secondHalf)
            --state.held;
        else if (isInput(what))
            ++state.due;
        else if (m_implied && state.due > 0) {
            --state.held;
            --state.due;
        }
        states[slot] = state;
    }

    /// Moves on through warm-up, steady phase and drain; true when `what` has to stay.
    bool kept(int what)
    {
        const BuildingBlock& block = m_table.m_block;
        const int count = m_table.m_count;
        if (m_keep == SlotTable::Keep::Nothing)
            return false;
        if (m_phase == Phase::Warmup && what / count == block.passes() - 1)
            m_phase = Phase::Steady;
        if (m_phase == Phase::Warmup)
            return m_keep == SlotTable::Keep::WarmupAndSteady;
        if (m_phase == Phase::Drain)
            return false;
        if (what >= 0 && what / count < block.devices && isForward(what) && what % count == count - 1)
            m_phase = Phase::Drain;
        return true;
    }

    /// The first slot after everything that `what` waits for.
    int earliest(std::size_t device, int what)
    {
        const std::vector<int>& slots = m_table.m_slots;
        if (what == SlotTable::someWeight) {
            const auto number = static_cast<std::size_t>(m_weights[device]);
            const int before = number > 0 ? m_table.m_weights[device][number - 1] : -1;
            return std::max(before, m_inputs[device][number]) + 1;
        }
        const int pass = what / m_table.m_count;
        const int after = what % m_table.m_count > 0 ? slots[static_cast<std::size_t>(what - 1)] : -1;
        if (pass == 0)
            return after + 1;
        return std::max(after + 1,
                        slots[static_cast<std::size_t>(what - m_table.m_count)] + m_table.m_block.distance(pass));
    }

    int& slotOf(std::size_t device, int what)
    {
        return what == SlotTable::someWeight ? m_table.m_weights[device][static_cast<std::size_t>(m_weights[device])]
                                             : m_table.m_slots[static_cast<std::size_t>(what)];
    }

    /// Would the device hold too much with `what` moved to `place`? All before its old slot is settled.
    bool fits(std::size_t device, int what, std::size_t place, std::size_t old)
    {
        const std::vector<State>& states = m_states[device];
        if (!m_implied) {
            for (std::size_t slot = place; slot < old && isForward(what); ++slot)
                if (states[slot].held >= m_limit)
                    return false;
            return true;
        }
        State state = place == 0 ? State{0, 0} : states[place - 1];
        for (std::size_t slot = place; slot < old; ++slot) {
            const int here = slot == place ? what : m_lanes[device][slot];
            if (isForward(here))
                ++state.held;
            else if (isInput(here))
                ++state.due;
            else if (state.due > 0) {
                --state.held;
                --state.due;
            }
            if (state.held > m_limit)
                return false;
        }
        return true;
    }

    void visit(std::size_t device, std::size_t slot, int what)
    {
        const int length = what >= 0 ? m_table.m_block.length(what / m_table.m_count) : 1;
        if (!kept(what)) {
            SlotTable::Lane& lane = m_lanes[device];
            auto place = static_cast<std::size_t>(earliest(device, what));
            const auto vacant = [&](std::size_t at) {
                return lane[at] == SlotTable::nothing && (length == 1 || lane[at + 1] == SlotTable::nothing);
            };
            while (place < slot && !(vacant(place) && fits(device, what, place, slot)))
                ++place;
            if (place < slot)
                move(device, what, slot, place, length);
        }
        if (what == SlotTable::someWeight)
            ++m_weights[device];
        else if (m_someWeights && isInput(what)) {
            std::vector<int>& inputs = m_inputs[device];
            const int at = slotOf(device, what);
            inputs.insert(std::upper_bound(inputs.begin(), inputs.end(), at), at);
        }
    }

    void move(std::size_t device, int what, std::size_t from, std::size_t to, int length)
    {
        SlotTable::Lane& lane = m_lanes[device];
        lane[from] = SlotTable::nothing;
        lane[to] = what;
        if (length == 2) {
            lane[from + 1] = SlotTable::nothing;
            lane[to + 1] = SlotTable::secondHalf;
        }
        slotOf(device, what) = static_cast<int>(to);
        for (std::size_t slot = to; slot < from; ++slot)
            settle(device, slot);
    }

    SlotTable& m_table;
    SlotTable::Keep m_keep;
    std::vector<SlotTable::Lane> m_lanes;
    std::vector<std::vector<State>> m_states; // by device and slot
    std::vector<std::vector<int>> m_inputs;   // slots of the input gradients met, sorted
    std::vector<int> m_weights;               // W met, by device
    bool m_someWeights;
    bool m_implied;
    int m_forwards; // numbers of F are below
    int m_passes;   // and of I or B below this
    int m_limit = 0;
    std::size_t m_longest = 0;

    enum class Phase { Warmup, Steady, Drain };
    Phase m_phase = Phase::Warmup;
};

void SlotTable::reorder(Keep keep, int allowed)
{
    Reordering(*this, keep).run(allowed);
}

SlotTable SlotTable::first(int microbatches) const
{
    SlotTable table = *this;
    table.dropWeights();
    table.m_count = std::min(m_count, microbatches);
    for (int pass = 0; pass < m_block.passes(); ++pass)
        for (int i = 0; i < table.m_count; ++i)
            table.m_slots[static_cast<std::size_t>(table.cell(pass, i))] =
                m_slots[static_cast<std::size_t>(cell(pass, i))];
    table.m_slots.resize(static_cast<std::size_t>(m_block.passes() * table.m_count));
    return table;
}

int SlotTable::peak() const
{
    SlotTable copy = *this;
    return Reordering(copy, Keep::Nothing).peak();
}

namespace {

Task taskOf(Work work, int stage, int microbatch)
{
    return {.work = work, .stage = Stage(stage), .microbatch = Microbatch(microbatch)};
}

/// What a pass of the block stands for; behind the block's own come the W of each stage.
Task taskOf(const BuildingBlock& block, int pass, int microbatch)
{
    if (pass >= block.passes())
        return taskOf(Work::WeightGradient, pass - block.passes(), microbatch);
    const Work backward = block.splitsBackward ? Work::InputGradient : Work::Backward;
    return taskOf(block.forward(pass) ? Work::Forward : backward, block.stage(pass), microbatch);
}

/// W whose I is done, on one device.
class DueWeights {
public:
    void add(int stage) { ++m_counts[stage].second; }

    /// Appends the oldest of the deepest stage; false when none is due.
    bool moveOne(std::vector<Task>& order)
    {
        for (auto& [stage, done] : m_counts)
            if (done.first < done.second) {
                order.push_back(taskOf(Work::WeightGradient, stage, done.first++));
                return true;
            }
        return false;
    }

private:
    std::map<int, std::pair<int, int>, std::greater<>> m_counts; // stage → W done, I done
};

} // namespace

std::vector<std::vector<Task>> SlotTable::orders() const
{
    std::vector<std::vector<Task>> orders;
    const bool ownSlots = m_slots.size() > static_cast<std::size_t>(m_block.passes() * m_count);
    const bool fill = m_block.splitsBackward && !ownSlots;
    for (const Lane& lane : lanes()) {
        std::vector<Task>& order = orders.emplace_back();
        DueWeights due;
        for (const int what : lane) {
            if (what >= 0)
                order.push_back(taskOf(m_block, what / m_count, what % m_count));
            else if (fill)
                due.moveOne(order);
            if (fill && what >= 0 && order.back().work == Work::InputGradient)
                due.add(order.back().stage);
        }
        while (fill && due.moveOne(order))
            continue;
    }
    return orders;
}

} // namespace bubblescope
