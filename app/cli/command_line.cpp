#include "app/cli/command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iostream>

namespace bubblescope::cli {
namespace {

std::atomic<bool> interruptCame{false};

void onInterrupt(int)
{
    interruptCame.store(true, std::memory_order_relaxed);
}

/// CLI11's own errors as sentences with a next step.
int explainParseError(const CLI::App& app, const CLI::ParseError& error, Context& context)
{
    if (error.get_exit_code() == 0) { // --help, --version
        std::ostringstream out;
        app.exit(error, out, out);
        context.out << out.str();
        return Done;
    }
    const CLI::App* chosen = &app;
    for (const CLI::App* sub : app.get_subcommands())
        chosen = sub;
    context.warn(fmt::format("{} See `{} --help`.", error.what(),
                             chosen == &app ? app.get_name() : app.get_name() + " " + chosen->get_name()));
    return BadInput;
}

/// CLI11 would only say that a command is required.
void refuseUnknownCommand(const CLI::App& app, const std::vector<std::string>& arguments)
{
    if (arguments.empty() || arguments.front().empty() || arguments.front().front() == '-')
        return;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(nullptr))
        names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), arguments.front()) == names.end())
        throw Error("there is no command '{}'; the commands are {}.", arguments.front(), fmt::join(names, ", "));
}

} // namespace

void Context::print(const nlohmann::json& object) const
{
    out << object.dump(2) << '\n';
}

void Context::print(const std::string& text) const
{
    out << text;
    if (!text.empty() && text.back() != '\n')
        out << '\n';
}

void Context::warn(const std::string& sentence) const
{
    err << sentence << '\n';
}

Progress::Sink Context::progressBar() const
{
    if (!terminal)
        return {};
    return [this](double fraction, const std::string& message) {
        constexpr int width = 30;
        const int filled = fraction < 0 ? 0 : static_cast<int>(fraction * width);
        const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                                std::string(static_cast<std::size_t>(width - filled), '.');
        err << fmt::format("\r[{}] {:<40}", bar, message) << std::flush;
    };
}

void Context::endProgress() const
{
    if (terminal)
        err << '\r' << std::string(80, ' ') << '\r' << std::flush;
}

CLI::App* subcommand(CLI::App& app, Context& context, const std::string& name, const std::string& help)
{
    CLI::App* command = app.add_subcommand(name, help);
    command->add_flag("--json", context.json, "one JSON object on standard output");
    return command;
}

void watchInterrupts()
{
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
}

bool interrupted()
{
    return interruptCame.load(std::memory_order_relaxed);
}

int runCommandLine(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err, bool terminal)
{
    Context context{out, err, terminal, false, {}};
    CLI::App app("Simulate, execute and compare pipeline schedules.", "bubblescope");
    app.set_version_flag("--version", std::string("bubblescope ") + BUBBLESCOPE_VERSION);
    app.require_subcommand(1);
    addList(app, context);
    addExplain(app, context);
    addSimulate(app, context);
    addRun(app, context);
    addReport(app, context);
    addSearch(app, context);
    addCompare(app, context);
    addSchedule(app, context);
    addExport(app, context);
    addInfo(app, context);
    addDoctor(app, context);
    try {
        refuseUnknownCommand(app, arguments);
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
        app.parse(reversed);
        return context.action ? context.action() : BadInput;
    } catch (const CLI::ParseError& error) {
        return explainParseError(app, error, context);
    } catch (const Error& error) {
        context.endProgress();
        context.warn(fmt::format("bubblescope: {}", error.what()));
        return BadInput;
    } catch (const Cancelled&) {
        context.endProgress();
        context.warn("bubblescope: cancelled");
        return WorkFailed;
    } catch (const std::exception& error) {
        context.endProgress();
        context.warn(fmt::format("bubblescope: {}", error.what()));
        return WorkFailed;
    }
}

} // namespace bubblescope::cli
