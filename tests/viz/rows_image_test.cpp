#include "core/trace/trace_sink.h"
#include "tests/viz/support.h"
#include "viz/timeline/rows_image.h"
#include "viz/timeline/timeline_stack.h"

#include <QApplication>
#include <QPaintEvent>
#include <QSignalSpy>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

/// A picture of one run and the places of its rows, without a widget.
struct Scene {
    explicit Scene(const RunPtr& run, double pixels = 1, double rowHeight = 26) : scale(pixels)
    {
        picture = std::move(picturesOf({run}, {true, {}, {}}).front());
        const TimelineMetrics metrics{QApplication::font()};
        const int rows = static_cast<int>(picture.rows.size());
        layout = layoutRun(QRectF(0, 0, 900, heightOfRun(metrics, rows, rowHeight)), rows, metrics, rowHeight);
    }

    RowsView view(TimeRange visible) const
    {
        return {picture, layout, visible, lightTheme(), QApplication::font(), scale};
    }

    RunPicture picture;
    RunLayout layout;
    double scale;
    LabelCache labels;
};

void showAll(RowsImage& image, const RowsView& view, LabelCache& labels)
{
    do
        image.show(view, labels);
    while (image.lacksLabels());
}

/// A run with bars of all widths, moments, joined units and overlaps.
RunPtr mixedRun()
{
    auto run = std::make_shared<RunView>(*test::predicted("dualpipe", 4, 20));
    TraceLane kernels{Device(1), LaneKind::CopyIn, 0, {}, {}};
    for (int i = 0; i < 3000; ++i) {
        Span span;
        span.start = i * 7'000;
        span.end = span.start + (i * 37 % 11) * 1'300;
        span.name = 1 + static_cast<std::uint32_t>(i % 3);
        kernels.spans.push_back(span);
    }
    run->trace.names = {"", "gemm_fp16", "ampere_bf16_s16816gemm_bf16_128x128", "copy"};
    run->trace.lanes.push_back(std::move(kernels));
    sortLanes(run->trace.lanes);
    run->number = 77;
    return run;
}

} // namespace

TEST_CASE("a picture that was panned is pixel for pixel the one drawn anew", "[viz][image]")
{
    const RunPtr run = mixedRun();
    for (const double scale : {1.0, 1.5, 2.0}) {
        Scene scene(run, scale);
        const Nanoseconds makespan = run->makespan();
        for (const Nanoseconds length : {makespan / 2, makespan / 17, makespan / 300}) {
            RowsImage panned;
            TimeRange visible{makespan / 5, makespan / 5 + length};
            showAll(panned, scene.view(visible), scene.labels);
            const double pixel = panned.grid().length;
            for (const int by : {1, 7, -3, 64, -200, 333, 0, 5000}) {
                visible.begin += static_cast<Nanoseconds>(std::llround(by * pixel));
                visible.end = visible.begin + length;
                showAll(panned, scene.view(visible), scene.labels);
                // Anew on the same grid: from where the first image began, in one step.
                RowsImage fresh;
                showAll(fresh, scene.view({makespan / 5, makespan / 5 + length}), scene.labels);
                showAll(fresh, scene.view({visible.begin + 2 * length, visible.begin + 3 * length}), scene.labels);
                showAll(fresh, scene.view(visible), scene.labels);
                INFO("scale " << scale << " length " << length << " by " << by);
                REQUIRE(panned.grid() == fresh.grid());
                CHECK(panned.image() == fresh.image());
            }
        }
    }
}

TEST_CASE("rows of several heights are drawn where they stand, with letters of their size", "[viz][image]")
{
    const RunPtr run = mixedRun();
    const TimelineMetrics metrics{QApplication::font()};
    Scene uniform(run);
    const std::size_t rows = uniform.picture.rows.size();
    const TimeRange visible{run->makespan() / 5, run->makespan() / 2};
    RowsImage expected;
    showAll(expected, uniform.view(visible), uniform.labels);
    Scene scene(run);
    const auto setHeights = [&](const std::vector<double>& heights) {
        scene.layout = layoutRun(QRectF(0, 0, 900, heightOfRun(metrics, heights)), heights, metrics);
    };
    setHeights(std::vector<double>(rows, 26));
    RowsImage image;
    showAll(image, scene.view(visible), scene.labels);
    CHECK(image.image() == expected.image());

    std::vector<double> heights;
    for (std::size_t row = 0; row < rows; ++row)
        heights.push_back(row % 3 == 0 ? 44 : row % 3 == 1 ? 26 : 17);
    setHeights(heights);
    showAll(image, scene.view(visible), scene.labels);
    for (std::size_t row = 0; row < rows; ++row) {
        const QRectF place = scene.layout.rowRect(static_cast<int>(row)).translated(-scene.layout.frame.topLeft());
        int filled = 0;
        for (int x = 4; x < 600; ++x)
            filled += image.image().pixelColor(x, static_cast<int>(place.bottom()) - 3) != lightTheme().canvas ? 1 : 0;
        CAPTURE(row);
        CHECK((filled > 20 || scene.picture.rows[row].gaps.empty()));
        CHECK(image.image().pixelColor(300, static_cast<int>(place.bottom()) + 1) == lightTheme().canvas);
    }
    // A row of the old height looks as it did, wherever it stands now.
    const auto rowOf = [](const RowsImage& from, const RunLayout& layout, int row) {
        const QRectF place = layout.rowRect(row).translated(-layout.frame.topLeft());
        return from.image().copy(place.toRect());
    };
    CHECK(rowOf(image, scene.layout, 1) == rowOf(expected, uniform.layout, 1));
    // Panned as well as drawn anew.
    const auto by = static_cast<Nanoseconds>(std::llround(64 * image.grid().length));
    showAll(image, scene.view({visible.begin + by, visible.end + by}), scene.labels);
    RowsImage fresh;
    showAll(fresh, scene.view(visible), scene.labels);
    fresh.show(scene.view({visible.end * 2, visible.end * 3 - visible.begin}), scene.labels);
    showAll(fresh, scene.view({visible.begin + by, visible.end + by}), scene.labels);
    REQUIRE(image.grid() == fresh.grid());
    CHECK(image.image() == fresh.image());
}

TEST_CASE("a coarse picture is refined when the view rests", "[viz][image]")
{
    // Twelve tasks a pixel: where blocks of the index and pixels are about equally long.
    Scene scene(test::predicted("gpipe", 4, 4000, "F=1,B=2"));
    const TimeRange visible{0, 8'000 * unit};
    RowsImage fine;
    showAll(fine, scene.view(visible), scene.labels);
    RowsView moving = scene.view(visible);
    moving.moving = true;
    RowsImage image;
    showAll(image, moving, scene.labels);
    CHECK(image.grid().coarse);
    // A pan that begins before the view rests goes on coarsely; then all of it is drawn once more, on the same grid.
    const auto by = static_cast<Nanoseconds>(std::llround(9 * image.grid().length));
    RowsView panned = scene.view({visible.begin + by, visible.end + by});
    panned.moving = true;
    showAll(image, panned, scene.labels);
    CHECK(image.grid().coarse);
    CHECK(image.grid().first == 9);
    panned.moving = false;
    showAll(image, panned, scene.labels);
    showAll(fine, panned, scene.labels);
    REQUIRE(image.grid() == fine.grid());
    CHECK(image.image() == fine.image());
    // A fine picture stays fine while it is panned.
    panned.moving = true;
    showAll(image, panned, scene.labels);
    CHECK_FALSE(image.grid().coarse);
}

TEST_CASE("many pans in one direction and back leave the picture as it was", "[viz][image]")
{
    const RunPtr run = mixedRun();
    Scene scene(run);
    const Nanoseconds length = run->makespan() / 40;
    TimeRange visible{run->makespan() / 3, run->makespan() / 3 + length};
    RowsImage image;
    showAll(image, scene.view(visible), scene.labels);
    const QImage before = image.image().copy();
    const double pixel = image.grid().length;
    for (const int by : {37, -53})
        for (int step = 0; step < 37 * 53 / std::abs(by); ++step) {
            visible.begin =
                run->makespan() / 3 +
                static_cast<Nanoseconds>(std::llround(static_cast<double>(image.grid().first + by) * pixel));
            visible.end = visible.begin + length;
            showAll(image, scene.view(visible), scene.labels);
        }
    REQUIRE(image.grid().first == 0);
    CHECK(image.image() == before);
}

TEST_CASE("stacks of many rows are drawn coarsely until a zoom comes to rest", "[viz][image]")
{
    TimelineStack stack;
    stack.resize(900, 700);
    const RunPtr run = test::predicted("gpipe", 4, 4000, "F=1,B=2");
    stack.setRuns({run});
    stack.show();
    QTest::qWait(20);
    TimelineView& view = *stack.views().front();
    const TimeRange whole = stack.range().trace();
    const TimeRange zoomed{whole.begin, whole.end * 2 / 3};
    stack.range().setVisible(zoomed);
    const QImage fine = view.grab().toImage();
    stack.range().showAll();
    view.setCoarseWhileMoving(true);
    stack.range().setVisible(zoomed);
    const QImage coarse = view.grab().toImage();
    QTest::qWait(250);
    CHECK(view.grab().toImage() == fine);
    // A pan isn't a zoom: nothing becomes coarse.
    const Nanoseconds by = zoomed.length() / 8;
    stack.range().setVisible({zoomed.begin + by, zoomed.end + by});
    stack.range().setVisible(zoomed);
    CHECK(view.grab().toImage() == fine);
    CHECK(coarse.size() == fine.size());
}

TEST_CASE("the first image of a range begins exactly where the range begins", "[viz][image]")
{
    Scene scene(test::predicted("1f1b", 2, 2));
    RowsImage image;
    image.show(scene.view({500'000, 4'500'000}), scene.labels);
    CHECK(image.grid().anchor == 500'000);
    CHECK(image.grid().first == 0);
    // After a pan it may be off by less than half a pixel.
    image.show(scene.view({510'001, 4'510'001}), scene.labels);
    CHECK(std::abs(image.grid().position(510'001) - static_cast<double>(image.grid().first)) <= 0.5);
}

TEST_CASE("rows that nobody sees aren't drawn, and are when they come into sight", "[viz][image]")
{
    Scene scene(test::predicted("1f1b", 8, 16));
    const TimeRange visible{0, 20'000'000};
    RowsImage whole;
    showAll(whole, scene.view(visible), scene.labels);
    RowsImage part;
    part.show(scene.view(visible), scene.labels, 2, 4);
    CHECK(part.image() != whole.image());
    part.show(scene.view(visible), scene.labels, 0, 8);
    CHECK(part.image() == whole.image());
}

TEST_CASE("letters that don't fit into one frame come with the next ones", "[viz][image]")
{
    Scene scene(test::predicted("gpipe", 64, 64, "F=1,B=2"));
    const TimeRange visible{64'000'000, 104'000'000}; // all 64 devices are busy
    RowsImage image;
    image.show(scene.view(visible), scene.labels);
    const QImage first = image.image().copy();
    REQUIRE(image.lacksLabels());
    int frames = 1;
    while (image.lacksLabels() && frames < 20) {
        image.show(scene.view(visible), scene.labels);
        ++frames;
    }
    CHECK(frames < 20);
    CHECK(image.image() != first);
}

TEST_CASE("a moment is at least three pixels wide and can be hit", "[viz][image]")
{
    auto run = std::make_shared<RunView>();
    run->label = RunLabel::Imported;
    run->number = 5;
    run->trace.names = {"", "event"};
    TraceLane lane{Device(0), LaneKind::Compute, 0, {}, {}};
    for (const Nanoseconds at : {0, 500'000, 1'000'000}) {
        Span span;
        span.start = at;
        span.end = at;
        span.name = 1;
        lane.spans.push_back(span);
    }
    run->trace.lanes.push_back(lane);
    run->idle = gapsOf(run->trace);
    TimelineStack stack;
    stack.resize(900, 300);
    stack.setRuns({run});
    stack.show();
    QTest::qWait(20);
    TimelineView& view = *stack.views().front();
    const Pick second{Pick::Kind::Bar, 0, 1};
    const QPointF there = view.centreOf(second);
    CHECK(view.hit(there) == second);
    CHECK(view.hit(there + QPointF(2, 0)) == second);
    CHECK(view.hit(there + QPointF(40, 0)) != second);
    CHECK(view.hintAt(there).contains(QLatin1String("takes no time")));
    const QImage image = view.grab().toImage();
    int width = 0;
    for (int x = static_cast<int>(there.x()) - 12; x < there.x() + 12; ++x)
        width += image.pixelColor(x, static_cast<int>(there.y())) == currentTheme().text ? 1 : 0;
    CHECK(width >= 3);
}

TEST_CASE("colours follow what is chosen, and come back", "[viz][image]")
{
    TimelineStack stack;
    stack.resize(900, 400);
    stack.setRuns({test::predicted("interleaved-1f1b", 4, 8)});
    stack.show();
    QTest::qWait(20);
    TimelineView& view = *stack.views().front();
    const QImage byWork = view.grab().toImage();
    stack.setColouring({ColourBy::Microbatch, {}, 0});
    const QImage byMicrobatch = view.grab().toImage();
    stack.setColouring({ColourBy::Chunk, {}, 0});
    const QImage byChunk = view.grab().toImage();
    stack.setColouring({});
    CHECK(view.grab().toImage() == byWork);
    CHECK(byMicrobatch != byWork);
    CHECK(byChunk != byWork);
    CHECK(byChunk != byMicrobatch);
    // The bar of microbatch 1 has the second colour of the cycle.
    stack.setColouring({ColourBy::Microbatch, {}, 0});
    std::size_t bar = 0;
    while (view.picture().rows[0].bars[bar].number != 1)
        ++bar;
    const QPointF place = view.centreOf({Pick::Kind::Bar, 0, static_cast<int>(bar)});
    const QRectF row = view.layout().rowRect(0);
    CHECK(view.grab().toImage().pixelColor(static_cast<int>(place.x()), static_cast<int>(row.top()) + 4) ==
          QColor(cycleOf(currentTheme())[1]));
}

TEST_CASE("the time of a frame is shown on demand", "[viz][image]")
{
    TimelineStack stack;
    stack.resize(900, 300);
    stack.setRuns({test::predicted("1f1b")});
    stack.show();
    QTest::qWait(20);
    TimelineView& view = *stack.views().front();
    QSignalSpy spy(&view, &TimelineView::painted);
    const QImage plain = view.grab().toImage();
    stack.setFrameTimeShown(true);
    CHECK(view.grab().toImage() != plain);
    stack.setFrameTimeShown(false);
    CHECK(view.grab().toImage() == plain);
    REQUIRE(spy.count() >= 3);
    CHECK(spy.back().front().toLongLong() > 0);
}
