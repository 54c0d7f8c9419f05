#include "viz/document/execution.h"

#include "core/base/error.h"
#include "core/trace/run.h"
#include "core/trace/run_follower.h"
#include "viz/document/run_loader.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <limits>

namespace bubblescope::viz {

Trace newestStep(const Trace& trace, int microbatchesPerStep, int& step)
{
    int last = 0;
    for (const TraceLane& lane : trace.lanes)
        for (const Span& span : lane.spans)
            if (span.name == 0 && onGrid(span.task.work))
                last = std::max(last, span.task.microbatch.value);
    step = microbatchesPerStep > 0 ? last / microbatchesPerStep : 0;
    Trace newest = trace;
    Nanoseconds begin = std::numeric_limits<Nanoseconds>::max();
    for (TraceLane& lane : newest.lanes) {
        std::vector<Span> kept;
        for (const Span& span : lane.spans)
            if (span.name == 0 && onGrid(span.task.work) && span.task.microbatch.value >= step * microbatchesPerStep)
                kept.push_back(span);
        lane.spans = std::move(kept);
        lane.measurements.clear();
        if (!lane.spans.empty())
            begin = std::min(begin, lane.spans.front().start);
    }
    for (TraceLane& lane : newest.lanes)
        for (Span& span : lane.spans) {
            span.start -= begin;
            span.end -= begin;
        }
    return newest;
}

Execution::Execution(QObject* parent) : QObject(parent)
{
    m_timer.setInterval(100);
    connect(&m_timer, &QTimer::timeout, this, &Execution::poll);
}

Execution::~Execution()
{
    if (!m_process)
        return;
    // The child closes its document cleanly when it is asked to end.
    m_process->disconnect(this);
    m_process->terminate();
    if (!m_process->waitForFinished(3000))
        m_process->kill();
}

QString Execution::program()
{
    const QString asked = qEnvironmentVariable("BUBBLESCOPE_PROGRAM");
    return asked.isEmpty() ? QCoreApplication::applicationDirPath() + QStringLiteral("/bubblescope") : asked;
}

void Execution::start(const ExecutionOrder& order)
{
    m_order = order;
    m_next = 0;
    m_cancelled = false;
    m_run = order.lastRun;
    m_folder = std::make_unique<QTemporaryDir>();
    if (!QFileInfo(program()).isExecutable()) {
        end(tr("The program %1 is missing, and it is what executes. Install or build it beside this one.")
                .arg(program()));
        return;
    }
    startNext();
}

/// The order as a file whose name is the order's: so it is called in the document.
QString Execution::writeOrder(const CustomOrder& order) const
{
    const QString name = QString::fromStdString(order.name).replace(QLatin1Char('/'), QLatin1Char('-'));
    const QString path = m_folder->filePath(name + QStringLiteral(".order"));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(QByteArray::fromStdString(ordersText(order.schedule)));
    return path;
}

void Execution::startNext()
{
    const QString file = m_folder->filePath(QStringLiteral("experiment%1.json").arg(m_next));
    QFile json(file);
    if (!json.open(QIODevice::WriteOnly)) {
        end(tr("%1 can't be written: free some space there and try again.").arg(file));
        return;
    }
    json.write(QByteArray::fromStdString(toJson(m_order.experiments[m_next]).dump()));
    json.close();
    m_trace = Trace();
    m_follower.reset();
    m_process = new QProcess(this);
    connect(m_process, &QProcess::finished, this, &Execution::onFinished);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            onFinished(1, QProcess::NormalExit);
    });
    QStringList arguments{QStringLiteral("run"),       file,
                          QStringLiteral("--backend"), m_order.backend,
                          QStringLiteral("--steps"),   QString::number(m_order.steps),
                          QStringLiteral("-o"),        m_order.document,
                          QStringLiteral("--json")};
    if (m_next < m_order.orders.size() && m_order.orders[m_next])
        arguments << QStringLiteral("--order") << writeOrder(*m_order.orders[m_next]);
    m_process->start(program(), arguments);
    m_timer.start();
    Q_EMIT progress(-1, tr("%1: starting").arg(m_order.titles[m_next]));
}

void Execution::cancel()
{
    if (!m_process)
        return;
    if (m_cancelled)
        m_process->kill();
    else
        m_process->terminate();
    m_cancelled = true;
}

void Execution::findRun()
{
    if (!QFileInfo::exists(m_order.document))
        return;
    const Document document = Document::open(m_order.document.toStdString(), Document::Mode::ReadOnly);
    for (const RunInfo& info : document.runs()) {
        if (info.id <= m_run || info.header.label == RunLabel::Predicted)
            continue;
        m_run = info.id;
        m_head = headOf(info);
        m_head.number = -3;
        m_follower = std::make_unique<RunFollower>(m_order.document.toStdString(), info.id);
        return;
    }
}

void Execution::poll()
{
    try {
        if (!m_follower)
            findRun();
        if (!m_follower)
            return;
        const RunUpdate update = m_follower->poll();
        if (update.empty())
            return;
        append(m_trace, update);
        publish();
    } catch (const std::runtime_error&) {
        // A document that is just being written may not be readable for a moment: the next poll sees more.
    }
}

void Execution::publish()
{
    int step = 0;
    auto live = std::make_shared<RunView>(m_head);
    live->steps = m_order.steps;
    live->trace = newestStep(m_trace, m_order.experiments[m_next].microbatches, step);
    live->step = std::min(step, m_order.steps - 1);
    live->idle = gapsOf(live->trace);
    live->experiment = m_order.experiments[m_next];
    const double share = (static_cast<double>(m_next) + static_cast<double>(live->step + 1) / m_order.steps) /
                         static_cast<double>(m_order.experiments.size());
    Q_EMIT progress(std::min(0.99, share),
                    tr("%1: step %2 of %3").arg(m_order.titles[m_next]).arg(live->step + 1).arg(m_order.steps));
    Q_EMIT liveChanged(live);
}

void Execution::onFinished(int code, QProcess::ExitStatus status)
{
    poll();
    m_timer.stop();
    const QString said = QString::fromUtf8(m_process->readAllStandardError()).trimmed();
    m_process->deleteLater();
    m_process = nullptr;
    if (m_cancelled)
        return end(tr("Cancelled. What was executed until then is kept."));
    if (status == QProcess::CrashExit)
        return end(tr("The executing program ended unexpectedly. What it had written is kept; `bubblescope doctor` "
                      "checks this machine."));
    if (code != 0)
        return end(said.isEmpty() ? tr("The execution failed. Run `%1 run` in a terminal to see more.").arg(program())
                                  : said.section(QLatin1Char('\n'), -1));
    if (++m_next < m_order.experiments.size())
        return startNext();
    end({});
}

void Execution::end(const QString& sentence)
{
    m_folder.reset();
    m_follower.reset();
    Q_EMIT finished(sentence);
}

} // namespace bubblescope::viz
