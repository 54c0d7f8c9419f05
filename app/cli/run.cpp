// `run`: really executes every schedule of an experiment, beside its prediction.
//
// The document gets the predictions first, then the executions: with two schedules runs 1 and 2 are
// predicted and 3 and 4 measured.

#include "app/cli/command.h"
#include "app/cli/experiment_options.h"
#include "app/cli/prediction.h"
#include "app/cli/training.h"
#include "core/analyze/compare.h"
#include "core/base/error.h"
#include "core/custom_order.h"
#include "core/execute/engine.h"
#include "core/schedule/order_text.h"
#include "core/schedule/torch_csv.h"
#include "core/schedule/validate.h"
#include "core/trace/run_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <optional>

namespace bubblescope::cli {
namespace {

using nlohmann::json;

struct Options {
    ExperimentOptions experiment;
    std::string backend = "cpu";
    std::string data;
    std::string order; ///< file
    std::string output;
    bool verify = false;
    int capacity = 0;
};

/// Everything that the runs of one call share.
struct Session {
    Experiment experiment;
    Backend backend;
    std::unique_ptr<cpu::TransformerMaker> maker;
    std::unique_ptr<cpu::GraphMaker> graph; ///< for schedules that want it
    Document* document = nullptr;
};

/// One executed schedule and its prediction.
struct Executed {
    Experiment experiment; ///< with the costs that this schedule was predicted with
    Prediction prediction;
    RunReport predicted;
    std::optional<RunReport> measured;
    RunResult result;
    int predictedId = 0;
    int measuredId = 0;
};

/// Writes into a document and lets it be followed while the run goes on; without one, into memory.
class Recording {
public:
    Recording(Document* document, const RunHeader& header)
    {
        if (document != nullptr)
            m_writer = document->record(header);
    }

    TraceSink& sink() { return m_writer ? static_cast<TraceSink&>(*m_writer) : m_memory; }

    int id() const { return m_writer ? m_writer->run() : 0; }

    void finish(const RunOutcome& outcome)
    {
        if (m_writer)
            m_writer->finish(outcome);
    }

private:
    std::unique_ptr<RunWriter> m_writer;
    TraceCollector m_memory;
};

json verifyJson(const VerifyResult& verify)
{
    return {{"passed", verify.passed},
            {"bit_equal", verify.bitEqual},
            {"bits_expected", verify.bitsExpected},
            {"max_relative_gradient_error", verify.maxRelativeGradientError},
            {"worst_tensor", verify.worstTensor},
            {"tensors", verify.tensors},
            {"loss", verify.loss},
            {"reference_loss", verify.referenceLoss},
            {"sentence", verify.sentence}};
}

RunState stateOf(RunResult::State state)
{
    return state == RunResult::State::Complete    ? RunState::Complete
           : state == RunResult::State::Cancelled ? RunState::Cancelled
                                                  : RunState::Failed;
}

/// The report of what was executed, when all of its tasks took place.
std::optional<RunReport> measuredReport(const Executed& run)
{
    if (run.result.state != RunResult::State::Complete)
        return std::nullopt;
    const Plan& plan = run.prediction.plan;
    return reportOf(run.experiment, {plan, timingOf(run.result.trace, plan.schedule, 0)}, run.result.label);
}

json measuredJson(const Executed& run)
{
    json entry = run.measured ? toJson(*run.measured) : json::object();
    const RunResult& result = run.result;
    entry["state"] = runStateName(result.state);
    entry["label"] = runLabelText(result.label);
    entry["losses"] = result.losses;
    entry["wall_makespan_ns"] = result.wallMakespan;
    entry["virtual_makespan_ns"] = result.virtualMakespan;
    entry["wall_over_cpu_median"] = result.stretchMedian;
    entry["wall_over_cpu_p90"] = result.stretchP90;
    entry["workers"] = result.workers;
    entry["cores"] = result.cores;
    if (result.verify.ran)
        entry["verify"] = verifyJson(result.verify);
    if (run.experiment.clipNorm > 0)
        entry["clipping"] = {{"clipped", result.clips.clipped},
                             {"skipped", result.clips.skipped},
                             {"rollbacks", result.clips.rollbacks}};
    if (run.measuredId > 0)
        entry["run"] = run.measuredId;
    return entry;
}

json runJson(const Executed& run)
{
    json entry = toJson(run.predicted);
    entry["measured"] = measuredJson(run);
    entry["losses"] = run.result.losses;
    if (run.result.verify.ran)
        entry["verify"] = verifyJson(run.result.verify);
    if (run.predictedId > 0)
        entry["run"] = run.predictedId;
    return entry;
}

void execute(const Context& context, const Options& options, Session& session, Executed& run)
{
    RunHeader header = headerOf(run.experiment, run.prediction.plan,
                                session.backend.kind == Backend::Kind::Paced ? RunLabel::Emulated : RunLabel::Measured);
    if (run.predictedId > 0)
        header.parent = run.predictedId;
    header.provenance = session.backend.provenance.dump();
    Recording recording(session.document, header);
    run.measuredId = recording.id();
    RunOptions execution;
    execution.verify = options.verify;
    execution.capacity = options.capacity;
    const std::string title = run.predicted.title;
    execution.onLoss = [&context, &title](int step, double loss) {
        if (!context.json) {
            context.endProgress();
            context.print(fmt::format("{}  step {:>3}  loss {:.4f}", title, step, loss));
        }
    };
    Progress progress([&, bar = context.progressBar()](double fraction, const std::string& message) {
        if (bar)
            bar(fraction, fmt::format("{} {}", title, message));
        if (interrupted())
            progress.cancel();
    });
    Backend backend = session.backend;
    backend.partition = run.prediction.plan.partition;
    if (session.maker && wantsGraph(run.prediction.plan.schedule)) {
        if (!session.graph)
            session.graph = makeGraphModel(session.experiment);
        backend.maker = session.graph.get();
    }
    run.result = bubblescope::execute(run.prediction.plan, backend, execution, recording.sink(), progress);
    context.endProgress();
    run.measured = measuredReport(run);
    RunOutcome outcome;
    outcome.state = stateOf(run.result.state);
    outcome.sentence = run.result.sentence;
    outcome.summary = measuredJson(run).dump();
    outcome.losses = json(run.result.losses).dump();
    outcome.verify = run.result.verify.ran ? verifyJson(run.result.verify).dump() : std::string();
    outcome.provenance = run.result.provenance.dump();
    outcome.label = run.result.label;
    recording.finish(outcome);
    if (run.result.restated && session.document != nullptr)
        session.document->replaceTrace(run.measuredId, run.result.trace);
}

void print(const Context& context, const Executed& run)
{
    const RunResult& result = run.result;
    if (!result.sentence.empty())
        context.warn(result.sentence);
    for (const std::string& sentence : result.warnings)
        context.warn(sentence);
    if (result.verify.ran)
        context.print(result.verify.sentence);
    if (run.experiment.clipNorm > 0 && result.state == RunResult::State::Complete)
        context.print(fmt::format("Gradients were clipped in {} of {} steps; {} skipped, {} rolled back.",
                                  result.clips.clipped, result.losses.size(), result.clips.skipped,
                                  result.clips.rollbacks));
    if (run.measured)
        context.print(toText(compareRuns({run.predicted, *run.measured})) + "\n");
}

Session prepare(const Options& options)
{
    Session session;
    session.experiment = options.experiment.experiment();
    if (!options.experiment.costFrom().empty())
        takeCosts(options.experiment.costFrom(), session.experiment);
    if (options.backend == "paced") {
        if (options.verify)
            throw Error("--verify compares gradients, and the paced backend computes none; --backend cpu does.");
        session.backend.kind = Backend::Kind::Paced;
        return session;
    }
    session.backend.kind = Backend::Kind::Cpu;
    session.backend.recompute = session.experiment.recompute;
    session.backend.clipNorm = session.experiment.clipNorm;
    completeModel(session.experiment);
    session.maker = makeModel(session.experiment, options.data);
    session.backend.maker = session.maker.get();
    session.backend.provenance = provenanceOf(session.experiment, options.data);
    return session;
}

/// The order of --order: a PyTorch schedule file, or orders as documents hold them.
std::optional<CustomOrder> orderOf(const Options& options)
{
    if (options.order.empty())
        return std::nullopt;
    const std::filesystem::path path(options.order);
    const std::string text = readFile(options.order);
    const std::string name = path.stem().string();
    if (path.extension() == ".csv")
        return CustomOrder{name, importTorchCsv(readTorchCsv(text)).schedule};
    return CustomOrder{name, scheduleFromOrders(text)};
}

/// Throws Error for an order that can't complete.
Plan planWith(const Experiment& experiment, const RecipeSpec& spec, const std::optional<CustomOrder>& order)
{
    if (!order)
        return plan(experiment, spec);
    Plan made = planOrder(experiment, spec, *order);
    std::string sentences;
    for (const Problem& problem : validate(made.schedule))
        sentences += (sentences.empty() ? "" : "\n") + problem.sentence;
    if (!sentences.empty())
        throw Error("--order {}: {}", order->name, sentences);
    return made;
}

/// One schedule, planned and predicted; on cpu its costs come from FLOPs unless they were given.
Executed predictFor(const Options& options, const Session& session, const RecipeSpec& spec)
{
    Executed run;
    run.experiment = session.experiment;
    run.experiment.schedules = {spec};
    const std::optional<CustomOrder> order = orderOf(options);
    Plan first = planWith(run.experiment, spec, order);
    if (session.maker && !options.experiment.costGiven()) {
        predictCosts(first, run.experiment);
        first = planWith(run.experiment, spec, order);
    }
    run.prediction = predict(std::move(first));
    run.predicted = reportOf(run.experiment, run.prediction);
    return run;
}

int runAll(const Context& context, const Options& options)
{
    Session session = prepare(options);
    std::optional<Document> document;
    std::vector<Executed> runs;
    for (const RecipeSpec& spec : session.experiment.schedules)
        runs.push_back(predictFor(options, session, spec));
    if (!options.output.empty()) {
        document = Document::openOrCreate(options.output);
        session.document = &*document;
        for (Executed& run : runs)
            run.predictedId = store(*document, run.experiment, run.prediction, run.predicted);
    }
    watchInterrupts();
    json all = json::array();
    int code = Done;
    for (Executed& run : runs) {
        execute(context, options, session, run);
        if (context.json)
            all.push_back(runJson(run));
        else
            print(context, run);
        const bool wrong = run.result.verify.ran && !run.result.verify.passed;
        if (run.result.state != RunResult::State::Complete || wrong) {
            code = WorkFailed;
            break;
        }
    }
    if (context.json) {
        json warnings = json::array();
        for (const Executed& run : runs)
            for (const std::string& sentence : run.result.warnings)
                warnings.push_back(sentence);
        context.print(json{{"runs", all}, {"warnings", warnings}});
    } else if (document) {
        context.print(
            fmt::format("Stored in {}: `bubblescope info {}` lists the runs.", options.output, options.output));
    }
    return code;
}

} // namespace

void addRun(CLI::App& app, Context& context)
{
    CLI::App* command = subcommand(app, context, "run", "really execute schedules and compare with the prediction");
    auto options = std::make_shared<Options>();
    options->experiment.addTo(*command);
    command->add_option("--backend", options->backend, "cpu computes a real model, paced takes the modelled times")
        ->check(CLI::IsMember({"cpu", "paced"}));
    command->add_option("--data", options->data, "file whose bytes are the training text (default: the handbook)");
    command->add_flag("--verify", options->verify,
                      "compare with one device without a pipeline: the gradients of a step, or what all updates of an "
                      "asynchronous schedule do to the weights");
    command
        ->add_option("--capacity", options->capacity,
                     "messages in flight before a sender waits; 0: what the order needs")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--order", options->order,
                        "run the schedule's tasks in this order: FILE.csv as PyTorch writes it, or "
                        "lines such as `device 0 compute 0: 0F0 0B0`");
    command->add_option("-o,--output", options->output, "document to store the runs in");
    command->callback(
        [&context, options] { context.action = [&context, options] { return runAll(context, *options); }; });
}

} // namespace bubblescope::cli
