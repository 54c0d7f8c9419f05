// What every command of `bubblescope` shares: where it prints, and how it is registered.
//
//     main ── runCommandLine ──► CLI11 parses ──► the chosen command's action
//
// An action returns the exit code; Error becomes a sentence and 2, Failure a sentence and 1. With
// --json one JSON object goes to standard output and nothing else does.

#pragma once

#include "core/base/error.h"
#include "core/base/progress.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): CLI11 calls itself so
class App;
}

namespace bubblescope::cli {

/// 0 done, 1 the work failed, 2 bad usage or bad input.
enum ExitCode : int { Done = 0, WorkFailed = 1, BadInput = 2 };

struct Context {
    std::ostream& out;
    std::ostream& err;
    bool terminal = false; ///< progress bars only there
    bool json = false;
    std::function<int()> action; ///< set by the command that was chosen

    void print(const nlohmann::json& object) const;
    void print(const std::string& text) const;
    void warn(const std::string& sentence) const;

    /// Draws a bar on a terminal, nothing elsewhere.
    Progress::Sink progressBar() const;

    /// Ends the bar's line.
    void endProgress() const;
};

/// Each adds its subcommand. One line per command in command_line.cpp.
void addList(CLI::App& app, Context& context);
void addExplain(CLI::App& app, Context& context);
void addSimulate(CLI::App& app, Context& context);
void addRun(CLI::App& app, Context& context);
void addReport(CLI::App& app, Context& context);
void addSearch(CLI::App& app, Context& context);
void addCompare(CLI::App& app, Context& context);
void addSchedule(CLI::App& app, Context& context);
void addExport(CLI::App& app, Context& context);
void addInfo(CLI::App& app, Context& context);
void addDoctor(CLI::App& app, Context& context);

/// A subcommand with --json.
CLI::App* subcommand(CLI::App& app, Context& context, const std::string& name, const std::string& help);

/// From here on SIGINT and SIGTERM don't end the program; interrupted() tells that one came.
void watchInterrupts();
bool interrupted();

/// Parses and runs; never throws.
int runCommandLine(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err, bool terminal);

} // namespace bubblescope::cli
