// What GUI tests share: runs to draw, and waiting for what happens in the background.

#pragma once

#include "viz/run/run_view.h"
#include "viz/window/main_window.h"

#include <QTemporaryDir>
#include <QTest>

#include <optional>
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

    /// Until everything that was edited has been predicted, and what was asked of the document is done.
    void settle()
    {
        (void)QTest::qWaitFor([this] { return !window.workbench().predicting() && !window.workbench().jobs().busy(); },
                              10'000);
        QTest::qWait(20);
    }

    /// Saves, and waits for it.
    bool saveAs(const QString& path)
    {
        std::optional<bool> saved;
        window.saveAs(path, [&saved](bool done) { saved = done; });
        return QTest::qWaitFor([&saved] { return saved.has_value(); }, 10'000) && *saved;
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
    bool saved = false;
    workbench.saveAs(path, [&saved](bool done) { saved = done; });
    (void)QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, 10'000);
    return saved ? path : QString();
}

} // namespace bubblescope::viz::test
