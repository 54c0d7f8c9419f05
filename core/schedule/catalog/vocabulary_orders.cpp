#include "core/schedule/catalog/vocabulary_orders.h"

#include "core/schedule/catalog/common.h"
#include "core/schedule/catalog/v_shape.h"
#include "core/simulate/simulate.h"

#include <algorithm>

namespace bubblescope::catalog {
namespace {

/// 1F1B with a sharded vocabulary, after the paper's code (sail-sg/VocabularyParallelism, vocab_parallel_schedule.py):
/// v(i) and t(i−1) are one pass there, called S(i); the last of them is t alone.
class AlternatingOrder {
public:
    AlternatingOrder(int devices, int microbatches, int barriers, PassTimes times)
        : m_devices(devices), m_microbatches(microbatches), m_extra(barriers - 1), m_times(times)
    {
        align();
    }

    Order of(int device)
    {
        m_device = device;
        m_order.clear();
        m_embedded = m_passes = m_forwards = m_gradients = 0;
        warmUp();
        const int afterWarmUp = m_microbatches - std::min(m_devices - device, m_microbatches) - 1 - m_extra;
        for (int i = 0; i < m_microbatches; ++i)
            backwardRound(i, i < afterWarmUp);
        while (m_gradients < m_microbatches)
            embeddingGradient();
        while (m_passes <= m_microbatches)
            vocabulary();
        return std::move(m_order);
    }

private:
    /// From the last device to the first: one that is `forward` earlier than its successor runs B, S, F by turns. Where that
    /// would put it a whole backward ahead, it runs B, F, S instead, and the next one is set back.
    void align()
    {
        Nanoseconds offset = 0;
        m_vocabularyFirst = {true};
        m_offsets = {0};
        while (static_cast<int>(m_offsets.size()) < m_devices) {
            const bool earlier = offset - m_times.forward >= -m_times.backward;
            m_vocabularyFirst.push_back(earlier);
            offset -= earlier ? m_times.forward : 0;
            m_offsets.push_back(offset);
            if (earlier)
                continue;
            offset += m_times.backward - m_times.forward;
            m_vocabularyFirst.push_back(true);
            m_offsets.push_back(offset);
        }
        m_vocabularyFirst.resize(static_cast<std::size_t>(m_devices));
        m_offsets.resize(static_cast<std::size_t>(m_devices));
        std::reverse(m_vocabularyFirst.begin(), m_vocabularyFirst.end());
        std::reverse(m_offsets.begin(), m_offsets.end());
        m_warmUpPasses.assign(static_cast<std::size_t>(m_devices), 0);
        for (std::size_t r = m_warmUpPasses.size() - 1; r-- > 0;)
            m_warmUpPasses[r] = m_warmUpPasses[r + 1] + (!m_vocabularyFirst[r + 1] && m_vocabularyFirst[r] ? 0 : 1);
    }

    void warmUp()
    {
        const int forwards = std::min(m_devices - m_device, m_microbatches);
        for (int i = 0; i <= std::min(m_devices, m_microbatches) - forwards; ++i)
            embed();
        for (int i = 0; i < forwards; ++i) {
            embed();
            forward();
        }
        vocabulary();
        if (m_extra > 0)
            embed();
        forward();
        for (int i = 0; i < m_extra; ++i) {
            vocabulary();
            forward();
        }
        const int passes = m_warmUpPasses[static_cast<std::size_t>(m_device)];
        for (int i = 1; i <= passes && passesLeft(); ++i) {
            vocabulary();
            if (i >= m_warmUpPasses.front())
                embed();
        }
    }

    void backwardRound(int i, bool steady)
    {
        const bool vocabularyFirst = m_vocabularyFirst[static_cast<std::size_t>(m_device)];
        const bool early = m_offsets[static_cast<std::size_t>(m_device)] + m_times.forward >= 0;
        const bool embeds = steady && m_passes >= m_warmUpPasses.front() + m_extra;
        const bool returns = m_passes >= m_warmUpPasses.front() + 2 + m_extra;
        m_order.push_back({Work::Backward, m_device, i});
        if (steady && !vocabularyFirst)
            forward();
        if (passesLeft())
            vocabulary();
        if (returns)
            embeddingGradient();
        if (embeds && (!vocabularyFirst || early))
            embed();
        if (steady && vocabularyFirst)
            forward();
        if (embeds && vocabularyFirst && !early)
            embed();
    }

    /// S passes that have to come before the last backward: with two barriers also the trailing t.
    bool passesLeft() const { return m_passes < m_microbatches + m_extra; }

    void embed()
    {
        if (m_embedded < m_microbatches)
            m_order.push_back({Work::EmbeddingForward, 0, m_embedded++});
    }

    void forward()
    {
        if (m_forwards < m_microbatches)
            m_order.push_back({Work::Forward, m_device, m_forwards++});
    }

    void vocabulary()
    {
        if (m_passes > 0)
            m_order.push_back({Work::VocabularyT, m_devices - 1, m_passes - 1});
        if (m_passes < m_microbatches)
            m_order.push_back({Work::VocabularyS, m_devices - 1, m_passes});
        ++m_passes;
    }

    void embeddingGradient()
    {
        if (m_gradients < m_microbatches)
            m_order.push_back({Work::EmbeddingBackward, 0, m_gradients++});
    }

    const int m_devices;
    const int m_microbatches;
    const int m_extra; ///< barriers beyond the first
    const PassTimes m_times;
    std::vector<bool> m_vocabularyFirst;
    std::vector<Nanoseconds> m_offsets; ///< against the last device
    std::vector<int> m_warmUpPasses;
    int m_device = 0;
    Order m_order;
    int m_embedded = 0;
    int m_forwards = 0;
    int m_passes = 0;
    int m_gradients = 0;
};

/// V-Half with a sharded vocabulary. The paper describes the way for any building block and its code for V-Half isn't
/// public; what follows is ours. Each barrier moves the backwards of the block by a period, as it does in 1F1B. The
/// vocabulary's passes then go between the tasks of a simulation of equal slots, all devices' at one moment:
///
///     e(i)  where microbatch i−1 begins        v(i)  where the last forward of i ends
///     d(i)  a slot after its last backward     t(i)  a slot later, for what the barrier takes
///
/// Nothing waits for a later moment, so the devices can't wait for each other in a circle.
class HalfOrder {
public:
    HalfOrder(int devices, int microbatches, int barriers)
        : m_lanes(halfOrders(devices, microbatches, barriers)), m_microbatches(microbatches)
    {
        const int last = 2 * devices - 1;
        ScheduleBuilder builder(vHalfShape(devices, microbatches));
        const std::uint32_t barrier = builder.lane(Device(0), LaneKind::Collective);
        std::vector<ScheduleBuilder::Ref> exchanges;
        for (int i = 0; i < microbatches; ++i)
            exchanges.push_back(builder.add(barrier, task(Work::AllReduce, last, i)));
        for (std::size_t device = 0; device < m_lanes.size(); ++device)
            for (const Task& task : m_lanes[device]) {
                const auto ref = builder.compute(Device(device), task);
                const auto& exchange = exchanges[static_cast<std::size_t>(task.microbatch)];
                if (task.stage == last && task.work == Work::Forward)
                    builder.edge(ref, exchange);
                if (task.stage == last && task.work == Work::InputGradient)
                    builder.edge(exchange, ref);
            }
        const Schedule plain = builder.finish();
        Costs slots(last + 1);
        for (const Work work : {Work::Forward, Work::InputGradient, Work::WeightGradient})
            slots.set(work, 1);
        slots.set(Work::AllReduce, barriers);
        m_timing = simulate(plain, slots);
        findMoments(plain, last);
    }

    /// In the order of devices, once for each.
    Order next()
    {
        Order order;
        auto moment = m_moments.begin();
        for (const Task& task : m_lanes[m_device]) {
            for (; moment != m_moments.end() && moment->time <= m_timing.start[m_task]; ++moment)
                order.push_back(moment->pass);
            order.push_back({task.work, task.stage, task.microbatch});
            ++m_task;
        }
        m_task = TaskId(m_task + (m_device++ == 0 ? static_cast<unsigned>(m_microbatches) : 0U)); // past the exchanges
        for (; moment != m_moments.end(); ++moment)
            order.push_back(moment->pass);
        return order;
    }

private:
    struct Moment {
        Nanoseconds time;
        Pass pass;
    };

    void findMoments(const Schedule& plain, int last)
    {
        const auto add = [&](Work work, int stage, int microbatch, Nanoseconds time) {
            m_moments.push_back({time, {work, stage, microbatch}});
        };
        add(Work::EmbeddingForward, 0, 0, 0);
        for (TaskId id{}; id < plain.tasks.size(); ++id) {
            const Task& task = plain.tasks[id];
            const int i = task.microbatch;
            if (task.work == Work::Forward && task.stage == 0 && i + 1 < m_microbatches)
                add(Work::EmbeddingForward, 0, i + 1, m_timing.start[id]);
            if (task.work == Work::Forward && task.stage == last) {
                add(Work::VocabularyS, last, i, m_timing.end[id]);
                add(Work::VocabularyT, last, i, m_timing.end[id] + 1);
            }
            if (task.work == Work::InputGradient && task.stage == 0)
                add(Work::EmbeddingBackward, 0, i, m_timing.end[id] + 1);
        }
        std::stable_sort(m_moments.begin(), m_moments.end(),
                         [](const Moment& a, const Moment& b) { return a.time < b.time; });
    }

    std::vector<std::vector<Task>> m_lanes;
    const int m_microbatches;
    Timing m_timing;
    std::vector<Moment> m_moments;
    std::size_t m_device = 0;
    TaskId m_task{}; ///< first one of the device in the simulated schedule
};

} // namespace

std::vector<Order> alternatingVocabularyOrders(int devices, int microbatches, int barriers, PassTimes times)
{
    AlternatingOrder order(devices, microbatches, barriers, times);
    std::vector<Order> orders;
    for (int device = 0; device < devices; ++device)
        orders.push_back(order.of(device));
    return orders;
}

std::vector<Order> vHalfVocabularyOrders(int devices, int microbatches, int barriers)
{
    HalfOrder order(devices, microbatches, barriers);
    std::vector<Order> orders;
    for (int device = 0; device < devices; ++device)
        orders.push_back(order.next());
    return orders;
}

Shape vHalfShape(int devices, int microbatches)
{
    Shape shape;
    shape.devices = devices;
    shape.chunks = 2;
    shape.stages = 2 * devices;
    shape.microbatches = {microbatches};
    return shape;
}

} // namespace bubblescope::catalog
