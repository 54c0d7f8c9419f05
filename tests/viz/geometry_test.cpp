#include "tests/viz/support.h"
#include "viz/timeline/geometry.h"
#include "viz/timeline/row_raster.h"

#include <catch2/catch.hpp>

#include <sstream>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

/// The geometry of one row, coloured by work; bars aren't set apart.
RowGeometry layOut(const TimelineRow& row, const PixelGrid& grid)
{
    const std::vector<TimelineRow> rows{row};
    PictureColours colours(rows);
    colours.colour(rows, lightTheme(), {}, {});
    RowGeometry geometry;
    layRow(row, 0, colours, grid, 0, geometry);
    return geometry;
}

/// "F0 0-10 | idle 10-20": what would be drawn of a row, in pixels.
std::string textOf(const TimelineRow& row, const TimeAxis& axis)
{
    std::ostringstream text;
    for (const BarRect& rect : layOut(row, PixelGrid::of(axis)).bars) {
        const Bar bar = row.bars[static_cast<std::size_t>(rect.bar)];
        text << workName(bar.work).letter << bar.number << ' ' << rect.left << '-' << rect.right << "  ";
    }
    for (const GapRect& gap : gapRects(row, axis))
        text << "idle " << gap.left << '-' << gap.right << "  ";
    return text.str();
}

} // namespace

TEST_CASE("a row is drawn as its tasks and its idle time", "[viz]")
{
    const auto rows = rowsOf(*test::predicted("1f1b", 2, 2));
    REQUIRE(rows.size() == 2);
    const TimeAxis axis{{0, 9'000'000}, 0, 90};
    CHECK(textOf(rows[0], axis) == "F0 0-10  F1 10-20  B0 40-60  B1 70-90  idle 20-40  idle 60-70  ");
    CHECK(textOf(rows[1], axis) == "F0 10-20  B0 20-40  F1 40-50  B1 50-70  idle 0-10  idle 70-90  ");
    CHECK(rows[0].label == "Device 0");
}

TEST_CASE("only what is visible is drawn", "[viz]")
{
    const auto rows = rowsOf(*test::predicted("1f1b", 2, 2));
    const TimeAxis axis{{1'500'000, 4'500'000}, 0, 30};
    CHECK(textOf(rows[0], axis) == "F1 -5-5  B0 25-45  idle 5-25  ");
}

TEST_CASE("bars narrower than a few pixels are mixed, pixel by pixel", "[viz]")
{
    const auto rows = rowsOf(*test::predicted("gpipe", 4, 2000));
    const TimeAxis axis{{0, 7'000'000'000}, 0, 100};
    const RowGeometry geometry = layOut(rows[0], PixelGrid::of(axis));
    CHECK(geometry.bars.empty());
    REQUIRE(geometry.pixels.size() == 100);
    double covered = 0;
    for (const MixedPixel& pixel : geometry.pixels)
        covered += static_cast<double>(pixel.narrow);
    CHECK(covered == Approx(6'000'000'000.0 / 7'000'000'000.0 * 100).margin(0.5));
}

TEST_CASE("a rastered row has the colours of its geometry", "[viz]")
{
    const auto rows = rowsOf(*test::predicted("1f1b", 2, 2));
    PictureColours colours(rows);
    colours.colour(rows, lightTheme(), {}, {});
    QImage image(90, 20, QImage::Format_RGB32);
    image.fill(lightTheme().canvas);
    RowScratch scratch;
    rasteriseRow(image, {2, 16, 1, 0}, {rows[0], 0, colours, lightTheme()}, PixelGrid::of({{0, 9'000'000}, 0, 90}),
                 scratch);
    CHECK(image.pixelColor(5, 10) == lightTheme().of(Work::Forward));
    CHECK(image.pixelColor(50, 10) == lightTheme().of(Work::Backward));
    CHECK((image.pixelColor(30, 10) == lightTheme().hatch || image.pixelColor(30, 10) == lightTheme().hatchLine));
    CHECK(image.pixelColor(5, 0) == lightTheme().canvas);
    CHECK(image.pixelColor(9, 10) == lightTheme().canvas); // neighbours stay apart
}

TEST_CASE("chunks of a device differ in lightness", "[viz]")
{
    const auto rows = rowsOf(*test::predicted("interleaved-1f1b", 2, 4));
    CHECK(rows[0].bars.front().shade == 0);
    CHECK(std::any_of(rows[0].bars.begin(), rows[0].bars.end(), [](const Bar& bar) { return bar.shade == 1; }));
    CHECK(barColour(lightTheme(), Work::Forward, 1) != barColour(lightTheme(), Work::Forward, 0));
}

TEST_CASE("the directions of a bidirectional schedule differ in lightness, the same on every device", "[viz]")
{
    const RunPtr run = test::predicted("chimera", 4, 8);
    const auto rows = rowsOf(*run);
    REQUIRE(rows.size() == 4);
    for (const TimelineRow& row : rows)
        for (const Bar bar : row.bars) {
            const Task& task = run->trace.lanes[static_cast<std::size_t>(row.lane)].spans[bar.span].task;
            CHECK(int(bar.shade) == int(task.pipe.value));
        }
}
