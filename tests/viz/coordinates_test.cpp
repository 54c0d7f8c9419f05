#include "viz/timeline/coordinates.h"
#include "viz/timeline/range_controller.h"
#include "viz/timeline/time_text.h"

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

TEST_CASE("a time stands where its share of the range is", "[viz]")
{
    struct Row {
        TimeAxis axis;
        Nanoseconds time;
        double pixel;
    };

    const Row rows[] = {
        {{{0, 100}, 0, 200}, 50, 100},     {{{100, 300}, 10, 100}, 100, 10},
        {{{100, 300}, 10, 100}, 300, 110}, {{{100, 300}, 10, 100}, 0, -40}, // left of the axis, still linear
        {{{-50, 50}, 0, 100}, 0, 50},      {{{7, 7}, 33, 100}, 1000, 33},   // an empty range has one place
    };
    for (const Row& row : rows) {
        CAPTURE(row.time);
        CHECK(timeToPixel(row.axis, row.time) == Approx(row.pixel));
    }
    CHECK(pixelToTime({{0, 100}, 0, 0}, 50) == 0);
}

TEST_CASE("a pixel and its time are a round trip", "[viz]")
{
    const TimeAxis axis{{123'456'789, 923'456'789}, 17, 1600};
    for (double pixel = 17; pixel <= 1617; pixel += 13)
        CHECK(timeToPixel(axis, pixelToTime(axis, pixel)) == Approx(pixel).margin(1e-5));
}

TEST_CASE("zooming keeps the time under the pointer and stays inside the trace", "[viz]")
{
    const TimeRange whole{0, 1'000'000};
    const TimeRange visible{200'000, 600'000};
    const TimeRange closer = zoomAround(visible, 300'000, 2, whole);
    CHECK(closer == TimeRange{250'000, 450'000});
    CHECK(zoomAround(visible, 300'000, 0.01, whole) == whole);
    CHECK(zoomAround(visible, 300'000, 1e12, whole).length() == narrowestRange);
    CHECK(panBy(visible, 900'000, whole) == TimeRange{600'000, 1'000'000});
    CHECK(panBy(visible, -900'000, whole) == TimeRange{0, 400'000});
}

TEST_CASE("rows are found between their edges and not between each other", "[viz]")
{
    const RowBand band{10, 20, 5, 3, {}};
    const std::pair<double, int> rows[] = {{9.9, -1}, {10, 0},   {29.9, 0}, {31, -1}, {35, 1},
                                           {60, 2},   {79.9, 2}, {80, -1},  {500, -1}};
    for (const auto& [y, row] : rows) {
        CAPTURE(y);
        CHECK(rowAt(band, y) == row);
    }
    CHECK(rowTop(band, 2) == 60);
}

TEST_CASE("ticks are 1, 2 or 5 times a power of ten and never too many", "[viz]")
{
    CHECK(tickStep(33'000'000, 8) == 5'000'000);
    CHECK(tickStep(100, 10) == 20);
    CHECK(tickStep(0, 10) == 1);
    CHECK(firstTick(1, 5) == 5);
    CHECK(firstTick(-7, 5) == -5);
    CHECK(firstTick(10, 5) == 10);
}

TEST_CASE("times are written with the digits that matter", "[viz]")
{
    const auto plain = [](Nanoseconds time) {
        return timeText(time).replace(QChar(0x00a0), QLatin1Char(' ')).toStdString();
    };
    CHECK(plain(33'000'000) == "33.0 ms");
    CHECK(plain(1'160'000) == "1.16 ms");
    CHECK(plain(412'500) == "413 µs");
    CHECK(plain(0) == "0 ms");
    CHECK(plain(999) == "999 ns");
    CHECK(plain(2'500'000'000) == "2.50 s");
    CHECK(countText(4).toStdString() == "4");
    CHECK(countText(3.5).toStdString() == "3.5");
}

TEST_CASE("a view of everything follows a growing trace, a zoomed one stays", "[viz]")
{
    RangeController range;
    range.setTrace({0, 1000});
    range.setTrace({0, 2000});
    CHECK(range.visible() == TimeRange{0, 2000});
    range.setVisible({500, 900});
    range.setTrace({0, 4000});
    CHECK(range.visible() == TimeRange{500, 900});
    range.setSelection({600, 700});
    range.fit();
    CHECK(range.visible() == TimeRange{600, 700});
    range.fit();
    CHECK(range.visible() == TimeRange{0, 4000});
}
