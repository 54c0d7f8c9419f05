// How fast the timeline is: frames, pans, colours, eight runs, memory; printed, never asserted.
//
//     QT_QPA_PLATFORM=offscreen build/release/bin/bubblescope_ui_bench [millions of spans, 10] [section]
//
// 64 lanes on 1600 pixels, spans of 1 to 9.2 µs with pauses of 0 to 2 µs, 8 kinds of work, microbatches as
// labels; then a simulated schedule of about as many tasks, which has long pauses and equal bars. Beside the wall clock stands the processor time of all threads: on a busy machine it is the one that tells.
// The baseline is what a painter without an index does: every visible span is looked at, and
// one fillRect per run of pixels of equal colour is made. Figures are milliseconds; the load of the machine
// stands beside them, because they mean little without it.

#include "tests/bench/window/window_bench.h"

#include "core/schedule/registry.h"
#include "core/simulate/simulate.h"
#include "viz/timeline/timeline_stack.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollArea>
#include <QThread>
#include <QThreadPool>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <unistd.h>

namespace bubblescope::bench {

using namespace viz;

TraceColumns syntheticColumns(std::size_t spans, unsigned seed)
{
    TraceColumns columns;
    columns.pool = std::make_shared<BlockPool>();
    LaneColumnsWriter writer(*columns.pool);
    std::mt19937 random(seed);
    constexpr std::array works = {Work::Forward,   Work::Backward, Work::InputGradient, Work::WeightGradient,
                                  Work::Recompute, Work::Update,   Work::AllReduce,     Work::Filler};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        Nanoseconds time = 0;
        for (std::size_t i = 0; i < spans / lanes; ++i) {
            SpanEntry entry;
            entry.start = time;
            entry.end = time + 1000 + static_cast<Nanoseconds>(random() % 8200);
            entry.kind.work = works[random() % works.size()];
            entry.kind.stage = Stage(lane);
            entry.number = static_cast<std::uint32_t>(i / 2 % 256);
            entry.source = static_cast<std::uint32_t>(i);
            writer.add(entry);
            time = entry.end + static_cast<Nanoseconds>(random() % 2000);
        }
        LaneColumns& made = columns.lanes.emplace_back(writer.finish());
        made.device = Device(lane);
    }
    measure(columns);
    return columns;
}

namespace {

RunPtr runOf(TraceColumns columns, int number)
{
    auto run = std::make_shared<RunView>();
    run->number = number;
    run->label = RunLabel::Recorded;
    run->title = QStringLiteral("synthetic");
    run->columns = std::make_shared<const TraceColumns>(std::move(columns));
    for (const LaneColumns& lane : run->columns->lanes)
        run->trace.lanes.push_back({lane.device, lane.kind, lane.index, {}, {}});
    run->idle = idleOf(*run->columns);
    return run;
}

/// Interleaved 1F1B on 64 devices with as many microbatches as make that many tasks.
TraceColumns scheduleColumns(std::size_t spans)
{
    const RecipeInfo& info = recipe("interleaved-1f1b");
    const int microbatches = std::max(64, static_cast<int>(spans / (lanes * 4) / 64 * 64));
    const Schedule schedule =
        buildSchedule(info, {static_cast<int>(lanes), 2, microbatches, parseRecipe(info.id).parameters});
    Costs costs(schedule.shape.stages);
    costs.set(Work::Forward, 2000);
    costs.set(Work::Backward, 4000);
    Timing timing;
    Simulator(schedule).run(costs, timing);
    return columnsOf(traceOf(schedule, timing));
}

} // namespace

RunPtr syntheticRun(std::size_t spans, int number)
{
    return runOf(syntheticColumns(spans, static_cast<unsigned>(number)), number);
}

double megabytes()
{
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    statm >> total >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

std::string load()
{
    std::array<double, 3> loads{};
    return getloadavg(loads.data(), 3) == 3 ? fmt::format("load {:.1f}", loads[0]) : std::string("load unknown");
}

Figures figures(int times, const std::function<void(int)>& frame)
{
    const auto processor = [] {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    };
    std::vector<double> taken;
    std::vector<double> computed;
    for (int i = 0; i < times; ++i) {
        QElapsedTimer timer;
        timer.start();
        const double before = processor();
        frame(i);
        computed.push_back(processor() - before);
        taken.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(taken.begin(), taken.end());
    std::sort(computed.begin(), computed.end());
    const auto late = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(times)));
    return {taken.front(), taken[taken.size() / 2], taken[std::min(taken.size() - 1, late)],
            computed[computed.size() / 2], computed[std::min(computed.size() - 1, late)]};
}

void print(const std::string& what, const Figures& taken, const std::string& goal)
{
    fmt::print("  {:<44} least {:>7.2f}  median {:>7.2f}  p99 {:>7.2f} ms,  of CPU {:>7.2f} {:>7.2f}  {:<14} {}\n",
               what, taken.least, taken.median, taken.p99, taken.medianOfCpu, taken.p99OfCpu, goal, load());
    std::fflush(stdout);
}

namespace {

/// Timelines as wide as the goal says, shown.
struct Shown {
    Shown(const std::vector<RunPtr>& runs, int height, double rowHeight)
    {
        stack.resize(1600 + 160, height);
        stack.setRuns(runs);
        stack.show();
        QApplication::processEvents();
        const double extra = 1602 - stack.views().front()->layout().frame.width();
        stack.resize(stack.width() + static_cast<int>(extra), height);
        QApplication::processEvents();
        if (rowHeight > 0)
            for (TimelineView* view : stack.views())
                view->setRowHeight(rowHeight);
        QApplication::processEvents();
    }

    void frame()
    {
        for (TimelineView* view : stack.views())
            view->repaint();
    }

    TimelineStack stack;
};

TimeRange rangeAt(const TimeRange& whole, int zoom, int step)
{
    const Nanoseconds length = whole.length() / zoom;
    const Nanoseconds room = whole.length() - length;
    return {whole.begin + room * step / 97, whole.begin + room * step / 97 + length};
}

/// What the rows cost without an index: all visible spans, one fillRect per run of pixels of equal colour.
void paintBaseline(QImage& image, const std::vector<TimelineRow>& rows, const TimeRange& visible, int rowHeight)
{
    QPainter painter(&image);
    std::vector<QRgb> pixels(static_cast<std::size_t>(image.width()));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::fill(pixels.begin(), pixels.end(), lightTheme().hatch.rgb());
        const double perNanosecond = image.width() / static_cast<double>(visible.length());
        for (const SpanChunk& chunk : rows[row].bars.spans().chunks())
            for (std::uint32_t i = 0; i < chunk.count; ++i) {
                if (chunk.end(i) <= visible.begin || chunk.start(i) >= visible.end)
                    continue;
                const auto at = [&](Nanoseconds time) {
                    return std::clamp(static_cast<int>(static_cast<double>(time - visible.begin) * perNanosecond), 0,
                                      image.width() - 1);
                };
                const QRgb colour = lightTheme().of(chunk.kinds[chunk.kind[i]].work).rgb();
                for (int x = at(chunk.start(i)); x <= at(chunk.end(i)); ++x)
                    pixels[static_cast<std::size_t>(x)] = colour;
            }
        for (int x = 0; x < image.width();) {
            int to = x + 1;
            while (to < image.width() && pixels[static_cast<std::size_t>(to)] == pixels[static_cast<std::size_t>(x)])
                ++to;
            painter.fillRect(x, static_cast<int>(row) * (rowHeight + 1), to - x, rowHeight,
                             QColor(pixels[static_cast<std::size_t>(x)]));
            x = to;
        }
    }
}

void benchFrames(Shown& shown, int frames, bool withBaseline)
{
    RangeController& range = shown.stack.range();
    const TimeRange whole = range.trace();
    QImage baseline(1600, 64 * 18, QImage::Format_RGB32);
    for (int zoom = 1; zoom <= 8192; zoom *= 4) {
        // Every frame is another place (at full zoom, another length), so that nothing can be kept.
        const Figures taken = figures(zoom == 1 ? std::min(frames, 40) : frames, [&](int i) {
            range.setVisible(
                zoom == 1 ? TimeRange{whole.begin, whole.end - (i + 1) * 1000}
                          : TimeRange{rangeAt(whole, zoom, i % 97).begin, rangeAt(whole, zoom, i % 97).end + i * 10});
            shown.frame();
        });
        print(fmt::format("frame, 1/{} of the run, one thread", zoom), taken, "goal 8 / 16");
        if (withBaseline && (zoom == 1 || zoom == 64)) {
            const auto& rows = shown.stack.views().front()->picture().rows;
            print("  baseline: fillRect per run of equal colour",
                  figures(3, [&](int i) { paintBaseline(baseline, rows, rangeAt(whole, zoom, i), 17); }), "");
        }
    }
}

void benchPan(Shown& shown)
{
    RangeController& range = shown.stack.range();
    for (const int zoom : {4, 64, 1024}) {
        range.setVisible(rangeAt(range.trace(), zoom, 20));
        shown.frame();
        const auto pixel = static_cast<double>(range.visible().length()) / 1600;
        for (int i = 0; i < 10; ++i)
            shown.frame(); // letters that wait
        print(fmt::format("pan by 5 pixels, 1/{}", zoom),
              figures(200,
                      [&](int) {
                          const auto by = static_cast<Nanoseconds>(5 * pixel);
                          range.setVisible({range.visible().begin + by, range.visible().end + by});
                          shown.frame();
                      }),
              "goal 1");
    }
    print("hover: the cursor moves, nothing else",
          figures(200,
                  [&](int i) {
                      range.setCursor(range.visible().begin + i * 1000);
                      shown.frame();
                  }),
          "");
}

void benchColours(Shown& shown)
{
    shown.stack.range().showAll();
    shown.frame();
    const RunPicture& picture = shown.stack.views().front()->picture();
    PictureColours colours(picture.rows);
    colours.colour(picture.rows, lightTheme(), {}, {});
    const std::array ways = {ColourBy::Microbatch, ColourBy::Chunk, ColourBy::Work};
    print("colouring everything anew",
          figures(30,
                  [&](int i) {
                      colours.colour(picture.rows, lightTheme(), {ways[static_cast<std::size_t>(i) % 3], {}, 0}, {});
                  }),
          "goal 25");
    print("the same with its frame",
          figures(30,
                  [&](int i) {
                      shown.stack.setColouring({ways[static_cast<std::size_t>(i) % 3], {}, 0});
                      shown.frame();
                  }),
          "");
    shown.stack.setColouring({});
}

} // namespace

void benchTimeline(std::size_t spans)
{
    const double before = megabytes();
    const RunPtr run = syntheticRun(spans, 1);
    fmt::print("{} million spans, 64 lanes, 1600 pixels\n", spans / 1'000'000);
    {
        QThreadPool::globalInstance()->setMaxThreadCount(1);
        Shown shown({run}, 1250, 15);
        shown.frame();
        fmt::print("  memory: {:.1f} bytes a span over the window without a run (goal 24), {:.0f} MB in all\n",
                   (megabytes() - before) * 1e6 / static_cast<double>(spans), megabytes());
        benchFrames(shown, 97, true);
        benchPan(shown);
        benchColours(shown);
    }
}

void benchSchedule(std::size_t spans)
{
    const RunPtr run = runOf(scheduleColumns(spans), 2);
    fmt::print("interleaved 1F1B on 64 devices, {:.1f} million tasks, simulated\n",
               static_cast<double>(run->columns->spanCount()) / 1e6);
    QThreadPool::globalInstance()->setMaxThreadCount(1);
    Shown shown({run}, 1250, 15);
    benchFrames(shown, 97, false);
    benchPan(shown);
}

void benchStacked(std::size_t spans)
{
    fmt::print("8 runs, {} million spans in all, 512 lanes of 3 pixels\n", spans / 1'000'000);
    std::vector<RunPtr> runs;
    for (int i = 0; i < 8; ++i)
        runs.push_back(syntheticRun(spans / 8, 10 + i));
    for (const int threads : {1, 2}) {
        QThreadPool::globalInstance()->setMaxThreadCount(threads);
        Shown shown(runs, 2600, 3);
        RangeController& range = shown.stack.range();
        const TimeRange whole = range.trace();
        for (const int zoom : {1, 16, 256})
            print(fmt::format("frame, 1/{}, {} thread(s)", zoom, threads),
                  figures(40,
                          [&](int i) {
                              range.setVisible({rangeAt(whole, zoom, zoom == 1 ? 0 : i).begin,
                                                rangeAt(whole, zoom, zoom == 1 ? 0 : i).end - (i + 1) * 10});
                              shown.frame();
                          }),
                  "goal 16");
        QThread::msleep(200);
        print(fmt::format("the last one once more, finely, {} thread(s)", threads),
              figures(1,
                      [](int) {
                          for (int i = 0; i < 4; ++i) // the end of the rest, and what it asks for
                              QApplication::processEvents();
                      }),
              "");
    }
}

} // namespace bubblescope::bench
