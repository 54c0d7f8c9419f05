// ChunkFlow: sequences of any length as chunks of at most C tokens.
//
//     long     |  0.0  |  0.1  | 0.2 |       dependent chunks: the slices of one microbatch
//     packs    |1: 5 sequences|  |2: 3 sequences|     independent: a microbatch each, of one slice
//
// 1F1B over the chunks. A long sequence goes backwards from its last chunk; only the last K of its chunks keep their
// activations until then, the others keep their keys and values and are computed again.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/slices.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

namespace bubblescope::catalog {
namespace {

constexpr int mostTokens = 10'000'000;

/// Lengths of the step's sequences as they are typed, repeated until there are enough; nullopt for anything else.
std::optional<std::vector<int>> listedLengths(const RecipeRequest& request)
{
    const std::optional<std::vector<int>> listed = parseLengths(request.parameter("lengths"), mostTokens);
    if (!listed)
        return std::nullopt;
    std::vector<int> lengths;
    for (int i = 0; i < request.microbatches; ++i)
        lengths.push_back((*listed)[static_cast<std::size_t>(i) % listed->size()]);
    return lengths;
}

/// A long tail: each bound is half of the one before, and below the bound every length is equally likely.
std::vector<int> drawnLengths(const RecipeRequest& request)
{
    const auto longest = static_cast<std::uint64_t>(request.number("longest"));
    auto state = static_cast<std::uint64_t>(request.number("seed"));
    const auto next = [&state] { // splitmix64
        state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    };
    constexpr std::uint64_t octaves = 6;
    std::vector<int> lengths;
    for (int i = 0; i < request.microbatches; ++i) {
        const std::uint64_t bound = std::max<std::uint64_t>(1, longest >> (next() % octaves));
        lengths.push_back(static_cast<int>(1 + next() % bound));
    }
    return lengths;
}

/// Bins of at most `chunk` tokens by first fit, longest sequences first: at most 11/9 of the fewest bins, and one.
std::vector<std::vector<int>> packed(std::vector<int> lengths, int chunk)
{
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    // A tournament over the bins' room finds the first that fits in logarithmic time.
    std::size_t leaves = 1;
    while (leaves < lengths.size())
        leaves *= 2;
    std::vector<int> room(2 * leaves, chunk);
    std::vector<std::vector<int>> bins;
    for (const int length : lengths) {
        std::size_t node = 1;
        while (node < leaves)
            node = room[2 * node] >= length ? 2 * node : 2 * node + 1;
        const std::size_t bin = node - leaves;
        bins.resize(std::max(bins.size(), bin + 1));
        bins[bin].push_back(length);
        room[node] -= length;
        for (node /= 2; node >= 1; node /= 2)
            room[node] = std::max(room[2 * node], room[2 * node + 1]);
    }
    return bins;
}

/// Long sequences first, those of most chunks before the others, so that the short ones fill the drain.
Slicing chunksOf(const RecipeRequest& request)
{
    const int chunk = request.number("chunk");
    const std::vector<int> lengths =
        request.parameter("lengths").empty() ? drawnLengths(request) : listedLengths(request).value();
    std::vector<int> dependent;
    std::vector<int> single;
    for (const int length : lengths)
        (length > chunk ? dependent : single).push_back(length);
    std::stable_sort(dependent.begin(), dependent.end(), std::greater<>());
    Slicing slicing;
    slicing.tokens = true;
    slicing.whole = chunk;
    slicing.attention = request.decimal("attention");
    slicing.overhead = request.decimal("overhead");
    for (int left : dependent) {
        SliceCut cut;
        for (; left > 0; left -= chunk)
            cut.lengths.push_back(std::min(left, chunk));
        slicing.cuts.push_back(std::move(cut));
    }
    for (std::vector<int>& pack : packed(std::move(single), chunk))
        slicing.cuts.push_back({{std::accumulate(pack.begin(), pack.end(), 0)}, pack});
    double work = 0;
    for (const SliceCut& cut : slicing.cuts)
        for (const double slice : sliceWork(slicing, cut))
            work += slice - slicing.overhead;
    slicing.workOfOne = work / request.microbatches;
    return slicing;
}

/// The chunks of a stage in the order of their forwards, and which of them each backward is.
class ChunkLane {
public:
    ChunkLane(ScheduleBuilder& builder, const Slicing& slicing, int stage, int keep)
        : m_builder(builder), m_cuts(slicing.cuts), m_stage(stage), m_keep(keep)
    {
        for (const SliceCut& cut : m_cuts)
            m_chunks += static_cast<int>(cut.lengths.size());
    }

    /// `ahead`: forwards before the backward of the same number, beside those that its sequence asks for.
    void write(int ahead)
    {
        int forwards = 0;
        int backwards = 0;
        for (std::size_t i = 0; i < m_cuts.size(); ++i) {
            const int own = slices(i);
            const int most = std::max(own, i + 1 < m_cuts.size() ? slices(i + 1) : 1);
            for (int slice = own; slice-- > 0; ++backwards) {
                while (forwards < std::min(m_chunks, backwards + most + ahead))
                    forward(forwards++);
                backward(static_cast<int>(i), slice, own);
            }
        }
    }

private:
    int slices(std::size_t microbatch) const { return static_cast<int>(m_cuts[microbatch].lengths.size()); }

    void add(Work work, int microbatch, int slice)
    {
        Task of = task(work, m_stage, microbatch);
        of.slice = Slice(slice);
        m_builder.compute(Device(m_stage), of);
    }

    void forward(int chunk)
    {
        add(Work::Forward, m_microbatch, chunk - m_first);
        if (chunk + 1 - m_first == slices(static_cast<std::size_t>(m_microbatch))) {
            ++m_microbatch;
            m_first = chunk + 1;
        }
    }

    void backward(int microbatch, int slice, int of)
    {
        if (slice < of - m_keep)
            add(Work::Recompute, microbatch, slice);
        add(Work::Backward, microbatch, slice);
    }

    ScheduleBuilder& m_builder;
    const std::vector<SliceCut>& m_cuts;
    int m_stage;
    int m_keep;
    int m_chunks = 0;
    int m_microbatch = 0; ///< of the next forward
    int m_first = 0;      ///< chunk that its first slice is
};

Schedule generate(const RecipeRequest& request)
{
    const Slicing slicing = chunksOf(request);
    Shape shape = singlePipe(request);
    shape.microbatches = {static_cast<int>(slicing.cuts.size())};
    for (const SliceCut& cut : slicing.cuts)
        shape.slices = std::max(shape.slices, static_cast<int>(cut.lengths.size()));
    ScheduleBuilder builder(shape);
    builder.schedule().slicing = slicing;
    for (int stage = 0; stage < request.devices; ++stage)
        ChunkLane(builder, slicing, stage, request.number("keep")).write(request.devices - 1 - stage);
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const int chunk = request.number("chunk");
    const std::string& listed = request.parameter("lengths");
    std::vector<int> lengths;
    if (listed.empty())
        lengths = {request.number("longest")};
    else if (const auto parsed = parseLengths(listed, mostTokens))
        lengths = *parsed;
    else
        return {
            fmt::format("lengths={} is not a list of lengths; whole numbers from 1 to {} with + between them are, as "
                        "in 64+24+8+8.",
                        listed, mostTokens)};
    constexpr int mostChunks = 4096;
    const int longest = *std::max_element(lengths.begin(), lengths.end());
    const int needed = (longest + mostChunks - 1) / mostChunks;
    if (chunk < needed)
        return {fmt::format("A sequence of {} tokens has more than {} chunks of {} tokens; chunk={} would do.", longest,
                            mostChunks, chunk, needed)};
    // Every grid row has a place for the longest sequence's chunks.
    const std::int64_t chunks = (longest + chunk - 1) / chunk;
    constexpr std::int64_t mostPlaces = 400'000'000;
    if (chunks * request.devices * request.microbatches > mostPlaces)
        return {fmt::format("{} stages times {} sequences of up to {} chunks are more tasks than fit in memory; {} "
                            "sequences would fit.",
                            request.devices, request.microbatches, chunks, mostPlaces / (chunks * request.devices))};
    return {};
}

std::vector<std::string> warnings(const RecipeRequest& request)
{
    const auto chunks = chunksOf(request).cuts.size();
    if (static_cast<int>(chunks) >= request.devices)
        return {};
    return {
        fmt::format("{} sequences make {} microbatches, which never fill {} stages with independent work; a smaller "
                    "chunk than {} would make more.",
                    request.microbatches, chunks, request.devices, request.number("chunk"))};
}

} // namespace

const RecipeInfo chunkFlow{
    .id = "chunkflow",
    .title = "ChunkFlow",
    .paper = "Yuan et al. 2025, Efficient Long Context Fine-tuning with Chunk Flow, arXiv 2503.02356",
    .idea =
        "Sequences of any length as chunks of one size: short ones packed, long ones split, memory set by the chunk.",
    .page = R"(Fine-tuning data has a long tail: most sequences are short, a few are very long, and memory has to
suffice for the longest. ChunkFlow makes all work into chunks of at most `chunk` tokens. Short sequences are packed
into one chunk (bin packing, longest first, into the first chunk with room) and don't attend to each other. A long
sequence is split into dependent chunks; chunk k reads the keys and values of those before it.

The chunks run as the microbatches of 1F1B do. The chunks of a long sequence go backwards from the last to the first,
because keys and values collect gradients from later chunks. Of its N chunks only the last `keep` keep their
activations after the forward; the first N-keep keep keys and values and are computed again (R) just before their
backward. So the memory follows keep times chunk, not the length of the longest sequence, and costs the forward of
N-keep chunks once more.

    forwards    0.0 0.1 0.2 1 2 3 …             sequence 0 has three chunks; 1, 2, 3 are packs
    backwards   0.2 R0.1 0.1 R0.0 0.0 1 …       with keep=1

Say what R costs, as in `--cost F=1,B=2,R=1`.

`--microbatches` is the number of sequences of a step. `lengths=64+24+8` lists them, again and again until there are
enough; without it they are drawn with `seed`: long-tailed lengths up to `longest` tokens. `--cost` speaks of a sequence
of mean cost. `attention` is the cost of attention inside a whole chunk, relative to its other work, and `overhead` what a
chunk costs beside its tokens.

Derived by us from the abstract: the packing rule, the order of the sequences (those with most chunks first, packs last, so
that small work fills the drain), and how many forwards stand before a backward: as many as 1F1B has, and those that
the sequence and the next one ask for before they can turn round. Every sequence is trained in full; every token has the same
part of the loss.)",
    .formulas = "no closed form published",
    .parameters = {{"chunk", "most tokens of a chunk", "16", {}, 1, mostTokens},
                   {"keep", "chunks of a long sequence that keep their activations", "1", {}, 1, 4096},
                   {"lengths",
                    "lengths of the step's sequences in tokens, as in 64+24+8+8, repeated; empty: drawn",
                    "",
                    {},
                    0,
                    0,
                    RecipeParameter::Kind::Text},
                   {"longest", "longest sequence that is drawn", "64", {}, 1, mostTokens},
                   {"seed", "of the drawn lengths", "1", {}, 0, 1'000'000'000},
                   {"attention",
                    "cost of attention inside a whole chunk, relative to its other work",
                    "0",
                    {},
                    0,
                    1000,
                    RecipeParameter::Kind::Number},
                   {"overhead",
                    "cost of a chunk beside its tokens, relative to a whole chunk without attention",
                    "0",
                    {},
                    0,
                    1000,
                    RecipeParameter::Kind::Number}},
    .constraints = "any number of sequences of any length; at most 4096 chunks of one",
    .problems = problems,
    .warnings = warnings,
    .generate = generate,
};

} // namespace bubblescope::catalog
