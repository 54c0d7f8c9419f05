// The command line program. Everything is in command_line.cpp, so that tests can call it.

#include "app/cli/command.h"

#include <iostream>
#include <unistd.h>

int main(int argc, char** argv)
{
    return bubblescope::cli::runCommandLine({argv + 1, argv + argc}, std::cout, std::cerr, isatty(STDERR_FILENO) != 0);
}
