// Vocabulary parallelism: the embedding and the head lie in shards on all devices, not on the first and
// the last one.
//
//     compute lane r:  e0 F0 … v0 F1 B0 t0 v1 F2 …         e d  embedding shard there and back
//                       │     ▲   ▲     │                  v t  the head's passes S and T
//     collectives:      x ─►F b  c(i)   g                  x b c y g  what ties the shards together
//
//     F(last, i) ─b─► v(i) on all ─c─► t(i) on all ─y─► B(last, i)     vocab-1: two barriers, c and y
//     F(last, i) ─b─► v(i) on all ─c─► B(last, i), t(i) on all         vocab-2: one, c brings dx as well
//     e(i) on all ─x─► F(0, i)        B(0, i) ─g─► d(i) on all
//
// Each barrier delays the first backward by one microbatch. A backward can't follow its forward at
// once, so that is what it costs: one more set of activations for each barrier, and no time.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/v_shape.h"
#include "core/schedule/catalog/vocabulary_orders.h"

#include <algorithm>
#include <initializer_list>

namespace bubblescope::catalog {
namespace {

/// Writes the devices' orders and the groups between them. Every kind of group has a lane of its own on each device, in
/// the order of the microbatches: no device can begin them in another order than the others.
class VocabularySchedule {
public:
    VocabularySchedule(const Shape& shape, int barriers)
        : m_builder(shape), m_shape(shape), m_barriers(barriers), m_microbatches(shape.microbatches.front())
    {
        for (Passes* passes : {&m_embed, &m_embedBackward, &m_s, &m_t})
            passes->resize(static_cast<std::size_t>(shape.devices * m_microbatches));
        for (Passes* passes : {&m_firstForward, &m_firstBackward, &m_lastForward, &m_lastBackward})
            passes->resize(static_cast<std::size_t>(m_microbatches));
    }

    void write(const std::vector<Order>& orders)
    {
        for (std::size_t device = 0; device < orders.size(); ++device)
            write(static_cast<int>(device), orders[device]);
    }

    void write(int device, const Order& order)
    {
        for (const Pass& pass : order) {
            const bool shard = !onGrid(pass.work);
            const auto ref = m_builder.compute(Device(device), {.work = pass.work,
                                                                .stage = Stage(pass.stage),
                                                                .part = Part(shard ? device : 0),
                                                                .microbatch = Microbatch(pass.microbatch)});
            if (shard)
                passes(pass.work)[index(device, pass.microbatch)] = ref;
            if (onGrid(pass.work) && pass.work != Work::WeightGradient)
                noteEnd(pass, device, ref);
        }
    }

    Schedule finish()
    {
        const int last = m_shape.stages - 1;
        const auto all = [](const Passes& of, Payload payload) { return Side{&of, everywhere, payload}; };
        const Side dx{&m_lastBackward, m_lastHome, Payload::Gradient};
        tie(0, Work::AllReduce, 0, all(m_embed, Payload::Activation),
            {{&m_firstForward, m_firstHome, Payload::Activation}});
        tie(1, Work::Broadcast, last, {&m_lastForward, m_lastHome, Payload::Activation},
            {all(m_s, Payload::Activation)});
        if (m_barriers == 2) {
            tie(2, Work::Gather, last, all(m_s, Payload::Activation), {all(m_t, Payload::Activation)});
            tie(3, Work::AllReduce, last, all(m_t, Payload::Gradient), {dx});
        } else {
            tie(2, Work::AllReduce, last, all(m_s, Payload::Activation), {all(m_t, Payload::Activation), dx});
        }
        tie(4, Work::Broadcast, 0, {&m_firstBackward, m_firstHome, Payload::Gradient},
            {all(m_embedBackward, Payload::Gradient)});
        m_builder.endSynchronousStep();
        return m_builder.finish();
    }

    ScheduleBuilder& builder() { return m_builder; }

private:
    using Passes = std::vector<ScheduleBuilder::Ref>; ///< by microbatch; those of shards by device and microbatch
    static constexpr int everywhere = -1;

    /// Tasks on one side of a kind of groups: one for each member, or one for that of a device.
    struct Side {
        const Passes* of;
        int device;
        Payload payload;
    };

    std::size_t index(int device, int microbatch) const
    {
        return static_cast<std::size_t>(device * m_microbatches + microbatch);
    }

    Passes& passes(Work work)
    {
        return work == Work::EmbeddingForward    ? m_embed
               : work == Work::EmbeddingBackward ? m_embedBackward
               : work == Work::VocabularyS       ? m_s
                                                 : m_t;
    }

    void noteEnd(const Pass& pass, int device, ScheduleBuilder::Ref ref)
    {
        const auto microbatch = static_cast<std::size_t>(pass.microbatch);
        const bool forward = pass.work == Work::Forward;
        if (pass.stage == 0) {
            (forward ? m_firstForward : m_firstBackward)[microbatch] = ref;
            m_firstHome = device;
        }
        if (pass.stage == m_shape.stages - 1) {
            (forward ? m_lastForward : m_lastBackward)[microbatch] = ref;
            m_lastHome = device;
        }
    }

    /// A group for each microbatch, with a member on every device: after `needs`, ahead of `feeds`.
    void tie(int communicator, Work work, int stage, const Side& needs, std::initializer_list<Side> feeds)
    {
        std::vector<std::uint32_t> lanes;
        for (int device = 0; device < m_shape.devices; ++device)
            lanes.push_back(m_builder.lane(Device(device), LaneKind::Collective, communicator));
        std::vector<ScheduleBuilder::Ref> members(lanes.size());
        for (int i = 0; i < m_microbatches; ++i) {
            for (int device = 0; device < m_shape.devices; ++device) {
                const auto member = m_builder.add(
                    lanes[static_cast<std::size_t>(device)],
                    {.work = work, .stage = Stage(stage), .part = Part(device), .microbatch = Microbatch(i)});
                members[static_cast<std::size_t>(device)] = member;
                if (const auto* from = find(needs, device, i))
                    m_builder.edge(*from, member, needs.payload);
                for (const Side& side : feeds)
                    if (const auto* to = find(side, device, i))
                        m_builder.edge(member, *to, side.payload);
            }
            m_builder.group(members);
        }
    }

    const ScheduleBuilder::Ref* find(const Side& side, int device, int microbatch) const
    {
        if (side.device == everywhere)
            return &(*side.of)[index(device, microbatch)];
        return side.device == device ? &(*side.of)[static_cast<std::size_t>(microbatch)] : nullptr;
    }

    ScheduleBuilder m_builder;
    const Shape m_shape;
    const int m_barriers;
    const int m_microbatches;
    int m_firstHome = 0; ///< devices of the first and the last stage
    int m_lastHome = 0;
    Passes m_embed, m_embedBackward, m_s, m_t;
    Passes m_firstForward, m_firstBackward, m_lastForward, m_lastBackward;
};

bool onHalf(const RecipeRequest& request)
{
    return request.parameter("base") == "v-half";
}

/// V-Half always has two chunks: they are what `--chunks` defaults to there.
Shape shape(const RecipeRequest& request)
{
    return onHalf(request) ? vHalfShape(request.devices, request.microbatches) : singlePipe(request);
}

/// The paper's code takes both times from its profiler, and needs a backward that isn't the shorter one.
PassTimes timesOf(const RecipeRequest& request)
{
    if (request.costs == nullptr)
        return {};
    const PassTimes times{meanCost(*request.costs, Work::Forward), meanCost(*request.costs, Work::Backward)};
    if (times.forward == 0)
        return {};
    return {times.forward, std::max(times.forward, times.backward)};
}

Schedule generate(const RecipeRequest& request, int barriers)
{
    if (onHalf(request)) {
        VocabularySchedule schedule(vHalfShape(request.devices, request.microbatches), barriers);
        schedule.write(vHalfVocabularyOrders(request.devices, request.microbatches, barriers));
        place(schedule.builder(), zigzagHomes(request.devices, 2));
        return schedule.finish();
    }
    VocabularySchedule schedule(singlePipe(request), barriers);
    schedule.write(alternatingVocabularyOrders(request.devices, request.microbatches, barriers, timesOf(request)));
    schedule.builder().placeLooped();
    return schedule.finish();
}

Schedule generateTwoBarriers(const RecipeRequest& request)
{
    return generate(request, 2);
}

Schedule generateOneBarrier(const RecipeRequest& request)
{
    return generate(request, 1);
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    std::vector<std::string> sentences;
    if (request.devices < 2)
        sentences.push_back(fmt::format("{} device leaves nobody to share the vocabulary with; 2 or more devices do.",
                                        request.devices));
    if (request.chunks != 1 && !onHalf(request))
        sentences.push_back(fmt::format("1F1B has 1 chunk on a device, not {}; base=v-half has 2.", request.chunks));
    return sentences;
}

/// Exact wherever the order of the paper's code keeps the devices busy; no published form covers the rest.
std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs, int barriers)
{
    const Nanoseconds forward = meanCost(costs, Work::Forward);
    const Nanoseconds backward = meanCost(costs, Work::Backward);
    if (onHalf(request) || !uniformAndFree(costs) || request.microbatches < request.devices || forward == 0 ||
        backward < forward)
        return std::nullopt;
    for (const Work work :
         {Work::EmbeddingForward, Work::EmbeddingBackward, Work::AllReduce, Work::Gather, Work::Broadcast})
        if (meanCost(costs, work) != 0)
            return std::nullopt;
    if (barriers == 2 && backward % forward != 0 && request.devices - 2 > backward / forward)
        return std::nullopt; // up to one F more (see the page)
    return Theory{(request.devices - 1) * (forward + backward), "makespan",
                  double(std::min(request.microbatches, request.devices + barriers)),
                  "Yeung et al. 2024, table of section 5: the bubble of 1F1B, whatever S and T cost"};
}

std::optional<Theory> theoryTwoBarriers(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, 2);
}

std::optional<Theory> theoryOneBarrier(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, 1);
}

const RecipeParameter base{.name = "base",
                           .help = "1f1b: the paper's schedule; v-half: V-Half with two chunks per device, "
                                   "half the activations (our derivation)",
                           .defaultValue = "1f1b",
                           .choices = {"1f1b", "v-half"}};

constexpr std::string_view paper = "Yeung et al. 2024, Balancing Pipeline Parallelism with Vocabulary Parallelism, "
                                   "arXiv 2411.05288; order as in sail-sg/VocabularyParallelism";

constexpr std::string_view constraints = "2 or more devices, 1 chunk each (2 on v-half); any m of 1 or more, but below "
                                         "p microbatches the order idles more than 1F1B's; "
                                         "the order is made for a B that is no shorter than F";

} // namespace

const RecipeInfo vocabularyTwoBarriers{
    .id = "vocab-1",
    .title = "Vocabulary parallelism, Algorithm 1",
    .paper = paper,
    .idea = "1F1B with embedding and head in shards on all devices; two barriers between the head's passes.",
    .page = R"(The head of a large vocabulary costs as much as several blocks, and with it the last device is late in
every round; the embedding fills the first one's memory. Here each device holds 1/p of both:

    IF (e)  its rows of the embedding; the sum x over the devices goes into the first stage
    S  (v)  logits of its shard, after a broadcast b of the last stage's output
    T  (t)  gradient of its shard
    IB (d)  gradient of its rows of the embedding, after a broadcast g of the first stage's

Between S and T lies the barrier c: largest logit and sum of exponentials of each token have to be
merged over the devices before anybody knows the softmax. T then gives the gradient of the weights and
a part of the gradient of the input, which the barrier y sums for the last stage's B. Each barrier puts
one microbatch more between F and B: p+2-s live on stage s. The time is that of 1F1B, since B couldn't
follow its own F at once anyway, and S and T fill the same moments on all devices.

Names: Algorithm 1 is the one with two barriers. The paper's code draws it as schedule-vocab-2, counting
barriers, and its table calls it Vocab-1, as here. vocab-2 has one barrier and needs one microbatch less.

The order is that of the paper's code, which takes F and B from its profiler: the ratio decides which
devices run B, S, F and which B, F, S. S of a microbatch and T of the one before are one pass there; here
T and S stand one after the other. With B a multiple of F, or few devices, the bubble is 1F1B's
exactly; else one gap of less than F is added, once in a step.

Ours and not the paper's: the passes of microbatches that don't exist, which the code runs ahead when m is
below p+2, are left out; the statistics are gathered and merged in the order of the devices, where the
paper reduces twice; groups of a kind have a communicator (a collective lane) of their own.

base=v-half does the same to V-Half, whose last stage stands on device 0. The paper says that its way serves any
building block and shows V-Half, but its order isn't public: this one is our derivation. Each barrier moves
the backwards of the block by one period, so it costs one microbatch as on 1F1B: (p+2) div 2 + 2
activations here, + 1 for vocab-2. From m=4p on the step takes no longer than V-Half's.

Use it when the vocabulary is large against the width: head and embedding cost V/(12h) of a block each.)",
    .formulas =
        "idle per device (p-1)(F+B) for m of p or more, whatever S and T cost, where B is a multiple of F or p is "
        "at most B/F+2; peak min(p+2-s, m) activations on stage s",
    .parameters = {base},
    .maximumChunks = 2,
    .constraints = constraints,
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .shape = shape,
    .generate = generateTwoBarriers,
    .theory = theoryTwoBarriers,
};

const RecipeInfo vocabularyOneBarrier{
    .id = "vocab-2",
    .title = "Vocabulary parallelism, Algorithm 2",
    .paper = paper,
    .idea = "1F1B with embedding and head in shards on all devices; one barrier between the head's passes.",
    .page = R"(As vocab-1, with one barrier: S also multiplies the exponentials of its logits by its weights, and picks
the rows of the targets. Once the statistics are known these products only have to be scaled and summed,

    dx = sum over devices of (e^(own largest - largest) / total) (exponentials W) - W[target]

so the barrier that merges the statistics brings the gradient for the last stage's B as well. T is left
with the gradient of the weights, which nobody waits for. One barrier puts one microbatch more between F
and B than 1F1B has: p+1-s live on stage s. The time is that of 1F1B for any costs of F, B, S and T.

It costs two buffers of the size of the stage's output from S until the barrier.

Names: this is Algorithm 2, the default of the paper's code and Vocab-2 in its table; the pictures call it
schedule-vocab-1 because it has one barrier.

Order, base=v-half and what is ours: see vocab-1. Without a second barrier the last T stands at the end of the step.)",
    .formulas =
        "idle per device (p-1)(F+B) for m of p or more, whatever S and T cost; peak min(p+1-s, m) activations on "
        "stage s",
    .parameters = {base},
    .maximumChunks = 2,
    .constraints = constraints,
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .shape = shape,
    .generate = generateOneBarrier,
    .theory = theoryOneBarrier,
};

} // namespace bubblescope::catalog
