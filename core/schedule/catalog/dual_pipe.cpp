// DualPipe: two directions over the same devices, and units of a forward and a backward that overlap.
//
//     device 0   F0 F1 F2 f0 i0 w0 f1 (F3;b1) (f2;B0) b2 (f3;B1) b3 I2 W2 I3 W3      p=4, m=8
//     device 1   F0 f0 F1 f1 F2 b0 (f2;B0) (F3;b1) (f3;B1) b2 B2 i3 I3 w3 W3         F: pipe 0, f: pipe 1
//
// DualPipeV cuts it in half: p devices as a V of 2p stages, the two chunks in place of the two directions.
// DeepSeek-AI 2024, DeepSeek-V3 Technical Report, arXiv 2412.19437; the orders are those of the published code.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/pipes.h"
#include "core/schedule/catalog/v_shape.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace bubblescope::catalog {
namespace {

/// Numbers the tasks of one device; `Sink` has add(work, phase, microbatch) → Ref and join(Ref).
template <class Sink>
class Writer {
public:
    explicit Writer(Sink sink) : m_sink(sink) {}

    void forward(int phase) { m_sink.add(Work::Forward, phase, m_forwards[phase]++); }

    void backward(int phase) { m_sink.add(Work::Backward, phase, m_backwards[phase]++); }

    void input(int phase)
    {
        m_waiting.emplace_back(phase, m_backwards[phase]);
        m_sink.add(Work::InputGradient, phase, m_backwards[phase]++);
    }

    /// The W that has been due for longest, whichever phase it is of.
    void weight()
    {
        const auto [phase, microbatch] = m_waiting.front();
        m_waiting.pop_front();
        m_sink.add(Work::WeightGradient, phase, microbatch);
    }

    void overlapped(int forwardPhase, int backwardPhase)
    {
        const ScheduleBuilder::Ref first = m_sink.add(Work::Forward, forwardPhase, m_forwards[forwardPhase]++);
        m_sink.join(first);
        backward(backwardPhase);
    }

private:
    Sink m_sink;
    int m_forwards[2] = {};
    int m_backwards[2] = {};
    std::deque<std::pair<int, int>> m_waiting; ///< phase and microbatch
};

/// The eight steps that both share. Phases 0 and 1 are the two ways through a device: in DualPipe the two
/// directions, in DualPipeV the two chunks. `distance` is the number of hops from the device to where the
/// phases meet, `near` the number of devices from where phase 0 enters, itself included.
template <class Sink>
class DualPipeLane {
public:
    DualPipeLane(Sink sink, int distance, int near, int pairs)
        : m_writer(sink), m_distance(distance), m_near(near), m_pairs(pairs)
    {
    }

    void write()
    {
        repeat(2 * m_distance, [&](int) { m_writer.forward(0); });
        repeat(m_near, [&](int) {
            m_writer.forward(0);
            m_writer.forward(1);
        });
        repeat(m_distance, [&](int) {
            m_writer.input(1);
            m_writer.weight();
            m_writer.forward(1);
        });
        repeat(m_pairs, [&](int i) {
            if (i == 0 && m_distance == 0) { // nothing has come back yet that could be overlapped
                m_writer.forward(0);
                m_writer.backward(1);
            } else {
                m_writer.overlapped(0, 1);
            }
            m_writer.overlapped(1, 0);
        });
        repeat(m_distance, [&](int) {
            m_writer.backward(1);
            m_writer.overlapped(1, 0);
        });
        drain();
    }

private:
    template <class Step>
    static void repeat(int times, Step step)
    {
        for (int i = 0; i < times; ++i)
            step(i);
    }

    /// The first half of the last backwards is whole, the others are split, so that their W fill the end.
    void drain()
    {
        repeat(2 * m_near, [&](int i) {
            const int phase = 1 - i % 2;
            if (i < m_near)
                m_writer.backward(phase);
            else
                m_writer.input(phase);
        });
        repeat(m_distance, [&](int) {
            m_writer.weight();
            m_writer.input(0);
        });
        repeat(m_near, [&](int) { m_writer.weight(); });
    }

    Writer<Sink> m_writer;
    int m_distance;
    int m_near;
    int m_pairs;
};

struct DirectionSink {
    PipesWriter* pipes;
    int device;
    int devices;

    ScheduleBuilder::Ref add(Work work, int phase, int microbatch) const
    {
        const int pipe = device < devices / 2 ? phase : 1 - phase; // phase 0 is the one that enters nearer
        return pipes->add(work, pipe, pipe == 0 ? device : devices - 1 - device, microbatch);
    }

    void join(ScheduleBuilder::Ref first) const { pipes->join(first); }
};

struct ChunkSink {
    ScheduleBuilder* builder;
    int device;
    int devices;

    ScheduleBuilder::Ref add(Work work, int chunk, int microbatch) const
    {
        return builder->compute(Device(device), task(work, chunk == 0 ? device : 2 * devices - 1 - device, microbatch));
    }

    void join(ScheduleBuilder::Ref first) const { builder->join(first); }
};

Schedule generate(const RecipeRequest& request)
{
    const int p = request.devices;
    std::vector<Device> homes = loopedHomes(p, 1);
    PipesWriter pipes(request, mirrored(homes, p));
    for (int r = 0; r < p; ++r) {
        const int outer = std::min(r, p - 1 - r); // hops from the nearer end
        DualPipeLane(DirectionSink{&pipes, r, p}, p / 2 - 1 - outer, outer + 1,
                     request.microbatches / 2 - p + outer + 1)
            .write();
    }
    return pipes.finish();
}

Schedule generateV(const RecipeRequest& request)
{
    const int p = request.devices;
    ScheduleBuilder builder(singlePipe(request));
    for (int r = 0; r < p; ++r)
        DualPipeLane(ChunkSink{&builder, r, p}, p - 1 - r, r + 1, request.microbatches - 2 * p + r + 1).write();
    place(builder, zigzagHomes(p, 2));
    builder.endSynchronousStep();
    return builder.finish();
}

void refuseFewMicrobatches(const RecipeRequest& request, std::string_view title, std::vector<std::string>& sentences)
{
    const int least = 2 * request.devices;
    if (request.microbatches < least)
        sentences.push_back(
            fmt::format("{} needs at least 2p microbatches to fill its overlapped units: {} < {} with {} "
                        "stages. {} is the least.",
                        title, request.microbatches, least, request.devices, least));
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    std::vector<std::string> sentences = refuseOddDevices(request, "DualPipe");
    const int m = request.microbatches;
    if (m % 2 != 0)
        sentences.push_back(fmt::format("DualPipe gives each direction half of the microbatches: {} microbatches is "
                                        "odd. {} or {} would do.",
                                        m, m - 1, m + 1));
    refuseFewMicrobatches(request, "DualPipe", sentences);
    return sentences;
}

std::vector<std::string> problemsV(const RecipeRequest& request)
{
    std::vector<std::string> sentences;
    refuseFewMicrobatches(request, "DualPipeV", sentences);
    return sentences;
}

/// The closed form of the published code; its B is the whole backward.
std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs, int hops, double activations)
{
    const Nanoseconds forward = meanCost(costs, Work::Forward);
    const Nanoseconds backward = meanCost(costs, Work::Backward);
    const Nanoseconds weight = meanCost(costs, Work::WeightGradient);
    const Nanoseconds pair = costs.pair >= 0 ? costs.pair : forward + backward;
    if (!equalAndFree(costs) || request.microbatches < 2 * request.devices ||
        costs.duration(Work::AllReduce, Stage(0)) > 0)
        return std::nullopt;
    return Theory{hops * (pair + backward - 3 * weight), "makespan", activations,
                  "DualPipe repository: (PP/2-1)(F&B+B-3W) with PP stages, B the whole backward"};
}

std::optional<Theory> theoryOf(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, request.devices / 2 - 1, request.devices + 1);
}

std::optional<Theory> theoryV(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, request.devices - 1, request.devices + 0.5);
}

constexpr std::string_view paper = "DeepSeek-AI 2024, DeepSeek-V3 Technical Report, arXiv 2412.19437; "
                                   "github.com/deepseek-ai/DualPipe";

} // namespace

const RecipeInfo dualPipe{
    .id = "dualpipe",
    .title = "DualPipe",
    .paper = paper,
    .idea = "Two directions over the same devices; a forward of one runs together with a backward of the other.",
    .page = R"(Device r holds stage r for pipe 0 and stage p-1-r for pipe 1, so all weights exist twice. m counts
the microbatches of both directions; each takes half. With h = min(r, p-1-r), n = h+1, d = p/2-n and phases
0 and 1 the directions that enter nearer and farther from the device:

    1  2d × F0                      5  d × (B1, (F1;B0))
    2  n × (F0, F1)                 6  n × (B1, B0), the second half of them I only
    3  d × (I1, W, F1)              7  d × (W, I0)
    4  m/2-p+n × ((F0;B1), (F1;B0)) 8  n × W

(F;B) is one unit: kernels of both, and the communication of one under the computation of the other. Its time
is `FB=` in the costs, between the longer part and the sum, and the sum where nothing is said: only then F and
B don't overlap. The very first (F0;B1) of the two middle devices stands apart. W leave one queue in the
order in which they came, whichever direction they are of.

The gradients of a stage are summed over its two homes as soon as both have them, pipe 0 first.

The bubble is about half of 1F1B's even without overlap. The price is twice the weights and p+1 activations. If
weights are the problem, take dualpipev.)",
    .formulas = "idle per device (p/2-1)(F&B+B-3W) with B = I+W and F=I=W; peak p+1 activations, twice the weights",
    .splitsBackward = true,
    .constraints = "an even number of stages; m, counted over both directions, even and at least 2p",
    .problems = problems,
    .generate = generate,
    .theory = theoryOf,
};

const RecipeInfo dualPipeV{
    .id = "dualpipev",
    .title = "DualPipeV",
    .paper = paper,
    .idea = "DualPipe cut in half: a V of 2p stages on p devices, without a second copy of the weights.",
    .page = R"(Device r holds stages r and 2p-1-r; phases 0 and 1 are these two chunks. With n = r+1 and d = p-n:

    1  2d × F0                      5  d × (B1, (F1;B0))
    2  n × (F0, F1)                 6  n × (B1, B0), the second half of them I only
    3  d × (I1, W, F1)              7  d × (W, I0)
    4  m-2p+n × ((F0;B1), (F1;B0))  8  n × W

(F;B) is one unit of a forward and a backward that overlap; its time is `FB=` in the costs, the sum where
nothing is said. The very first (F0;B1) of the last device stands apart. W leave one queue in the order in which
they came, whichever chunk they are of.

On as many devices it has the bubble of DualPipe to within the halves of a chunk, half of its weights, and
p + 1/2 activations.)",
    .formulas = "idle per device (PP/2-1)(F&B+B-3W) chunk times with PP = 2p stages, B = I+W and F=I=W; peak 2p+1 "
                "chunks",
    .defaultChunks = 2,
    .minimumChunks = 2,
    .maximumChunks = 2,
    .splitsBackward = true,
    .constraints = "exactly 2 chunks per device; m at least 2p",
    .problems = problemsV,
    .generate = generateV,
    .theory = theoryV,
};

} // namespace bubblescope::catalog
