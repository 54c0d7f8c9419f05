// `doctor`: what this machine can do, and the one step that helps for each thing missing.

#include "app/cli/command.h"
#include "kernels/cpu/gemm.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <thread>

namespace bubblescope::cli {
namespace {

using nlohmann::json;

struct Finding {
    std::string what;
    bool good;
    std::string found;
    std::string step; ///< what helps; empty when nothing is missing
};

Finding blas()
{
    const cpu::BlasDescription description = cpu::blasDescription();
    const bool safe = cpu::blasFlavour() != cpu::BlasFlavour::Serial;
    return {
        "OpenBLAS", safe,
        fmt::format("{}, {} flavour, kernels for {}", description.config, description.flavour, description.core),
        safe ? ""
             : "install libopenblas0-pthread: the serial flavour computes wrong numbers when several threads call it"};
}

std::vector<Finding> examine()
{
    const unsigned cores = std::thread::hardware_concurrency();
    return {
        {"cores", cores > 0, fmt::format("{}; more workers than cores are replayed from their CPU time", cores), ""},
        blas(),
        {"SQLite", true, sqlite3_libversion(), ""},
        {"CUDA", false, "this version has no CUDA backend", "use --backend cpu or --backend paced"},
        {"MPI", false, "this version runs in one process", "use --backend cpu or --backend paced"},
    };
}

int doctor(const Context& context)
{
    const std::vector<Finding> findings = examine();
    if (context.json) {
        json all = json::array();
        for (const Finding& finding : findings)
            all.push_back(
                {{"what", finding.what}, {"good", finding.good}, {"found", finding.found}, {"step", finding.step}});
        context.print(json{{"findings", all}});
        return Done;
    }
    for (const Finding& finding : findings)
        context.print(fmt::format("{:<3} {:<10} {}{}", finding.good ? "ok" : "--", finding.what, finding.found,
                                  finding.step.empty() ? "" : fmt::format("; {}", finding.step)));
    return Done;
}

} // namespace

void addDoctor(CLI::App& app, Context& context)
{
    CLI::App* command = subcommand(app, context, "doctor", "what this machine can do");
    command->callback([&context] { context.action = [&context] { return doctor(context); }; });
}

} // namespace bubblescope::cli
