// Any bytes as a PyTorch schedule file: read, checked and written again, or refused with an Error.

#include "core/schedule/torch_csv.h"

#include "core/base/error.h"
#include "core/schedule/program.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace bubblescope;
    try {
        const TorchCsv csv = readTorchCsv({reinterpret_cast<const char*>(data), size});
        checkProgram(programOf(csv));
        const TorchImport import = importTorchCsv(csv);
        const bool valid = checkSchedule(import.schedule, csv).problems.empty();
        const TorchExport written = exportTorchCsv(import.schedule);
        const TorchImport again = importTorchCsv(readTorchCsv(written.csv));
        if (valid && again.schedule.tasks != import.schedule.tasks)
            std::abort(); // what was written must read back as the same order
    } catch (const Error&) {
    }
    return 0;
}
