#include "tests/viz/support.h"
#include "viz/timeline/search_bar.h"
#include "viz/timeline/timeline_stack.h"

#include <QLineEdit>
#include <QToolButton>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

std::size_t count(const RunView& run, const char* text, bool regular = false)
{
    return findSpans(run, {QString::fromUtf8(text), regular}).count;
}

/// Kernels of two names on one device.
RunPtr kernels()
{
    auto run = std::make_shared<RunView>();
    run->trace.names = {"", "void gemm_kernel<float>", "ncclDevKernel_SendRecv"};
    TraceLane lane;
    for (int at = 0; at < 10; ++at) {
        Span span;
        span.start = at * unit;
        span.end = span.start + unit;
        span.name = at % 3 == 0 ? 2 : 1;
        lane.spans.push_back(span);
    }
    run->trace.lanes = {lane};
    run->idle = gapsOf(run->trace);
    return run;
}

} // namespace

TEST_CASE("tasks are found by what people call them", "[viz][search]")
{
    const RunPtr run = test::predicted("1f1b"); // 4 stages, 8 microbatches, F and B
    CHECK(count(*run, "F3") == 4);
    CHECK(count(*run, "f3") == 4);
    CHECK(count(*run, "2F3") == 1);
    CHECK(count(*run, "stage 2") >= 16);
    CHECK(count(*run, "stage 2 F") == 8);
    CHECK(count(*run, "forward") == 32);
    CHECK(count(*run, "FORWARD 3") == 4);
    CHECK(count(*run, "microbatch 5") == 8);
    CHECK(count(*run, "mb 5 device 1") == 2);
    CHECK(count(*run, "5") == 8);
    CHECK(count(*run, "forward backward") == 0); // all words have to match
    CHECK(count(*run, "nothing like it") == 0);
    CHECK(count(*run, "  ") == 0);
    CHECK(count(*run, "^[12]F[0-3] ", true) == 8);
    CHECK(count(*run, "stage 2$", true) >= 16);
}

TEST_CASE("kernels are found by name, and a wrong expression is explained", "[viz][search]")
{
    const RunPtr run = kernels();
    CHECK(count(*run, "gemm") == 6);
    CHECK(count(*run, "nccl sendrecv") == 4);
    CHECK(count(*run, "kernel") == 10);
    CHECK(count(*run, "^nccl.*Recv$", true) == 4);
    CHECK(problemOf({QStringLiteral("a("), true}).contains(QLatin1String("Not a regular expression")));
    CHECK(problemOf({QStringLiteral("a("), false}).isEmpty());
    Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(findSpans(*run, {QStringLiteral("gemm"), false}, progress), Cancelled);
}

TEST_CASE("matches of all runs are walked in the order of time, round at the ends", "[viz][search]")
{
    const RunPtr run = kernels();
    const auto found = std::make_shared<SpanMatches>(findSpans(*run, {QStringLiteral("nccl"), false})); // 0 3 6 9
    const MatchWalk walk({{found, 0}, {found, unit / 2}});
    REQUIRE(walk.count() == 8);
    MatchPlace place = walk.after({-1, 0, 0, 0, 0});
    std::string text;
    for (std::size_t rank = 1; rank <= 9; ++rank) {
        CHECK(walk.rank(place) == (rank - 1) % 8 + 1);
        text += std::to_string(place.slot) + ":" + std::to_string(place.index) + " ";
        place = walk.after(place);
    }
    CHECK(text == "0:0 1:0 0:3 1:3 0:6 1:6 0:9 1:9 0:0 ");
    CHECK(walk.before({0, 0, 0, 0, 0}).index == 9);
}

TEST_CASE("the search bar counts, goes to matches, opens their lane and closes", "[viz][search]")
{
    test::TestWindow test;
    TimelineStack& stack = test.window.stack();
    TimelineView& view = *stack.views()[0];
    QTest::keyClick(&view, Qt::Key_F, Qt::ControlModifier);
    REQUIRE(stack.searchBar().isVisible());
    auto* text = test.window.findChild<QLineEdit*>(QStringLiteral("searchText"));
    const auto wait = [&](const char* wanted) {
        (void)QTest::qWaitFor([&] { return stack.searchBar().countText() == QLatin1String(wanted); }, 5000);
        return stack.searchBar().countText().toStdString();
    };
    QTest::keyClicks(text, QStringLiteral("F3"));
    CHECK(wait("8 found") == "8 found"); // 4 stages in A and in B
    const QImage tinted = view.grab().toImage();
    QTest::keyClick(text, Qt::Key_Return);
    CHECK(wait("1 of 8") == "1 of 8");
    CHECK(stack.picked().slot == 0);
    CHECK(view.rangeOf(view.picked()).begin == 3 * unit); // 0F3 of A; B's starts then, too, and comes next
    QTest::keyClick(text, Qt::Key_Return);
    CHECK(wait("2 of 8") == "2 of 8");
    CHECK(stack.picked().slot == 1);
    QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
    CHECK(wait("8 of 8") == "8 of 8");
    // With the focus in the timelines ] and [ do the same.
    QTest::keyClick(&view, Qt::Key_BracketRight);
    CHECK(wait("1 of 8") == "1 of 8");
    QTest::keyClick(&view, Qt::Key_BracketLeft);
    CHECK(wait("8 of 8") == "8 of 8");
    // A match outside the view is brought into it.
    stack.range().setVisible({0, 2 * unit});
    QTest::keyClick(&view, Qt::Key_BracketRight);
    CHECK(stack.range().visible().begin <= 3 * unit);
    CHECK(stack.range().visible().end >= 4 * unit);
    text->setText(QStringLiteral("nothing"));
    CHECK(wait("nothing found") == "nothing found");
    CHECK(text->property("invalid").toBool());
    test.window.findChild<QToolButton*>(QStringLiteral("searchRegular"))->click();
    text->setText(QStringLiteral("("));
    CHECK(stack.searchBar().countText().contains(QLatin1String("Not a regular expression")));
    QTest::keyClick(text, Qt::Key_Escape);
    CHECK_FALSE(stack.searchBar().isVisible());
    stack.clearPick();
    stack.range().showAll();
    CHECK(view.grab().toImage() != tinted);
    CHECK(view.hasFocus());
}
