#include "core/execute/run.h"

#include "core/base/error.h"

#include <exception>
#include <system_error>

namespace bubblescope {

Run::Run(const RunPlan& plan, const RunSetup& setup, Recorder* recorder)
    : m_plan(plan)
    , m_setup(setup)
    , m_recorder(recorder)
    , m_gate(setup.gateCores)
    , m_exchange(std::make_unique<ThreadExchange>(plan.layout(setup.capacity)))
    , m_context{.plan = plan,
                .exchange = *m_exchange,
                .gate = m_gate,
                .time = *setup.time,
                .maker = setup.model.maker,
                .rounds = setup.rounds,
                .bounded = setup.capacity > 0}
{
    if (m_setup.model.maker) {
        m_replicas.emplace(plan.schedule());
        m_streamed.emplace(plan.schedule());
        m_vocabulary.emplace(plan.schedule());
        m_losses.emplace(static_cast<int>(setup.rounds) * plan.schedule().shape.steps, m_replicas->homes().size());
        m_norm.emplace(setup.clipNorm, m_replicas->homes().size() + m_vocabulary->shards());
        const HostContext context{plan,          m_setup.model, *m_replicas, m_hostMemory,  *m_streamed,
                                  *m_vocabulary, *m_norm,       *m_losses,   setup.training};
        for (std::uint32_t lane = 0; lane < plan.lanes().size(); ++lane)
            if (plan.leads(lane))
                m_hosts.push_back(std::make_unique<StageHost>(context, plan.lane(lane).device));
    }
}

Run::~Run()
{
    cancel(); // only has an effect when workers are still there
}

RunStop Run::operator()(const std::function<void()>& tick)
{
    std::exception_ptr error;
    startWorkers();
    try {
        supervise(tick);
    } catch (...) { // the workers refer to this run: they have to end before anything is thrown on
        error = std::current_exception();
        cancel();
    }
    m_threads.clear();
    for (const auto& host : m_hosts)
        host->reunite();
    if (error)
        std::rethrow_exception(error);
    const RunStop stop = m_exchange->stopReason();
    return stop.reason == RunStop::Reason::None ? checkEnd() : stop;
}

void Run::cancel()
{
    m_exchange->stop({RunStop::Reason::Cancel, RunStop::nobody, ""});
    m_gate.stop();
}

std::vector<TensorGradient> Run::weights() const
{
    std::vector<TensorGradient> weights;
    for (std::size_t home = 0; home < m_replicas->homes().size(); ++home)
        if (m_replicas->leads(home))
            for (const ParameterView& view : m_replicas->module(home).parameters())
                weights.push_back({view.name, std::vector<float>(view.value, view.value + view.count)});
    return weights;
}

void Run::collect(StepGradients& gradients) const
{
    for (std::size_t home = 0; home < m_replicas->homes().size(); ++home)
        if (m_replicas->leads(home))
            collectGradients(m_replicas->module(home).parameters(), gradients);
    for (const auto& host : m_hosts)
        if (host->vocabulary() != nullptr)
            collectGradients(host->vocabulary()->parameters(), gradients);
}

std::int64_t Run::clear()
{
    m_threads.clear();
    m_exchange = std::make_unique<ThreadExchange>(ExchangeLayout{}); // what lies in it goes before the stages do
    std::int64_t live = 0;
    if (m_streamed)
        m_streamed->clear();
    for (const auto& host : m_hosts)
        host->clear();
    for (const auto& host : m_hosts)
        live += host->liveBytes();
    m_hostMemory.clear();
    return live + m_hostMemory.arena().liveBytes();
}

void Run::startWorkers()
{
    m_running = m_plan.lanes().size();
    for (std::uint32_t lane = 0; lane < m_plan.lanes().size(); ++lane) {
        StageHost* host = m_hosts.empty() ? nullptr : m_hosts[m_plan.deviceNumber(lane)].get();
        LaneLog* log = m_recorder ? &m_recorder->log(lane) : nullptr;
        const auto body = [this, lane, host, log] {
            Worker(m_context, lane, host, log)();
            const std::lock_guard lock(m_mutex);
            if (--m_running == 0)
                m_ended.notify_one();
        };
        try {
            m_threads.emplace_back(body);
        } catch (const std::system_error& error) { // out of threads: those that are there must not wait for the rest
            m_exchange->stop(
                {RunStop::Reason::Failure, lane,
                 fmt::format("no thread could be started for {}: {}", m_plan.laneName(lane), error.what())});
            const std::lock_guard lock(m_mutex);
            m_running -= m_plan.lanes().size() - lane;
            return;
        }
    }
}

void Run::supervise(const std::function<void()>& tick)
{
    std::unique_lock lock(m_mutex);
    while (!m_ended.wait_for(lock, tickInterval, [this] { return m_running == 0; })) {
        lock.unlock();
        tick();
        lock.lock();
    }
}

/// What has to hold when all workers have done all their tasks.
RunStop Run::checkEnd() const
{
    const auto failure = [](std::string sentence) {
        return RunStop{RunStop::Reason::Failure, RunStop::nobody, std::move(sentence)};
    };
    const std::vector<PortId> ports = m_exchange->leftovers();
    if (!ports.empty())
        return failure(fmt::format("{} messages were sent and never taken", ports.size()));
    if (const std::string left = m_hostMemory.leftover(); !left.empty())
        return failure(left);
    if (!m_replicas || m_plan.schedule().semantics.replicas == Semantics::Replicas::None)
        return {};
    const std::string apart = m_replicas->difference(&StageModule::weightBuffer);
    return apart.empty() ? RunStop{} : failure("the replicas of a stage have come apart: " + apart);
}

} // namespace bubblescope
