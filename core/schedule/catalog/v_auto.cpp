// V-auto: the best building block on a V under any memory limit, for the costs at hand.
//
//     device 0         residues modulo 6 of its F, f, I and i: 0, a, b, c
//     device r+1       F and I stand k slots after device r's, f and i one slot before: k for the first
//                      hops, k' ≤ k for the rest
//
// Qi et al. 2024, Pipeline Parallelism with Controllable Memory, section 3.1 and appendix A. Every such block
// is repeated, squeezed and reordered as V-Half is, and simulated.

#include "core/base/error.h"
#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/v_shape.h"
#include "core/simulate/memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>

namespace bubblescope::catalog {
namespace {

constexpr int period = 6;

/// Where F, f, I, i (in the order of a visit) of every device stand modulo the period.
struct BlockShape {
    std::array<int, 4> first; ///< on device 0
    int near;                 ///< slots of a hop among the first devices
    int far;                  ///< and of the others
    int hops;                 ///< how many are near
};

Costs equalCosts(int stages)
{
    Costs costs(stages);
    for (const Work work : {Work::Forward, Work::InputGradient, Work::WeightGradient})
        costs.set(work, unit);
    return costs;
}

/// Nothing where two passes of a device meet.
std::optional<BuildingBlock> blockOf(const BlockShape& shape, int p)
{
    std::vector<std::array<int, 4>> residues{shape.first};
    for (int r = 1; r < p; ++r) {
        std::array<int, 4> next = residues.back();
        const int step = r <= shape.hops ? shape.near : shape.far;
        for (int kind = 0; kind < 4; ++kind)
            next[static_cast<std::size_t>(kind)] =
                (next[static_cast<std::size_t>(kind)] + (kind % 2 == 0 ? step : period - 1)) % period;
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < a; ++b)
                if (next[static_cast<std::size_t>(a)] == next[static_cast<std::size_t>(b)])
                    return std::nullopt;
        residues.push_back(next);
    }
    BuildingBlock block;
    block.devices = p;
    block.homes = zigzagHomes(p, 2);
    int slot = 0;
    for (int pass = 0; pass < block.passes(); ++pass) {
        const int residue = residues[block.home(pass)][static_cast<std::size_t>(pass / p)];
        slot += ((residue - slot) % period + period) % period;
        block.slots.push_back(slot++);
    }
    return block;
}

/// Where the four passes of device 0 may stand: F first, the others in any places that aren't taken.
std::vector<std::array<int, 4>> firstResidues()
{
    std::vector<std::array<int, 4>> all;
    for (int a = 1; a < period; ++a)
        for (int b = 1; b < period; ++b)
            for (int c = 1; c < period; ++c)
                if (a != b && b != c && a != c)
                    all.push_back({0, a, b, c});
    return all;
}

/// The blocks over p devices, each once, the shortest first.
std::vector<BuildingBlock> allBlocks(int p)
{
    std::set<std::vector<int>> known;
    std::vector<BuildingBlock> blocks;
    const auto offer = [&](const BlockShape& shape) {
        std::optional<BuildingBlock> block = blockOf(shape, p);
        if (block && known.insert(block->slots).second)
            blocks.push_back(std::move(*block));
    };
    const std::vector<std::array<int, 4>> residues = firstResidues();
    const int stride = 1 + p / 16; // on many devices not every place for the change; p−2 is V-ZB's
    for (int near = 1; near < period; ++near)
        for (int far = 1; far <= near; ++far)
            for (int hops = std::max(1, p - 1); hops >= 1; --hops) {
                const bool changes = far < near;
                if (changes ? (hops - (p - 2)) % stride != 0 : hops < p - 1)
                    continue;
                for (const std::array<int, 4>& first : residues)
                    offer({first, near, far, hops});
            }
    std::sort(blocks.begin(), blocks.end(), [](const BuildingBlock& a, const BuildingBlock& b) {
        return std::pair(a.slots.back(), a.slots) < std::pair(b.slots.back(), b.slots);
    });
    return blocks;
}

/// What the steady phase holds at least: as many microbatches of a stage as enter between its F and its I. Quickly
/// known, and enough to see that most blocks need too much.
int leastPeak(const BuildingBlock& block)
{
    std::vector<int> held(static_cast<std::size_t>(block.devices), 0);
    for (int stage = 0; stage < block.stages(); ++stage) {
        const auto forward = static_cast<std::size_t>(stage);
        const auto input = static_cast<std::size_t>(block.passes() - 1 - stage);
        held[block.home(stage)] += (block.slots[input] - block.slots[forward]) / period;
    }
    return *std::max_element(held.begin(), held.end());
}

/// What device r does before its first backward of stage r, written anew.
class Warmup {
public:
    Warmup(SlotTable& table, int p, int microbatches, int r)
        : m_table(table), m_p(p), m_microbatches(microbatches), m_r(r), m_slot(r)
    {
        const int end = table.slot(4 * p - 1 - r, 0);
        for (Kind* kind : {&m_down, &m_up, &m_back})
            while (kind->count < microbatches && table.slot(passOf(*kind), kind->count) < end)
                ++kind->count;
    }

    /// F, then F and f by turns until `peak` chunks are held.
    void fill(int peak)
    {
        const int ups = std::min({m_r + 1, peak / 2, m_microbatches});
        const int downs = std::min({peak - ups, m_microbatches, m_down.count});
        for (int k = 0; k < 2 * (m_p - 1 - m_r); ++k)
            forward(m_down, downs);
        for (int k = 0; k <= m_r; ++k) {
            forward(m_down, downs);
            forward(m_up, std::min(ups, m_up.count));
        }
    }

    /// A backward, its W, and the next f or F.
    void finish()
    {
        for (; m_down.left() || m_up.left() || m_back.left(); m_slot += 3) {
            if (m_back.left())
                put(m_back, m_slot);
            if (m_up.left() || m_down.left())
                put(m_up.left() ? m_up : m_down, m_slot + 2);
        }
    }

private:
    struct Kind {
        int stage;     ///< its pass on device r is `stage` + or − r
        int direction; ///< which of the two
        int count = 0;
        int done = 0;

        bool left() const { return done < count; }
    };

    int passOf(const Kind& kind) const { return kind.stage + kind.direction * m_r; }

    void put(Kind& kind, int slot) { m_table.move(passOf(kind), kind.done++, slot); }

    /// Takes a slot, whether it needs it or not.
    void forward(Kind& kind, int most)
    {
        if (kind.done < most)
            put(kind, m_slot);
        ++m_slot;
    }

    SlotTable& m_table;
    int m_p;
    int m_microbatches;
    int m_r;
    int m_slot;
    Kind m_down{0, 1};
    Kind m_up{2 * m_p - 1, -1};
    Kind m_back{2 * m_p, 1};
};

/// The warm-up of every device anew, for a peak of `peak` chunks (the paper's code).
void writeWarmup(SlotTable& table, int p, int microbatches, int peak)
{
    for (int r = 0; r < p; ++r) {
        Warmup warmup(table, p, microbatches, r);
        warmup.fill(peak);
        warmup.finish();
    }
}

/// Puts the last backwards of every device where they follow each other most tightly behind the last forward of
/// device 0, one slot per device (the paper's code).
void writeDrain(SlotTable& table, int p, int microbatches, int peak)
{
    const int start = table.slot(2 * p - 1, microbatches - 1);
    const int outer = std::min((peak + 1) / 2, microbatches);
    const int inner = std::min(peak - outer, microbatches);
    for (int r = 0; r < p; ++r) {
        for (int k = 0; k < outer; ++k)
            table.move(4 * p - 1 - r, microbatches - 1 - k, start - r + 2 * p - 2 * k);
        for (int k = 0; k < std::min(r + 1, inner); ++k)
            table.move(2 * p + r, microbatches - 1 - k, start + 1 + r - 2 * k);
    }
}

/// How a repeated block becomes an order.
struct Finish {
    bool written = false;    ///< warm-up and drain are written anew; otherwise they come from the block
    bool cut = false;        ///< made for 2p microbatches and cut, where there are fewer
    bool fillSteady = false; ///< the steady phase may fill from what follows; otherwise it stays the block that it was
    bool fillAll = false;    ///< at the end every pass may move once more
};

constexpr std::array<Finish, 10> finishes{{{},
                                           {.cut = true},
                                           {.written = true},
                                           {.written = true, .cut = true},
                                           {.fillSteady = true},
                                           {.cut = true, .fillSteady = true},
                                           {.fillAll = true},
                                           {.cut = true, .fillAll = true},
                                           {.fillSteady = true, .fillAll = true},
                                           {.cut = true, .fillSteady = true, .fillAll = true}}};

/// Slots where W have their places, which squeezing gives to those that follow.
void squeezeWithWeights(SlotTable& table)
{
    table.placeWeights();
    table.squeeze();
    table.dropWeights();
}

/// With warm-up and drain written anew; nothing where they don't fit the block.
std::optional<SlotTable> rewritten(const BuildingBlock& block, const Finish& finish, int microbatches)
{
    const int p = block.devices;
    const int count = finish.cut ? std::max(microbatches, 2 * p) : microbatches;
    SlotTable table(block, count);
    const int peak = std::min(table.peak(), 2 * p);
    squeezeWithWeights(table);
    writeWarmup(table, p, count, peak);
    if (!table.sound())
        return std::nullopt;
    squeezeWithWeights(table);
    if (finish.cut) {
        table = table.first(microbatches);
        squeezeWithWeights(table);
    }
    writeDrain(table, p, microbatches, peak);
    if (!table.sound())
        return std::nullopt;
    table.placeWeights();
    table.squeeze();
    table.reorder(SlotTable::Keep::Nothing, peak);
    table.dropWeights();
    return table;
}

/// Reordered with up to `allowed` chunks of activations held.
std::optional<SlotTable> finished(const BuildingBlock& block, const Finish& finish, int microbatches, int allowed)
{
    if (finish.written)
        return rewritten(block, finish, microbatches);
    SlotTable table(block, finish.cut ? std::max(microbatches, 2 * block.devices) : microbatches);
    table.placeWeights();
    table.reorder(finish.fillSteady ? SlotTable::Keep::Nothing : SlotTable::Keep::Steady, allowed);
    table.squeeze();
    table.dropWeights();
    table.reorder(SlotTable::Keep::WarmupAndSteady, allowed);
    if (finish.cut)
        table = table.first(microbatches);
    if (finish.fillAll) {
        table.squeeze();
        table.reorder(SlotTable::Keep::Nothing, allowed);
    }
    return table;
}

using Orders = std::vector<std::vector<Task>>;

struct Candidate {
    std::size_t block = 0;
    std::size_t finish = 0;
    Nanoseconds makespan = 0;
    Nanoseconds span = 0; ///< of the device that takes longest
    Orders orders{};

    bool operator<(const Candidate& other) const
    {
        return std::tie(makespan, span) < std::tie(other.makespan, other.span);
    }
};

class Search {
public:
    Search(const RecipeRequest& request, double limit)
        : m_request(request)
        , m_limit(limit)
        , m_homes(zigzagHomes(request.devices, 2))
        , m_costs(request.costs != nullptr ? *request.costs : equalCosts(2 * request.devices))
        , m_deltas(request.deltas != nullptr ? *request.deltas : parseMemory("", true))
        , m_blocks(allBlocks(request.devices))
    {
        const auto forward = m_deltas.of[static_cast<std::size_t>(Work::Forward)].atStart;
        const double chunks = 2 * limit * static_cast<double>(ActivationDeltas::one) / static_cast<double>(forward);
        m_allowed = static_cast<int>(std::clamp(chunks + 1e-6, 0.0, 1e6));
        for (const BuildingBlock& block : m_blocks)
            m_peaks.push_back(std::max(
                leastPeak(block), leastPeak(block) > m_allowed ? 0 : SlotTable(block, 2 * request.devices).peak()));
    }

    /// The best order; none where nothing keeps the limit.
    std::optional<Orders> run()
    {
        // Blocks are compared on as many microbatches as warm-up and drain reach; then the best of them in every
        // way to finish; then the best of those on all microbatches.
        const int few = std::min(m_request.microbatches, 2 * m_request.devices);
        std::vector<Candidate> best = roughly(few);
        std::vector<Candidate> finer;
        if (m_request.devices > mediumSize && best.size() > kept / 3)
            best.resize(kept / 3);
        for (const Candidate& candidate : best)
            for (std::size_t finish = 0; finish < finishes.size(); ++finish)
                if (few < 2 * m_request.devices || !finishes[finish].cut)
                    offer(finer, candidate.block, finish, few);
        best = std::move(finer);
        if (few < m_request.microbatches) {
            std::vector<Candidate> whole;
            best.resize(std::min<std::size_t>(best.size(), 4));
            for (const Candidate& candidate : best)
                offer(whole, candidate.block, candidate.finish, m_request.microbatches);
            best = std::move(whole);
        }
        if (m_limit >= m_request.devices)
            keep(best, {}, zeroBubbleGreedy(m_request, m_limit), m_request.microbatches);
        if (best.empty())
            return std::nullopt;
        return std::move(best.front().orders);
    }

    /// The least peak that any order was seen with.
    double smallestPeak() const { return m_smallestPeak; }

private:
    static constexpr std::size_t kept = 12;
    static constexpr int mediumSize = 16; ///< devices up to which a second is enough for more

    /// Less memory than the limit is rarely faster: on many devices only blocks within one chunk of the most that
    /// it allows, on very many only those that hold the most.
    std::vector<Candidate> roughly(int few)
    {
        const int spread = m_request.devices <= 8 ? m_allowed : m_request.devices <= mediumSize ? 1 : 0;
        int most = 0;
        for (const int peak : m_peaks)
            most = peak <= m_allowed ? std::max(most, peak) : most;
        std::vector<Candidate> best;
        for (std::size_t block = 0; block < m_blocks.size(); ++block)
            if (m_peaks[block] <= m_allowed && m_peaks[block] + spread >= most) {
                for (const std::size_t finish : {0, 1, 2, 3})
                    if (few < 2 * m_request.devices || !finishes[finish].cut)
                        offer(best, block, finish, few);
            }
        return best;
    }

    void offer(std::vector<Candidate>& best, std::size_t block, std::size_t finish, int microbatches)
    {
        if (const std::optional<SlotTable> table = finished(m_blocks[block], finishes[finish], microbatches, m_allowed))
            keep(best, {.block = block, .finish = finish}, table->orders(), microbatches);
    }

    /// Measures the candidate; keeps it if it holds the limit and is among the best.
    void keep(std::vector<Candidate>& best, Candidate candidate, Orders orders, int microbatches)
    {
        RecipeRequest request = m_request;
        request.microbatches = microbatches;
        const Schedule schedule = synchronousStep(request, m_homes, orders);
        const Timing timing = simulate(schedule, m_costs);
        double peak = 0;
        for (const ActivationCurve& curve : activationCurves(schedule, timing, m_deltas, false))
            peak = std::max(peak, curve.peakActivations());
        m_smallestPeak = std::min(m_smallestPeak, peak);
        if (peak > m_limit + 1e-6)
            return;
        candidate.makespan = timing.makespan();
        for (std::size_t device = 0; device < orders.size(); ++device) {
            const TaskId first = schedule.lanes[schedule.computeLane(Device(device))].begin;
            const TaskId last(first + static_cast<std::uint32_t>(orders[device].size()) - 1U);
            candidate.span = std::max(candidate.span, timing.end[last] - timing.start[first]);
        }
        candidate.orders = std::move(orders);
        best.insert(std::upper_bound(best.begin(), best.end(), candidate), std::move(candidate));
        if (best.size() > kept)
            best.pop_back();
    }

    const RecipeRequest& m_request;
    double m_limit;
    std::vector<Device> m_homes;
    Costs m_costs;
    ActivationDeltas m_deltas;
    std::vector<BuildingBlock> m_blocks;
    std::vector<int> m_peaks; ///< chunks held by each block, repeated
    int m_allowed = 0;        ///< the limit in chunks
    double m_smallestPeak = 1e9;
};

double limitOf(const RecipeRequest& request)
{
    const double limit = request.decimal("limit");
    return limit > 0 ? limit : request.devices;
}

/// The limit from which on a block is sure to be found: V-Min's, released at W.
int sureLimit(int p)
{
    return (p + 4) / 3;
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const double limit = limitOf(request);
    if (limit >= sureLimit(request.devices))
        return {};
    Search search(request, limit);
    if (search.run())
        return {};
    Search wider(request, sureLimit(request.devices));
    wider.run();
    return {fmt::format("limit={:g} activations are fewer than any order on a V over {} devices keeps to; {:g} is the "
                        "smallest that was found.",
                        limit, request.devices, wider.smallestPeak())};
}

Schedule generate(const RecipeRequest& request)
{
    Search search(request, limitOf(request));
    const auto orders = search.run();
    if (!orders)
        throw Error("v-auto: no order on a V was found that keeps to {:g} activations; {:g} is the least that was "
                    "met.",
                    limitOf(request), search.smallestPeak());
    return synchronousStep(request, zigzagHomes(request.devices, 2), *orders);
}

} // namespace

const RecipeInfo vAuto{
    .id = "v-auto",
    .title = "V-auto",
    .paper = "Qi et al. 2024, Pipeline Parallelism with Controllable Memory, arXiv 2405.15362",
    .idea = "Search the building blocks on a V for the one that is fastest under a memory limit.",
    .page = R"(Device r holds stages r and 2p-1-r. A building block is given by where the passes of device 0 stand
modulo 6 and by how many slots a hop towards the last device takes, at most two such numbers with one
change between them; hops back take one slot. Every block in which the passes of a device don't meet is
repeated and W fill what is free; warm-up and drain are reordered with up to `limit` activations held. The orders are simulated with the costs given, and the shortest makespan wins, the
shorter span of a device among equals. From p activations on, zb-v's greedy takes part.

The limit counts what the memory option says (without it, released at W). Small limits trade bubble for
memory: with F=I=W by the closed form below. The least that a block keeps to is V-Min's (p+4) div 3.

Two ways to finish a block compete: v-half's reordering, and the paper's code's, which writes warm-up and
drain anew. Made for at least 2p microbatches, an order is also tried cut to fewer. The search is ours in what
it compares, the blocks are the paper's.

On more than eight devices only blocks that use nearly all of the limit are tried, on more than sixteen those that
use all that any block uses, and fewer of them in every way to finish.)",
    .formulas = "F=I=W: bubble inside a device's span 3p-1-3P+max(3p, p-1+2(1+(P+1) div 2)) chunk times with P chunks "
                "at the peak, from the paper's code",
    .parameters = {{"limit",
                    "most activations of a device; 0: as many as devices",
                    "0",
                    {},
                    0,
                    1'000'000,
                    RecipeParameter::Kind::Number}},
    .defaultChunks = 2,
    .minimumChunks = 2,
    .maximumChunks = 2,
    .splitsBackward = true,
    .constraints = "exactly 2 chunks per device; any m of 1 or more; a limit that some block keeps to, (p+4) div 3 or "
                   "more when released at W",
    .problems = problems,
    .generate = generate,
};

} // namespace bubblescope::catalog
