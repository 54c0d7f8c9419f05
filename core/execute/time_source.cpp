#include "core/execute/time_source.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <thread>
#include <vector>

namespace bubblescope {
namespace {

/// Cores by the quota of the cgroup (v2, as seen from inside a container); 0 when there is none.
int quotaCores()
{
    std::ifstream file("/sys/fs/cgroup/cpu.max");
    std::string quota;
    double period = 0;
    if (!(file >> quota >> period) || quota == "max" || period <= 0)
        return 0;
    return std::max(1, static_cast<int>(std::lround(std::atof(quota.c_str()) / period)));
}

} // namespace

Nanoseconds SystemTime::wall()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Nanoseconds SystemTime::threadCpu()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<Nanoseconds>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

void prepareWorkerThread(const std::string& name)
{
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str()); // the kernel keeps 15 characters
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

int usableCores()
{
    int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        cores = std::max(1, CPU_COUNT(&allowed));
    const int quota = quotaCores();
    return quota > 0 ? std::min(cores, quota) : cores;
}

Nanoseconds calibrationProduct(TimeSource& time)
{
    constexpr std::size_t n = 96;
    constexpr int repeats = 5;
    std::vector<float> a(n * n, 0.5F);
    std::vector<float> b(n * n, 0.25F);
    std::vector<float> c(n * n);
    Nanoseconds best = INT64_MAX;
    volatile float keep = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const Nanoseconds begin = time.wall();
        std::fill(c.begin(), c.end(), 0.0F);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t j = 0; j < n; ++j)
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
        best = std::min(best, time.wall() - begin);
        keep = keep + c[n + 1];
        a[0] = keep; // each repeat depends on the one before, so none can be left out
    }
    return best;
}

} // namespace bubblescope
