// Runs the measurements named on the command line, or all of them.

#include "bench.h"

#include <fmt/format.h>

#include <string_view>

namespace {

struct Subject {
    std::string_view name;
    void (*run)();
};

constexpr Subject subjects[] = {
    {"kernels", bubblescope::bench::benchKernels},     {"execute", bubblescope::bench::benchExecute},
    {"search", bubblescope::bench::benchSearch},       {"simulate", bubblescope::bench::benchSimulate},
    {"catalogue", bubblescope::bench::benchCatalogue}, {"store", bubblescope::bench::benchStore},
    {"edit", bubblescope::bench::benchEdit},
};

bool wanted(std::string_view name, int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
        if (name == argv[i])
            return true;
    return argc == 1;
}

} // namespace

int main(int argc, char** argv)
{
    bool any = false;
    for (const Subject& subject : subjects) {
        if (!wanted(subject.name, argc, argv))
            continue;
        subject.run();
        any = true;
    }
    if (!any)
        fmt::print(stderr, "There is no such measurement; there are:");
    for (const Subject& subject : subjects)
        if (!any)
            fmt::print(stderr, " {}", subject.name);
    if (!any)
        fmt::print(stderr, "\n");
    return any ? 0 : 2;
}
