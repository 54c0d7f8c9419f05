// One function per subject; each prints a small table. Measures, not tests: nothing is asserted.

#pragma once

namespace bubblescope::bench {

void benchKernels();
void benchExecute();
void benchSearch();
void benchSimulate();
void benchCatalogue();
void benchStore();
void benchEdit();

} // namespace bubblescope::bench
