// ZB-V: zero bubble on a V, at the memory of 1F1B.
//
//     device 0   F F F F F F F f I W f I W f I W f I W F i w …     F, i, w: stage 0    f, I, W: stage 2p−1
//     device 3         F f F f F f F f I W F i w f I W …           device 0 backs without waiting for others
//
// Two published orders. `sail` is the greedy of the paper's code (Qi et al. 2023, section 6): it knows the
// costs and a memory limit, and puts W where a device would wait. `pytorch` is the handwritten order of
// ScheduleZBVZeroBubble. With F=I=W both have no bubble inside a device's span.

#include "core/base/error.h"
#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/v_shape.h"
#include "core/simulate/memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>

namespace bubblescope::catalog {
namespace {

// ---- the handwritten order ----------------------------------------------------------------------------------

/// Writes the order of one device for n ≥ 2p−1 microbatches and leaves out those from m on.
class HandwrittenLane {
public:
    HandwrittenLane(int device, int p, int m) : m_stages{device, 2 * p - 1 - device}, m_kept(m) {}

    void forward(int chunk) { add(Work::Forward, chunk, m_forwards[chunk]++); }

    void input(int chunk) { add(Work::InputGradient, chunk, m_inputs[chunk]++); }

    void weight(int chunk) { add(Work::WeightGradient, chunk, m_weights[chunk]++); }

    void backward(int chunk)
    {
        input(chunk);
        weight(chunk);
    }

    int forwards(int chunk) const { return m_forwards[chunk]; }

    void finishWeights(int chunk)
    {
        while (m_weights[chunk] < m_inputs[chunk])
            weight(chunk);
    }

    std::vector<Task> take() { return std::move(m_order); }

private:
    void add(Work work, int chunk, int microbatch)
    {
        if (microbatch < m_kept)
            m_order.push_back(task(work, m_stages[chunk], microbatch));
    }

    int m_stages[2];
    int m_kept;
    int m_forwards[2] = {};
    int m_inputs[2] = {};
    int m_weights[2] = {};
    std::vector<Task> m_order;
};

std::vector<Task> handwrittenLane(int r, int p, int m)
{
    const int n = std::max(2 * p - 1, m);
    HandwrittenLane lane(r, p, m);
    for (int k = 0; k < 2 * (p - r) - 1; ++k)
        lane.forward(0);
    for (int k = 0; k < r; ++k) {
        lane.forward(1);
        lane.forward(0);
    }
    for (int k = 0; k < p - r; ++k) {
        lane.forward(1);
        lane.backward(1);
    }
    while (lane.forwards(1) < lane.forwards(0) || lane.forwards(0) < n) {
        if (lane.forwards(0) < n)
            lane.forward(0);
        lane.backward(0);
        lane.forward(1);
        lane.backward(1);
    }
    for (int k = 0; k < r; ++k) {
        lane.input(0);
        lane.input(1);
    }
    for (int k = 0; k < p - r; ++k)
        lane.backward(0);
    lane.finishWeights(1);
    lane.finishWeights(0);
    return lane.take();
}

// ---- the greedy -----------------------------------------------------------------------------------------------

/// What a device does with a microbatch, in this order; W follow their I.
enum Pass { ForwardDown, ForwardUp, InputDown, InputUp, WeightDown, WeightUp };

/// Costs by pass and device, the hops that lead to a device, and the memory that a device may hold.
struct GreedyCosts {
    GreedyCosts(const RecipeRequest& request, double limit) : duration(6)
    {
        const int p = request.devices;
        const Costs unitCosts = unit(2 * p);
        const Costs& costs = request.costs != nullptr ? *request.costs : unitCosts;
        const Work works[] = {Work::Forward, Work::InputGradient, Work::WeightGradient};
        for (int r = 0; r < p; ++r)
            for (int pass = 0; pass < 6; ++pass) {
                const bool downStage = pass == ForwardDown || pass == InputUp || pass == WeightUp;
                duration[static_cast<std::size_t>(pass)].push_back(
                    costs.duration(works[pass / 2], Stage(downStage ? r : 2 * p - 1 - r)));
            }
        for (int r = 0; r < p; ++r) {
            down.push_back(r > 0 ? costs.hop(Device(r - 1), Device(r)).latency : 0);
            up.push_back(r + 1 < p ? costs.hop(Device(r + 1), Device(r)).latency : 0);
        }
        if (request.deltas != nullptr)
            for (int kind = 0; kind < 3; ++kind) {
                const auto& delta = request.deltas->of[static_cast<std::size_t>(works[kind])];
                memory[static_cast<std::size_t>(kind)] = delta.atStart + delta.atEnd;
            }
        most = static_cast<std::int64_t>(std::llround(2 * limit * static_cast<double>(memory[0])));
    }

    static Costs unit(int stages)
    {
        Costs costs(stages);
        for (const Work work : {Work::Forward, Work::InputGradient, Work::WeightGradient})
            costs.set(work, bubblescope::unit);
        return costs;
    }

    std::vector<std::vector<Nanoseconds>> duration;
    std::vector<Nanoseconds> down;
    std::vector<Nanoseconds> up;
    std::array<std::int64_t, 3> memory{ActivationDeltas::one, 0, -ActivationDeltas::one};
    std::int64_t most = 0;
};

/// One of the four ways to be greedy: may a W longer than the wait go before an F, or before the I of
/// stage 2p−1−r, once the device has had less bubble than the worst?
struct Fill {
    bool forward;
    bool input;
};

class Greedy {
public:
    Greedy(const GreedyCosts& costs, int p, int m, Fill fill, std::vector<Nanoseconds> approved)
        : m_costs(&costs)
        , m_p(p)
        , m_m(m)
        , m_fill(fill)
        , m_approved(std::move(approved))
        , m_devices(static_cast<std::size_t>(p))
        , m_ends(4 * static_cast<std::size_t>(p) * static_cast<std::size_t>(m), unset)
    {
        if (!m_approved.empty())
            m_mostApproved = *std::max_element(m_approved.begin(), m_approved.end());
        warmUp();
        for (int round = 0; round < 2 * m; ++round) {
            backwards();
            forwards();
        }
        for (int r = 0; r < p; ++r)
            while (!device(r).pending.empty())
                putWeight(r);
    }

    Nanoseconds worstBubble() const { return m_worst; }

    std::vector<Nanoseconds> bubbles() const
    {
        std::vector<Nanoseconds> values;
        for (const Lane& lane : m_devices)
            values.push_back(lane.bubble);
        return values;
    }

    std::vector<std::vector<Task>> takeOrders()
    {
        std::vector<std::vector<Task>> orders;
        for (Lane& lane : m_devices)
            orders.push_back(std::move(lane.order));
        return orders;
    }

private:
    static constexpr Nanoseconds unset = -1;

    struct Lane {
        Nanoseconds now = 0;
        Nanoseconds bubble = 0;
        std::int64_t memory = 0;
        std::array<int, 6> count{};
        std::deque<Pass> pending; ///< W, oldest first
        std::vector<Task> order;
    };

    Lane& device(int r) { return m_devices[static_cast<std::size_t>(r)]; }

    int count(int r, Pass pass) { return device(r).count[pass]; }

    Nanoseconds& end(Pass pass, int r, int microbatch)
    {
        return m_ends[(static_cast<std::size_t>(pass) * static_cast<std::size_t>(m_p) + static_cast<std::size_t>(r)) *
                          static_cast<std::size_t>(m_m) +
                      static_cast<std::size_t>(microbatch)];
    }

    Nanoseconds duration(Pass pass, int r) const { return m_costs->duration[pass][static_cast<std::size_t>(r)]; }

    static bool goesDown(Pass pass) { return pass == ForwardDown || pass == InputDown; }

    /// When the next `pass` of device r could start for what comes from its neighbour; unset where nothing does.
    Nanoseconds arrival(Pass pass, int r)
    {
        const int from = goesDown(pass) ? r - 1 : r + 1;
        if (from < 0 || from == m_p)
            return unset;
        const Nanoseconds sent = end(pass, from, count(r, pass));
        const auto& hops = goesDown(pass) ? m_costs->down : m_costs->up;
        return sent == unset ? unset : sent + hops[static_cast<std::size_t>(r)];
    }

    void put(Pass pass, int r)
    {
        Lane& lane = device(r);
        const Nanoseconds arrived = pass < WeightDown ? arrival(pass, r) : unset;
        const Nanoseconds start = std::max(lane.now, arrived);
        if (lane.count[ForwardDown] > 0) {
            lane.bubble += start - lane.now;
            m_worst = std::max(m_worst, lane.bubble);
        }
        lane.now = start + duration(pass, r);
        lane.memory += m_costs->memory[pass / 2];
        const int microbatch = lane.count[pass]++;
        if (pass < WeightDown)
            end(pass, r, microbatch) = lane.now;
        if (pass == InputDown || pass == InputUp)
            lane.pending.push_back(pass == InputDown ? WeightDown : WeightUp);
        static constexpr Work works[] = {Work::Forward, Work::InputGradient, Work::WeightGradient};
        const bool downStage = pass == ForwardDown || pass == InputUp || pass == WeightUp;
        lane.order.push_back(task(works[pass / 2], downStage ? r : 2 * m_p - 1 - r, microbatch));
    }

    void putWeight(int r)
    {
        const Pass pass = device(r).pending.front();
        device(r).pending.pop_front();
        put(pass, r);
    }

    /// Fills the wait before `pass` with W that fit into it; and with one that doesn't, if the device can
    /// afford the delay and `overfill` says so.
    void fillWait(Pass pass, int r, bool overfill)
    {
        Lane& lane = device(r);
        const Nanoseconds arrived = arrival(pass, r);
        if (arrived == unset)
            return;
        while (!lane.pending.empty() && arrived >= lane.now + duration(lane.pending.front(), r))
            putWeight(r);
        const Nanoseconds slack =
            m_approved.empty() ? m_worst : std::max(m_worst, m_mostApproved - m_approved[static_cast<std::size_t>(r)]);
        if (overfill && !lane.pending.empty() && arrived - lane.now > slack - lane.bubble)
            putWeight(r);
    }

    void makeRoom(Pass pass, int r)
    {
        while (device(r).memory + m_costs->memory[pass / 2] > m_costs->most && !device(r).pending.empty())
            putWeight(r);
    }

    void warmUp()
    {
        for (int r = 0; r < m_p; ++r)
            put(ForwardDown, r);
        for (int r = m_p - 1; r >= 0; --r) {
            while (hasRoomForDown(r))
                for (int before = 0; before <= r; ++before)
                    put(ForwardDown, before);
            put(ForwardUp, r);
        }
        bool up = false;
        for (int r = 1; r < m_p; ++r)
            while (lagsBehind(r)) {
                const Pass pass = up ? ForwardUp : ForwardDown;
                for (int behind = m_p - 1; behind >= r; --behind)
                    if (count(behind, pass) < m_m)
                        put(pass, behind);
                up = !up;
            }
    }

    /// May devices 0 to r run one more F before the first f of device r arrives?
    bool hasRoomForDown(int r)
    {
        return r < m_p - 1 && device(r).memory + m_costs->memory[0] * (2 + 2 * r) <= m_costs->most &&
               device(r).now + duration(ForwardDown, r) <= arrival(ForwardUp, r) && count(r, ForwardDown) < m_m;
    }

    /// Has device r run fewer forwards than the one before it?
    bool lagsBehind(int r)
    {
        const int own = count(r, ForwardUp);
        const int before = count(r - 1, ForwardUp);
        return count(r, ForwardDown) + own < count(r - 1, ForwardDown) + before || (own <= before && before < m_m);
    }

    void backwards()
    {
        for (int r = 0; r < m_p; ++r)
            makeRoom(InputDown, r);
        std::vector<int> downs;
        std::vector<int> ups;
        for (int r = 0; r < m_p; ++r) {
            const int done = count(r, InputUp);
            const bool up = done < count(r, InputDown) &&
                            (r == m_p - 1 || end(InputUp, r + 1, done) != unset || count(r, InputDown) >= m_m);
            (up ? ups : downs).push_back(r);
        }
        for (auto r = ups.rbegin(); r != ups.rend(); ++r) {
            fillWait(InputUp, *r, true);
            put(InputUp, *r);
        }
        for (const int r : downs) {
            fillWait(InputDown, r, m_fill.input);
            put(InputDown, r);
        }
    }

    std::optional<Pass> nextForward(int r)
    {
        const int ups = count(r, ForwardUp);
        const int downs = count(r, ForwardDown);
        if (ups >= m_m)
            return std::nullopt;
        if (ups >= downs)
            return ForwardDown;
        if (r == m_p - 1 || end(ForwardUp, r + 1, ups) != unset)
            return ForwardUp;
        if (downs < m_m && (r == 0 || end(ForwardDown, r - 1, downs) != unset))
            return ForwardDown;
        return std::nullopt;
    }

    void forwards()
    {
        for (int r = 0; r < m_p; ++r)
            if (const std::optional<Pass> pass = nextForward(r)) {
                makeRoom(*pass, r);
                fillWait(*pass, r, m_fill.forward);
                put(*pass, r);
            }
    }

    const GreedyCosts* m_costs;
    int m_p;
    int m_m;
    Fill m_fill;
    std::vector<Nanoseconds> m_approved; ///< bubbles of an earlier run: the others have this much slack
    Nanoseconds m_mostApproved = 0;
    std::vector<Lane> m_devices;
    std::vector<Nanoseconds> m_ends;
    Nanoseconds m_worst = 0;
};

/// Runs again with the bubbles found as slack, as long as that helps.
Greedy refined(const GreedyCosts& costs, int p, int m, Fill fill)
{
    Greedy best(costs, p, m, fill, {});
    while (true) {
        Greedy next(costs, p, m, fill, best.bubbles());
        if (next.worstBubble() >= best.worstBubble())
            return best;
        best = std::move(next);
    }
}

} // namespace

std::vector<std::vector<Task>> zeroBubbleGreedy(const RecipeRequest& request, double limit)
{
    const GreedyCosts costs(request, limit);
    std::optional<Greedy> best;
    for (const bool input : {true, false})
        for (const bool forward : {true, false}) {
            Greedy found = refined(costs, request.devices, request.microbatches, {forward, input});
            if (!best || found.worstBubble() < best->worstBubble())
                best = std::move(found);
        }
    return best->takeOrders();
}

namespace {

double limitOf(const RecipeRequest& request)
{
    const double limit = request.decimal("limit");
    return limit > 0 ? limit : request.devices;
}

Schedule generate(const RecipeRequest& request)
{
    const int p = request.devices;
    const std::vector<Device> homes = zigzagHomes(p, 2);
    if (request.parameter("order") == "sail")
        return synchronousStep(request, homes, zeroBubbleGreedy(request, limitOf(request)));
    std::vector<std::vector<Task>> orders;
    for (int r = 0; r < p; ++r)
        orders.push_back(handwrittenLane(r, p, request.microbatches));
    return synchronousStep(request, homes, orders);
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const double limit = request.decimal("limit");
    if (limit == 0 || limit >= request.devices)
        return {};
    return {fmt::format("limit={:g} is less than the {} activations that ZB-V's warm-up holds on {} devices. {} is the "
                        "smallest limit; v-auto, v-half and v-min need less.",
                        limit, request.devices, request.devices, request.devices)};
}

std::vector<std::string> warnings(const RecipeRequest& request)
{
    const int enough = 2 * request.devices - 1;
    if (request.microbatches >= enough)
        return {};
    return {fmt::format("ZB-V reaches its zero bubble from {} microbatches on (2p-1); with {} some idle time stays.",
                        enough, request.microbatches)};
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    const int p = request.devices;
    if (!equalAndFree(costs) || request.microbatches < 2 * p - 1 || request.decimal("limit") > 0)
        return std::nullopt;
    return Theory{0, "span", double(p), "Qi et al. 2023, section 6: no bubble inside a device's span with F=I=W"};
}

} // namespace

const RecipeInfo zeroBubbleV{
    .id = "zb-v",
    .title = "ZB-V",
    .paper = "Qi et al. 2023, Zero Bubble Pipeline Parallelism, arXiv 2401.10241, section 6; "
             "PyTorch ScheduleZBVZeroBubble",
    .idea =
        "Stages on a V: device 0 holds the first and the last, backs at once, and no bubble stays at 1F1B's memory.",
    .page = R"(Device r holds stages r and 2p-1-r. The first microbatch comes back to device 0 as the last
stage's backward, so no device waits for a gradient to cross the pipeline before it can back. Every
device holds p activations, as device 0 of 1F1B does, and half of what ZB-H2 needs for the same bubble.

Two orders have been published and both are here. `order=sail` is the greedy of the paper's code: 2m
rounds of one I and one F per device, W filling waits, memory and the slack towards the worst device;
four ways of filling are tried, each again with the bubbles found as slack. It reads the stages' costs,
the latency and `limit` (in whole-device activations, 0 for p). `order=pytorch` is written by hand for
F=I=W and ignores costs. With p=4, m=8 and F, I, W of 1, 1, 0.5 the worst span has 2.5 of bubble with
sail's order and 3 with PyTorch's.

The limit may be raised, not lowered: the warm-up fills p activations. See v-half, v-min and v-auto for
less. Messages are twice those of 1F1B, and W must wait: use it where T_W is close to T_F and T_I.)",
    .formulas = "no bubble inside a device's span with F=I=W and m of 2p-1 or more (makespan m(F+I+W)+(p-1)F per "
                "chunk's costs, twice m); peak p activations",
    .parameters = {{"order", "sail: greedy over costs and memory; pytorch: by hand", "sail", {"sail", "pytorch"}},
                   {"limit",
                    "most activations of a device (order=sail); 0: as many as devices",
                    "0",
                    {},
                    0,
                    1'000'000,
                    RecipeParameter::Kind::Number}},
    .defaultChunks = 2,
    .minimumChunks = 2,
    .maximumChunks = 2,
    .splitsBackward = true,
    .constraints = "exactly 2 chunks per device; any m of 1 or more, zero bubble from 2p-1 on; limit of p or more",
    .problems = problems,
    .warnings = warnings,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
