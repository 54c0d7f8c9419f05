#include "tests/viz/support.h"
#include "viz/partition/partition_geometry.h"

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;
using Layers = std::vector<int>;

TEST_CASE("a boundary moves to the nearest layer edge and leaves every stage a layer", "[viz]")
{
    const PartitionGeometry geometry = partitionGeometry({2, 2, 2}, std::vector<double>(6, 1.0), 0, 60);
    CHECK(geometry.boundaryX(0) == 20);
    CHECK(geometry.boundaryAt(22, 5) == 0);
    CHECK(geometry.boundaryAt(30, 5) == -1);
    CHECK(geometry.moved(0, 31) == Layers{3, 1, 2});
    CHECK(geometry.moved(0, 59) == Layers{3, 1, 2});
    CHECK(geometry.moved(1, -100) == Layers{2, 1, 3});
    CHECK(geometry.movedBy(1, 1) == Layers{2, 3, 1});
    CHECK(partitionGeometry({3, 2, 1}, std::vector<double>(6, 1.0), 0, 1).imbalance() == Approx(1.5));
}

TEST_CASE("balancing finds the cheapest slowest stage", "[viz]")
{
    CHECK(balancedPartition(std::vector<double>(8, 1.0), 4) == Layers{2, 2, 2, 2});
    CHECK(balancedPartition({1, 1, 1, 1, 1, 3}, 2) == Layers{4, 2});
    CHECK(balancedPartition({1}, 2).empty());
}

TEST_CASE("dragging a boundary changes the prediction at once, and undo brings it back", "[viz]")
{
    test::TestWindow test;
    PartitionBar& bar = test.window.partitionBar();
    const Layers before = bar.partition();
    const Nanoseconds makespan = test.makespan(0);
    const QPoint handle = bar.handle(0).toPoint();
    QTest::mousePress(&bar, Qt::LeftButton, {}, handle);
    for (int x = 10; x <= 80; x += 10)
        QTest::mouseMove(&bar, handle + QPoint(x, 0));
    test.settle();
    CHECK(bar.partition() != before);
    CHECK(test.makespan(0) > makespan); // while the button is still down
    QTest::mouseRelease(&bar, Qt::LeftButton, {}, handle + QPoint(80, 0));
    CHECK(test.window.workbench().undoStack().count() == 1); // one drag is one step
    test.window.workbench().undoStack().undo();
    test.settle();
    CHECK(bar.partition() == before);
    CHECK(test.makespan(0) == makespan);
    test.window.workbench().undoStack().redo();
    test.settle();
    CHECK(bar.partition() != before);
}

TEST_CASE("the partition is edited from the keyboard alone", "[viz]")
{
    test::TestWindow test;
    PartitionBar& bar = test.window.partitionBar();
    QTest::keyClick(&bar, Qt::Key_PageDown);
    QTest::keyClick(&bar, Qt::Key_Left);
    CHECK(bar.partition() == Layers{6, 5, 7, 6});
    QTest::keyClick(&bar, Qt::Key_Return);
    CHECK(bar.partition() == balancedPartition(test.window.workbench().draft().layerCosts(), 4));
    CHECK(test.window.workbench().undoStack().count() == 2);
}

TEST_CASE("a double-click balances", "[viz]")
{
    test::TestWindow test;
    PartitionBar& bar = test.window.partitionBar();
    Draft draft = test.window.workbench().draft();
    draft.common.partition = {10, 4, 5, 5};
    test.window.workbench().edit(draft, QStringLiteral("uneven"));
    QTest::mouseDClick(&bar, Qt::LeftButton, {}, bar.rect().center() + QPoint(40, 8));
    CHECK(bar.partition() == balancedPartition(draft.layerCosts(), 4));
}
