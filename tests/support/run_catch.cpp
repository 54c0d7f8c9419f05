#define CATCH_CONFIG_RUNNER

#include "tests/support/run_catch.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

namespace bubblescope::test {
namespace {

/// The test cases that have run and those that said SKIPPED. Catch makes the listener itself, so it can only write to
/// something that outlives it.
struct Seen {
    std::set<std::string> run;
    std::set<std::string> skipped;
};

Seen& seen()
{
    static Seen cases;
    return cases;
}

struct SkipListener : Catch::TestEventListenerBase {
    using TestEventListenerBase::TestEventListenerBase;

    void testCaseStarting(const Catch::TestCaseInfo& info) override
    {
        m_name = info.name;
        seen().run.insert(m_name);
    }

    bool assertionEnded(const Catch::AssertionStats& stats) override
    {
        for (const Catch::MessageInfo& message : stats.infoMessages)
            if (message.type == Catch::ResultWas::Warning && message.message.rfind("SKIPPED:", 0) == 0)
                seen().skipped.insert(m_name);
        const Catch::AssertionResult& result = stats.assertionResult;
        if (result.getResultType() == Catch::ResultWas::Warning && result.getMessage().rfind("SKIPPED:", 0) == 0)
            seen().skipped.insert(m_name);
        return true;
    }

private:
    std::string m_name;
};

CATCH_REGISTER_LISTENER(SkipListener)

} // namespace

int runCatch(int argc, char** argv)
{
    const int failures = Catch::Session().run(argc, argv);
    const bool allSkipped = !seen().run.empty() && seen().run == seen().skipped;
    if (failures != 0)
        return 1; // not Catch's count of failures, which may be skippedExitCode
    return allSkipped ? skippedExitCode : 0;
}

} // namespace bubblescope::test
