// V-Half, V-Min, V-ZB and 1F1B-V: building blocks on a V, repeated and reordered.
//
//     V-Min    every hop takes one slot, there and back
//     V-Half   two slots per hop on the way from device 0 to p−1, one on the way back
//     V-ZB     five slots per hop there, two for the last one, one back
//     1F1B-V   the block of V-Min with whole backwards of two slots
//
// A microbatch spends fewer slots between F and backward than in 1F1B, so fewer of them live at a time;
// the next one enters every six slots (2F, 2I, 2W). A few slots more here and there keep the passes of a
// device apart modulo 6. Qi et al. 2024, Pipeline Parallelism with Controllable Memory, section 3; the
// offsets are those of the paper's code, but V-ZB's, which come from our search.

#include "core/schedule/catalog/v_shape.h"

#include "core/schedule/catalog/catalog.h"

#include <algorithm>

namespace bubblescope::catalog {
namespace {

BuildingBlock emptyBlock(int p)
{
    BuildingBlock block;
    block.devices = p;
    block.homes = zigzagHomes(p, 2);
    return block;
}

BuildingBlock minBlock(int p)
{
    BuildingBlock block = emptyBlock(p);
    for (int pass = 0; pass < block.passes(); ++pass)
        block.slots.push_back(pass + (pass >= 2 * p && p % 3 == 0 ? 2 : 0));
    return block;
}

BuildingBlock halfBlock(int p)
{
    BuildingBlock block = emptyBlock(p);
    int slot = 0;
    for (const bool forward : {true, false}) {
        for (int r = 0; r < p; ++r, slot += 2)
            block.slots.push_back(slot);
        slot -= forward ? 1 : 0; // the turn on the last device takes one slot, or two on the way of gradients
        for (int r = 0; r < p; ++r, ++slot)
            block.slots.push_back(slot);
        slot += p % 2 == 0 ? 3 : 0;
    }
    return block;
}

/// Five slots per hop towards the last device but two for the last one, one slot back: found by v-auto's search
/// for every p tried.
BuildingBlock zeroBubbleBlock(int p)
{
    if (p == 1)
        return minBlock(p);
    BuildingBlock block = emptyBlock(p);
    int slot = 0;
    for (const bool forward : {true, false}) {
        for (int r = 0; r < p; ++r) {
            block.slots.push_back(slot);
            slot += r < p - 2 ? 5 : r < p - 1 || forward ? 2 : 1;
        }
        for (int r = 0; r < p; ++r)
            block.slots.push_back(slot++);
        slot += 3;
    }
    return block;
}

BuildingBlock wholeBackwardBlock(int p)
{
    BuildingBlock block = emptyBlock(p);
    block.splitsBackward = false;
    for (int pass = 0; pass < 2 * p; ++pass)
        block.slots.push_back(pass);
    int slot = 2 * p + (p % 3 == 0 ? 3 : 0);
    int run = (3 - (p + 2) % 3) % 3; // every third hop leaves room for the F of others
    for (int pass = 0; pass < 2 * p; ++pass) {
        block.slots.push_back(slot);
        slot += 2;
        if (++run == 3) {
            run = 0;
            slot += 3;
        }
    }
    return block;
}

Schedule generateHalf(const RecipeRequest& request)
{
    return synchronousStep(request, zigzagHomes(request.devices, 2), halfOrders(request.devices, request.microbatches));
}

Schedule generateZeroBubble(const RecipeRequest& request)
{
    const BuildingBlock block = zeroBubbleBlock(request.devices);
    return synchronousStep(request, block.homes, splitOrders(block, request.microbatches));
}

Schedule generateMin(const RecipeRequest& request)
{
    const BuildingBlock block = minBlock(request.devices);
    return synchronousStep(request, block.homes, splitOrders(block, request.microbatches));
}

Schedule generateWhole(const RecipeRequest& request)
{
    const BuildingBlock block = wholeBackwardBlock(request.devices);
    SlotTable table(block, request.microbatches);
    table.reorder(SlotTable::Keep::Nothing);
    return synchronousStep(request, block.homes, table.orders());
}

/// The closed form of the paper's code for F=I=W, with P chunks of activations at the peak.
Nanoseconds bubbleOf(int p, int peak, Nanoseconds forward)
{
    return (3 * p - 1 - 3 * peak + std::max(3 * p, p - 1 + 2 * (1 + (peak + 1) / 2))) * forward;
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs, int peak)
{
    if (!equalAndFree(costs) || request.microbatches < 2 * request.devices)
        return std::nullopt;
    return Theory{bubbleOf(request.devices, peak, meanCost(costs, Work::Forward)), "span", peak / 2.0,
                  "code of Qi et al. 2024 (v_auto_schedule): 3p-1-3P+max(3p, p-1+2(1+(P+1) div 2)) chunk times inside "
                  "a device's span, P chunks at the peak"};
}

std::optional<Theory> theoryHalf(const RecipeRequest& request, const Costs& costs)
{
    const int p = request.devices;
    return p == 2 ? std::nullopt : theory(request, costs, (p + 2) / 2 * 2); // on two devices it idles once more
}

/// Where p mod 3 is 2 the published block idles four chunk times more than the form says.
std::optional<Theory> theoryMin(const RecipeRequest& request, const Costs& costs)
{
    return request.devices % 3 == 2 ? std::nullopt : theory(request, costs, (request.devices + 4) / 3 * 2);
}

std::optional<Theory> theoryZeroBubble(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, 2 * request.devices);
}

std::vector<std::string> warnings(const RecipeRequest& request)
{
    const int enough = 2 * request.devices;
    if (request.microbatches >= enough)
        return {};
    return {fmt::format("A V over {} devices has its published bubble from {} microbatches on (2p); {} are few.",
                        request.devices, enough, request.microbatches)};
}

constexpr std::string_view paper = "Qi et al. 2024, Pipeline Parallelism with Controllable Memory, arXiv 2405.15362";

constexpr std::string_view constraints = "exactly 2 chunks per device; any m of 1 or more";

} // namespace

std::vector<std::vector<Task>> splitOrders(const BuildingBlock& block, int microbatches)
{
    SlotTable table(block, microbatches);
    table.placeWeights();
    table.reorder(SlotTable::Keep::Steady);
    table.squeeze();
    table.dropWeights();
    table.reorder(SlotTable::Keep::WarmupAndSteady);
    return table.orders();
}

std::vector<std::vector<Task>> halfOrders(int devices, int microbatches, int barriers)
{
    BuildingBlock block = halfBlock(devices);
    block.turn = barriers;
    for (int pass = block.stages(); pass < block.passes(); ++pass)
        block.slots[static_cast<std::size_t>(pass)] += barriers * block.period;
    return splitOrders(block, microbatches);
}

const RecipeInfo vHalf{
    .id = "v-half",
    .title = "V-Half",
    .paper = paper,
    .idea = "A V whose microbatches live half as long as in 1F1B: half the memory for half the bubble.",
    .page = R"(Device r holds stages r and 2p-1-r. The building block says where the six passes of one
microbatch stand: two slots per hop on the way to the last device, one on the way back, so that

    device r   F of stage r           slot 2r
               F of stage 2p-1-r           3p-r-2
               I of stage 2p-1-r           3p+d+2r-1
               I of stage r                6p+d-r-2      d = 3 for even p, else 0

Microbatch k stands 6k slots later; W take what stays free. Then passes of the warm-up and the drain
move to the first free slot that what they wait for and the peak allow. Where one chunk of a device
lives long the other lives shortly, so memory is balanced: (p+2) div 2 activations instead of p.

The order doesn't depend on costs. There is no bubble in the steady phase as long as W+2I >= 2F and
W+2F >= 2I. Use it where memory is short; zb-v has no bubble at p activations, v-min less memory yet.)",
    .formulas = "F=I=W: bubble inside a device's span 3p-1-3P+max(3p, p-1+2(1+(P+1) div 2)) chunk times with P = "
                "2((p+2) div 2) chunks at the peak, p of 3 and m of 2p or more; rate about p/(2m)",
    .defaultChunks = 2,
    .minimumChunks = 2,
    .maximumChunks = 2,
    .splitsBackward = true,
    .constraints = constraints,
    .problems = noProblems,
    .warnings = warnings,
    .generate = generateHalf,
    .theory = theoryHalf,
};

const RecipeInfo vMin{
    .id = "v-min",
    .title = "V-Min",
    .paper = paper,
    .idea = "The shortest V: every hop follows the last at once; a third of 1F1B's memory, two thirds of its bubble.",
    .page = R"(Device r holds stages r and 2p-1-r. In the building block every hop takes one slot:

    device r   F of stage r           slot r
               F of stage 2p-1-r           2p-r-1
               I of stage 2p-1-r           2p+d+r
               I of stage r                4p+d-r-1      d = 2 for p a multiple of 3, else 0

Microbatch k stands 6k slots later; W take what stays free, then warm-up and drain are reordered under
the same peak. No block of the paper's family holds less: (p+4) div 3 activations.

With a pass right behind its predecessor there is no slack: where F, I and W differ, devices also wait
in the steady phase, more for every microbatch. Use v-half where memory allows.)",
    .formulas = "F=I=W: bubble inside a device's span 3p-1-3P+max(3p, p-1+2(1+(P+1) div 2)) chunk times with P = "
                "2((p+4) div 3) chunks at the peak and m of 2p or more; where p mod 3 is 2 the order idles 4 chunk "
                "times more (our finding); rate about 2p/(3m)",
    .defaultChunks = 2,
    .minimumChunks = 2,
    .maximumChunks = 2,
    .splitsBackward = true,
    .constraints = constraints,
    .problems = noProblems,
    .warnings = warnings,
    .generate = generateMin,
    .theory = theoryMin,
};

const RecipeInfo vZeroBubble{
    .id = "v-zb",
    .title = "V-ZB",
    .paper = paper,
    .idea = "The building block of the V family that leaves no bubble, at the memory of 1F1B.",
    .page = R"(Device r holds stages r and 2p-1-r. In the building block a hop towards the last device takes five
slots, the last one two; hops back take one. Repeated every six slots and reordered as v-half is, it leaves no
bubble inside a device's span with F=I=W and holds p activations on every device.

The paper takes this member of the family from a search; these offsets are what ours found for every p
tried, so that no search is needed here. It has the quality of zb-v, whose greedy follows the costs; this
order doesn't depend on them.)",
    .formulas = "F=I=W: no bubble inside a device's span from m of 2p on; peak p activations",
    .defaultChunks = 2,
    .minimumChunks = 2,
    .maximumChunks = 2,
    .splitsBackward = true,
    .constraints = constraints,
    .problems = noProblems,
    .warnings = warnings,
    .generate = generateZeroBubble,
    .theory = theoryZeroBubble,
};

const RecipeInfo oneForwardOneBackwardV{
    .id = "1f1b-v",
    .title = "1F1B-V",
    .paper = paper,
    .idea = "A V with whole backwards: two thirds of 1F1B's memory without splitting anything.",
    .page = R"(Device r holds stages r and 2p-1-r. The building block is that of V-Min with backwards of two
slots; every third of them leaves three slots for others, so that the passes of a device don't meet
modulo 6 (three more stand before the first one where p is a multiple of 3). Every pass then moves to
the first free slot that what it waits for and the peak allow.

With p=4, m=8, F=1, B=2 per chunk it takes 63 and holds 3 activations; 1F1B takes 66 and holds 4. For
large p the peak tends to two thirds of p. Use it where the framework can't split the backward.)",
    .formulas = "no closed form published",
    .defaultChunks = 2,
    .minimumChunks = 2,
    .maximumChunks = 2,
    .constraints = constraints,
    .problems = noProblems,
    .warnings = warnings,
    .generate = generateWhole,
};

} // namespace bubblescope::catalog
