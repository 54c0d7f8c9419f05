// Starts Catch, and tells CTest when a test was skipped: Catch 2 has no word for that.
//
// A test that can't run here says so and returns:
//     WARN("SKIPPED: no reference orders in " << folder);
//     return;
// A program in which every test that ran was skipped, and none failed, ends with `skippedExitCode`.

#pragma once

namespace bubblescope::test {

inline constexpr int skippedExitCode = 77; ///< SKIP_RETURN_CODE in tests/CMakeLists.txt

int runCatch(int argc, char** argv);

} // namespace bubblescope::test
