// BitPipe: two V-shaped pipelines in opposite directions, four chunks per device.
//
//     device r   pipe 0: stages r and 2P−1−r      pipe 1: stages P−1−r and P+r
//
// Hu et al. 2024, arXiv 2410.19367; the order is that of the paper's code. In a unit of P microbatches a
// device runs 2P forwards and 2P backwards in one fixed sequence of chunks; backwards mirror forwards.

#include "core/schedule/building_block.h"
#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/pipes.h"

#include <algorithm>

namespace bubblescope::catalog {
namespace {

/// The chunks of one unit on device r in the order of their forwards: 0 and 2 are the two stages of pipe 0 in
/// the order of a visit, 1 and 3 those of pipe 1.
std::vector<int> chunkSequence(int r, int devices)
{
    const int half = devices / 2;
    const int own = r / half; // the pipe that enters nearer to this device
    const int alone = own == 0 ? half - r : r - half + 1;
    std::vector<int> sequence;
    const auto append = [&](int times, std::initializer_list<int> chunks) {
        for (int i = 0; i < times; ++i)
            sequence.insert(sequence.end(), chunks);
    };
    append(alone, {own});
    append(half - alone, {1 - own, own});
    append(alone, {1 - own, 3 - own});
    append(half - alone, {2 + own, 3 - own});
    append(alone, {2 + own});
    return sequence;
}

class Lane {
public:
    Lane(PipesWriter& writer, int device, int devices)
        : m_writer(writer), m_device(device), m_devices(devices), m_sequence(chunkSequence(device, devices))
    {
    }

    void forward(int count)
    {
        for (int i = 0; i < count; ++i) {
            const int chunk = at(m_forward++);
            m_writer.add(Work::Forward, chunk % 2, stage(chunk), m_forwards[chunk]++);
        }
    }

    /// A backward visits the chunk of the other half of its pipe: 0 ↔ 2, 1 ↔ 3.
    void backward(int count)
    {
        for (int i = 0; i < count; ++i) {
            const int chunk = (at(m_backward++) + 2) % 4;
            m_writer.add(Work::Backward, chunk % 2, stage(chunk), m_backwards[chunk]++);
        }
    }

    void alternate(int count)
    {
        for (int i = 0; i < count; ++i) {
            forward(1);
            backward(1);
        }
    }

private:
    int at(std::size_t number) const { return m_sequence[number % m_sequence.size()]; }

    int stage(int chunk) const
    {
        const int stages[] = {m_device, m_devices - 1 - m_device, 2 * m_devices - 1 - m_device, m_devices + m_device};
        return stages[chunk];
    }

    PipesWriter& m_writer;
    int m_device;
    int m_devices;
    std::vector<int> m_sequence;
    std::size_t m_forward = 0;
    std::size_t m_backward = 0;
    int m_forwards[4] = {};
    int m_backwards[4] = {};
};

Schedule generate(const RecipeRequest& request)
{
    const int p = request.devices;
    PipesWriter writer(request, mirrored(zigzagHomes(p, 2), p));
    const int units = request.microbatches / p;
    for (int r = 0; r < p; ++r) {
        Lane lane(writer, r, p);
        const int warmup = p + p / 2 + std::min(r, p - 1 - r);
        const int rest = 2 * p - warmup;
        lane.forward(warmup);
        for (int unit = 1; unit < units; ++unit) {
            lane.alternate(rest);
            lane.backward(warmup - rest + 1);
            lane.alternate(rest - 1);
            lane.forward(warmup - rest + 1);
        }
        lane.alternate(rest);
        lane.backward(warmup);
    }
    return writer.finish();
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    std::vector<std::string> sentences = refuseOddDevices(request, "BitPipe");
    const int p = request.devices;
    const int m = request.microbatches;
    if (sentences.empty() && m % p != 0) {
        const int below = m / p * p;
        sentences.push_back(fmt::format("BitPipe works in units of {} microbatches, as many as devices; {} is no "
                                        "multiple of that. {} would do.",
                                        p, m,
                                        below > 0 ? fmt::format("{} or {}", below, below + p) : std::to_string(p)));
    }
    return sentences;
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    const int p = request.devices;
    const Nanoseconds forward = meanCost(costs, Work::Forward);
    if (!uniformAndFree(costs) || meanCost(costs, Work::Backward) != 2 * forward ||
        costs.duration(Work::AllReduce, Stage(0)) > 0)
        return std::nullopt;
    return Theory{(request.microbatches / p + 1) * (p - 2) * forward, "makespan", double(p),
                  "the published order simulated with B=2F: (N/D+1)(D-2) chunk forwards; (D-2)/(3N+D-2) at N=D"};
}

} // namespace

const RecipeInfo bitpipe{
    .id = "bitpipe",
    .title = "BitPipe",
    .paper = "Hu et al. 2024, BitPipe: Bidirectional Interleaved Pipeline Parallelism for Accelerating Large Models "
             "Training, arXiv 2410.19367",
    .idea = "Two V-shaped pipelines in opposite directions: Chimera's idea with chunks half as large.",
    .page = R"(Device r holds four chunks: stages r and 2P-1-r for pipe 0, stages P-1-r and P+r for pipe 1.
Every stage has two homes, so weights exist twice; each pipe takes half of the microbatches.

A unit of P microbatches is 2P forwards and 2P backwards on every device. With h the half that the
device is in and n = P/2-r (first half) or r-P/2+1, the forwards run through the chunks

    n × [h]   (P/2-n) × [1-h, h]   n × [1-h, 3-h]   (P/2-n) × [2+h, 3-h]   n × [2+h]

where chunks 0, 2 are pipe 0's and 1, 3 pipe 1's in the order of a visit; backwards take the same
sequence with 0 and 2, 1 and 3 exchanged. Device r warms up with P+P/2+min(r, P-1-r) forwards, then
alternates; between units the drain of one and the warm-up of the next follow each other.

The gradients of a stage are summed over its two homes as soon as both have them, pipe 0 first.

It halves Chimera's bubble for twice its messages. For several units the published order idles a little
more than the paper's closed form, which is exact for one unit.)",
    .formulas = "idle per device (N/D+1)(D-2) chunk forwards with B=2F; rate (D-2)/(3N+D-2) at N=D; at most D "
                "activations, twice the weights",
    .defaultChunks = 2,
    .minimumChunks = 2,
    .maximumChunks = 2,
    .constraints = "an even number of devices; m, counted over both directions, a multiple of it; 2 chunks per pipe",
    .problems = problems,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
