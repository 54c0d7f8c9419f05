// Hanayo: the model folded into waves over the devices, without Chimera's second copy of the weights.
//
//     device 0   stage 0         7 8        15      p=4, two waves: S = 2·2·4 stages in a zigzag
//     device 1     1           6     9    14
//     device 2       2       5        10 13
//     device 3         3   4           11 12
//
// Liu et al. 2023, arXiv 2308.15762. The paper's action lists were not to be had: the order is derived by us,
// a list schedule in the order of time.

#include "core/schedule/building_block.h"
#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/v_shape.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <tuple>

namespace bubblescope::catalog {
namespace {

int wavesOf(const RecipeRequest& request)
{
    const int waves = request.number("waves");
    return waves > 0 ? waves : request.chunks / 2;
}

/// Every device that is free runs the ready backward of the lowest microbatch, then deepest stage; if there is
/// none, the ready forward of the lowest microbatch, then deepest stage.
class ListSchedule {
public:
    ListSchedule(const Costs& costs, std::vector<Device> homes, int devices, int microbatches)
        : m_costs(costs)
        , m_homes(std::move(homes))
        , m_lanes(static_cast<std::size_t>(devices))
        , m_microbatches(microbatches)
    {
    }

    std::vector<std::vector<Task>> run()
    {
        for (int i = 0; i < m_microbatches; ++i)
            m_events.push({0, Event::Ready, m_homes[0], task(Work::Forward, 0, i)});
        std::vector<Device> woken;
        while (!m_events.empty()) {
            const Nanoseconds now = m_events.top().time;
            woken.clear();
            for (; !m_events.empty() && m_events.top().time == now; m_events.pop()) {
                const Event& event = m_events.top();
                Lane& lane = m_lanes[event.device];
                if (event.kind == Event::Ready)
                    (event.task.work == Work::Forward ? lane.forwards : lane.backwards).push(event.task);
                else
                    lane.busy = false;
                woken.push_back(event.device);
            }
            std::sort(woken.begin(), woken.end());
            woken.erase(std::unique(woken.begin(), woken.end()), woken.end());
            for (const Device device : woken)
                dispatch(device, now);
        }
        std::vector<std::vector<Task>> orders;
        for (Lane& lane : m_lanes)
            orders.push_back(std::move(lane.order));
        return orders;
    }

private:
    struct Event {
        enum Kind { Ready, Free };

        Nanoseconds time;
        Kind kind;
        Device device;
        Task task;

        bool operator>(const Event& other) const { return time > other.time; }
    };

    struct Later {
        bool operator()(const Task& a, const Task& b) const
        {
            return std::tuple(a.microbatch.value, -a.stage) > std::tuple(b.microbatch.value, -b.stage);
        }
    };

    using ReadyTasks = std::priority_queue<Task, std::vector<Task>, Later>;

    struct Lane {
        bool busy = false;
        ReadyTasks forwards;
        ReadyTasks backwards;
        std::vector<Task> order;
    };

    void dispatch(Device device, Nanoseconds now)
    {
        Lane& lane = m_lanes[device];
        ReadyTasks& ready = lane.backwards.empty() ? lane.forwards : lane.backwards;
        if (lane.busy || ready.empty())
            return;
        const Task chosen = ready.top();
        ready.pop();
        lane.busy = true;
        lane.order.push_back(chosen);
        const Nanoseconds end = now + m_costs.duration(chosen.work, chosen.stage);
        m_events.push({end, Event::Free, device, chosen});
        const bool forward = chosen.work == Work::Forward;
        const int last = static_cast<int>(m_homes.size()) - 1;
        if (!forward && chosen.stage == 0)
            return;
        const bool turns = forward && chosen.stage == last;
        const int next = turns ? last : chosen.stage + (forward ? 1 : -1);
        const Device there = m_homes[static_cast<std::size_t>(next)];
        const Nanoseconds hop = there == device ? 0 : m_costs.hop(device, there).latency;
        m_events.push({end + hop, Event::Ready, there,
                       task(forward && !turns ? Work::Forward : Work::Backward, next, chosen.microbatch)});
    }

    const Costs& m_costs;
    std::vector<Device> m_homes;
    std::vector<Lane> m_lanes;
    int m_microbatches;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
};

Costs unitCosts(int stages)
{
    Costs costs(stages);
    costs.set(Work::Forward, unit);
    costs.set(Work::Backward, 2 * unit);
    return costs;
}

Shape shape(const RecipeRequest& request)
{
    Shape sizes;
    sizes.devices = request.devices;
    sizes.chunks = std::max(1, 2 * wavesOf(request));
    sizes.stages = sizes.devices * sizes.chunks;
    sizes.microbatches = {request.microbatches};
    return sizes;
}

Schedule generate(const RecipeRequest& request)
{
    RecipeRequest waves = request;
    waves.chunks = 2 * wavesOf(request);
    const std::vector<Device> homes = zigzagHomes(waves.devices, waves.chunks);
    const Costs plain = unitCosts(static_cast<int>(homes.size()));
    ListSchedule list(request.costs != nullptr ? *request.costs : plain, homes, waves.devices, waves.microbatches);
    return synchronousStep(waves, homes, list.run());
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const int waves = request.number("waves");
    std::vector<std::string> sentences;
    if (waves == 0 && request.chunks % 2 != 0)
        sentences.push_back(
            fmt::format("A wave runs down the devices and up again, so chunks come in twos: {} chunks is "
                        "odd. {} or {} would do.",
                        request.chunks, std::max(2, request.chunks - 1), request.chunks + 1));
    if (waves > 0 && request.chunks != 2 && request.chunks != 2 * waves)
        sentences.push_back(fmt::format("{} waves are {} chunks per device, not {}. Leave chunks out, or say {}.",
                                        waves, 2 * waves, request.chunks, 2 * waves));
    if (const std::int64_t stages = std::int64_t{2} * std::max(waves, 1) * request.devices; stages > 65535)
        sentences.push_back(fmt::format("{} waves over {} devices are {} stages; {} waves are the most.", waves,
                                        request.devices, stages, 65535 / 2 / request.devices));
    return sentences;
}

} // namespace

const RecipeInfo hanayo{
    .id = "hanayo",
    .title = "Hanayo",
    .paper = "Liu et al. 2023, Hanayo: Harnessing Wave-like Pipeline Parallelism for Enhanced Large Model Training "
             "Efficiency, arXiv 2308.15762",
    .idea = "Fold the model into W waves over the devices: Chimera's short bubbles without its second copy of weights.",
    .page = R"(The 2Wp stages lie in a zigzag: down the devices, up again, W times. With one wave that is the V of
zb-v; each wave more halves the time that a microbatch needs to cross the devices once, and doubles the
messages. A device backs soon after its forward, because a wave ends where it began.

The paper's action lists were not to be had, so the order here is derived by us: in the order of time,
every free device runs the ready backward of the lowest microbatch (of the deepest stage among equals), and
if there is none the ready forward of the lowest microbatch. It follows the stages' costs and the latency.
Nothing holds forwards back, so memory grows with m: for m well above p take 1f1b-v or interleaved-1f1b.

`waves=W` is the number of waves; without it chunks per device give it, two for each wave.)",
    .formulas =
        "bubble rate (2p-2)/(3pW+p-1) for m=p and B=2F from a secondary source, unverified: this order stays below",
    .parameters = {{"waves", "times down the devices and up again; 0: half of the chunks", "0", {}, 0, 32}},
    .defaultChunks = 2,
    .minimumChunks = 2,
    .maximumChunks = 64,
    .constraints = "two chunks per wave and device; any m of 1 or more",
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .shape = shape,
    .generate = generate,
};

} // namespace bubblescope::catalog
