// What GUI tests share: runs to draw, and waiting for what happens in the background.

#pragma once

#include "viz/run/run_view.h"
#include "viz/window/main_window.h"

#include <QTemporaryDir>
#include <QTest>

#include <string>

namespace bubblescope::viz::test {

/// A predicted run of four devices, F=1 and B=2.
inline RunPtr predicted(const std::string& recipe, int stages = 4, int microbatches = 8,
                        const std::string& cost = "F=1,B=2")
{
    Experiment experiment;
    experiment.stages = stages;
    experiment.microbatches = microbatches;
    experiment.cost = cost;
    return predict(experiment, parseRecipe(recipe), Workbench::draftA);
}

/// A shown window whose first prediction is there.
class TestWindow {
public:
    TestWindow()
    {
        window.resize(1300, 850);
        window.show();
        settle();
    }

    /// Until everything that was edited has been predicted.
    void settle()
    {
        (void)QTest::qWaitFor([this] { return !window.workbench().predicting(); }, 10'000);
        QTest::qWait(20);
    }

    Nanoseconds makespan(int slot) { return window.workbench().prediction(slot)->makespan(); }

    MainWindow window;
};

/// A document with the predictions of 1F1B and ZB-H1.
inline QString makeDocument(const QTemporaryDir& folder, const QString& name = QStringLiteral("demo.bscope"))
{
    Workbench workbench;
    (void)QTest::qWaitFor([&] { return !workbench.predicting(); }, 10'000);
    workbench.keepPredictions();
    const QString path = folder.filePath(name);
    return workbench.saveAs(path) ? path : QString();
}

} // namespace bubblescope::viz::test
