#include "tests/support/run_catch.h"

int main(int argc, char** argv)
{
    return bubblescope::test::runCatch(argc, argv);
}
