// A building block that a person types: where every pass of one microbatch stands, on a V or looped.
//
//     block:offsets=F0:2r;F1:3p-r-2;I1:3p+2r+2;I0:6p-r+1      V-Half for even p
//     block:offsets=F0:0/1/2/3;B0:10/8/6/4;place=looped       a list, one slot for each device
//
// A pass is F, I (or B, the whole backward in two slots) or W, with the chunk of its device; its slot is linear
// in r, the device, and p, or a list. See core/schedule/building_block.h.

#include "core/schedule/building_block.h"
#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/v_shape.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

namespace bubblescope::catalog {
namespace {

constexpr std::string_view tight = "tight";
constexpr int farthest = 1'000'000; // slot

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<int> numberFrom(std::string_view text)
{
    int number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc{} || end != text.data() + text.size() || std::abs(number) > farthest)
        return std::nullopt;
    return number;
}

/// a·r + b·p + c.
struct Linear {
    int device = 0;
    int devices = 0;
    int constant = 0;
};

/// The number before r or p, which may be left out there.
std::optional<int> factorFrom(std::string_view text, bool variable)
{
    if (text.empty())
        return variable ? std::optional(1) : std::nullopt;
    return numberFrom(text);
}

/// "3p-r-2": terms of a whole number, r or p, with an optional factor before them.
std::optional<Linear> linearFrom(std::string_view text)
{
    Linear sum;
    if (text.empty())
        return std::nullopt;
    while (!text.empty()) {
        const int sign = text.front() == '-' ? -1 : 1;
        if (text.front() == '-' || text.front() == '+')
            text.remove_prefix(1);
        const std::string_view term = text.substr(0, text.find_first_of("+-"));
        if (term.empty())
            return std::nullopt;
        text.remove_prefix(term.size());
        int& coefficient = term.back() == 'r' ? sum.device : term.back() == 'p' ? sum.devices : sum.constant;
        const bool variable = &coefficient != &sum.constant;
        const std::optional<int> number = factorFrom(term.substr(0, term.size() - (variable ? 1 : 0)), variable);
        if (!number)
            return std::nullopt;
        coefficient += sign * *number;
    }
    return sum;
}

/// The slot of a pass on every device; a sentence where it can't be read.
std::vector<int> slotsFrom(std::string_view name, std::string_view text, int p, std::vector<std::string>& sentences)
{
    std::vector<int> slots;
    if (text.find('/') != std::string_view::npos) {
        for (const std::string_view part : split(text, '/'))
            if (const std::optional<int> number = numberFrom(part))
                slots.push_back(*number);
        if (slots.size() != static_cast<std::size_t>(p) || slots.size() != split(text, '/').size()) {
            sentences.push_back(
                fmt::format("{}:{} isn't a list of {} whole numbers, one for each device.", name, text, p));
            return {};
        }
        return slots;
    }
    const std::optional<Linear> linear = linearFrom(text);
    for (int r = 0; r < p && linear; ++r)
        slots.push_back(linear->device * r + linear->devices * p + linear->constant);
    if (!linear)
        sentences.push_back(
            fmt::format("{}:{} isn't a slot: write a whole number, r (the device), p (how many there are) "
                        "or a sum such as 3p-r-2, or a list such as 0/2/4.",
                        name, text));
    return slots;
}

/// Reads the parameters; sentences say what can't be read or what is missing.
class Typed {
public:
    explicit Typed(const RecipeRequest& request) : m_request(request)
    {
        m_block.devices = request.devices;
        const bool folded = request.parameter("place") == "v";
        m_block.homes =
            folded ? zigzagHomes(request.devices, request.chunks) : loopedHomes(request.devices, request.chunks);
        m_block.splitsBackward = request.parameter("backward") == "split";
        const int period = request.number("period");
        m_block.period = period > 0 ? period : 3 * request.chunks;
        if (request.parameter("offsets") == tight)
            placeAll();
        else
            readAll();
        if (m_sentences.empty())
            m_sentences = blockProblems(m_block);
    }

    const BuildingBlock& block() const { return m_block; }

    const std::vector<std::string>& sentences() const { return m_sentences; }

private:
    void placeAll()
    {
        const int asked = m_block.period;
        if (asked < 3 * m_request.chunks) {
            m_sentences.push_back(
                fmt::format("period={} is shorter than the {} slots of work that each device has for a "
                            "microbatch; {} is the shortest.",
                            asked, 3 * m_request.chunks, 3 * m_request.chunks));
            return;
        }
        if (placeTightly(m_block))
            return;
        while (!placeTightly(m_block))
            ++m_block.period;
        m_sentences.push_back(fmt::format("Placed tightly, a backward finds no two free slots side by side in a period "
                                          "of {}. period={} has room.",
                                          asked, m_block.period));
    }

    void readAll()
    {
        std::map<std::string, std::vector<int>> slots;
        for (const std::string_view entry : split(m_request.parameter("offsets"), ';')) {
            const std::size_t colon = entry.find(':');
            const std::string name(entry.substr(0, colon));
            if (colon == std::string_view::npos || !known(name))
                m_sentences.push_back(fmt::format("'{}' isn't a pass and its slot; the passes are {}.", entry,
                                                  fmt::join(names(true), ", ")));
            else if (slots.contains(name))
                m_sentences.push_back(fmt::format("{} is given twice.", name));
            else
                slots[name] = slotsFrom(name, entry.substr(colon + 1), m_request.devices, m_sentences);
        }
        for (const std::string& name : names(false))
            if (!slots.contains(name))
                m_sentences.push_back(fmt::format("{} has no slot.", name));
        const bool weights = slots.contains("W0");
        for (int chunk = 1; chunk < m_request.chunks; ++chunk)
            if (slots.contains(fmt::format("W{}", chunk)) != weights)
                m_sentences.emplace_back("Give slots for W of every chunk, or of none: then they take what is free.");
        if (!m_sentences.empty())
            return;
        for (int pass = 0; pass < m_block.passes(); ++pass)
            m_block.slots.push_back(slotOf(slots, m_block.forward(pass) ? 'F' : backwardLetter(), m_block.stage(pass)));
        for (int stage = 0; stage < m_block.stages() && weights; ++stage)
            m_block.weightSlots.push_back(slotOf(slots, 'W', stage));
    }

    int slotOf(const std::map<std::string, std::vector<int>>& slots, char letter, int stage) const
    {
        const auto home = static_cast<std::size_t>(m_block.homes[static_cast<std::size_t>(stage)]);
        return slots.at(fmt::format("{}{}", letter, stage / m_request.devices))[home];
    }

    char backwardLetter() const { return m_block.splitsBackward ? 'I' : 'B'; }

    std::vector<std::string> names(bool optional) const
    {
        std::vector<std::string> all;
        for (const char letter : {'F', backwardLetter(), 'W'})
            for (int chunk = 0; chunk < m_request.chunks && (letter != 'W' || (optional && m_block.splitsBackward));
                 ++chunk)
                all.push_back(fmt::format("{}{}", letter, chunk));
        return all;
    }

    bool known(const std::string& name) const
    {
        const std::vector<std::string> all = names(true);
        return std::find(all.begin(), all.end(), name) != all.end();
    }

    const RecipeRequest& m_request;
    BuildingBlock m_block;
    std::vector<std::string> m_sentences;
};

std::vector<std::string> problems(const RecipeRequest& request)
{
    constexpr std::size_t most = 8; // a wrong offset collides on every device
    std::vector<std::string> sentences = Typed(request).sentences();
    if (sentences.size() > most) {
        const std::size_t more = sentences.size() - most;
        sentences.resize(most);
        sentences.push_back(fmt::format("And {} more of the kind.", more));
    }
    return sentences;
}

Schedule generate(const RecipeRequest& request)
{
    const BuildingBlock block = Typed(request).block();
    if (request.parameter("reorder") == "yes" && block.splitsBackward)
        return synchronousStep(request, block.homes, splitOrders(block, request.microbatches));
    SlotTable table(block, request.microbatches);
    if (request.parameter("reorder") == "yes")
        table.reorder(SlotTable::Keep::Nothing);
    return synchronousStep(request, block.homes, table.orders());
}

} // namespace

const RecipeInfo buildingBlock{
    .id = "block",
    .title = "Building block",
    .paper = "after Qi et al. 2024, Pipeline Parallelism with Controllable Memory, arXiv 2405.15362, section 3",
    .idea = "Type where the passes of one microbatch stand; it is repeated every period.",
    .page = R"(`offsets` gives the slot of every pass on device r of p, separated by semicolons: F and I with the
chunk of the device, such as `F0:2r;F1:3p-r-2;I1:3p+2r+2;I0:6p-r+1`. A slot is a sum of whole numbers and
multiples of r and p, or a list with one number for each device, `F0:0/2/4/6`. W may be given likewise; without
them W take what stays free, the deepest stage first. With `backward=whole`, B0, B1, … stand for I and take two
slots. `offsets=tight` puts every pass into the first slot that is free on its device.

`place=v` folds the stages: chunk 0 runs down the devices, chunk 1 up again, and so on; `place=looped` puts
stage s on device s mod p. Microbatch k stands k periods later. `period=0` is as long as the work of a device,
3 slots for each chunk.

Two passes of a device must not share a slot modulo the period, and none may stand before what it waits for: both
are refused by name. `reorder=yes` then moves passes of warm-up and drain into free slots, without holding more
activations than the repeated block does; any W slots are given up for it.

The lifespan of a chunk, from F to W, over the period is about what it costs in memory: that is how the paper
makes V-Min, V-Half and V-ZB. Only the order comes from the slots; times come from the costs.)",
    .formulas = "no closed form published",
    .parameters =
        {{"offsets",
          "slots such as F0:r;F1:2p-r-1;I1:2p+r;I0:4p-r-1, or tight",
          std::string(tight),
          {},
          0,
          0,
          RecipeParameter::Kind::Text},
         {"place", "v: down the devices and up again; looped: stage s on device s mod p", "v", {"v", "looped"}},
         {"period", "slots from one microbatch to the next; 0: the work of a device", "0", {}, 0, 10'000},
         {"backward", "split in I and W, or whole", "split", {"split", "whole"}},
         {"reorder", "move passes of warm-up and drain into free slots", "yes", {"yes", "no"}}},
    .defaultChunks = 2,
    .minimumChunks = 1,
    .maximumChunks = 64,
    .splitsBackward = true,
    .constraints = "every pass has a slot; no two passes of a device on one slot modulo the period; no pass before "
                   "what it waits for; a period of at least 3 slots per chunk",
    .problems = problems,
    .generate = generate,
};

} // namespace bubblescope::catalog
