// Replays as files: what was written is decoded again.

#include "tests/viz/support.h"
#include "viz/replay/replay.h"
#include "viz/replay/replay_export.h"
#include "viz/replay/webp_writer.h"

#include <QComboBox>
#include <QDir>
#include <QImageReader>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>

#include <catch2/catch.hpp>
#ifdef BUBBLESCOPE_WEBP
#include <webp/demux.h>
#endif

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

constexpr Nanoseconds ms = 1'000'000;

/// Twelve frames of 1F1B on two devices: 9 ms at 0.01 are 0.9 s, at 12 frames per second.
ReplayExport smallExport(const QString& path)
{
    ReplayExport wanted;
    wanted.path = path;
    wanted.size = {400, 300};
    wanted.framesPerSecond = 12;
    wanted.speed = 0.01;
    return wanted;
}

std::vector<RunPtr> twoDevices()
{
    return {test::predicted("1f1b", 2, 2)};
}

void write(const ReplayExport& wanted, const std::vector<RunPtr>& runs = twoDevices())
{
    exportReplay(runs, completed(wanted, runs, QFont()), QFont(), Progress());
}

QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

#ifdef BUBBLESCOPE_WEBP
struct Decoded {
    QSize size;
    int loops = -1;
    std::vector<int> ends; ///< when each frame's time is over
    std::vector<QImage> frames;
};

Decoded decode(const QString& path)
{
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                        static_cast<std::size_t>(bytes.size())};
    WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, nullptr);
    REQUIRE(decoder);
    WebPAnimInfo about;
    REQUIRE(WebPAnimDecoderGetInfo(decoder, &about));
    Decoded result;
    result.size = QSize(static_cast<int>(about.canvas_width), static_cast<int>(about.canvas_height));
    result.loops = static_cast<int>(about.loop_count);
    while (WebPAnimDecoderHasMoreFrames(decoder)) {
        std::uint8_t* pixels = nullptr;
        int end = 0;
        REQUIRE(WebPAnimDecoderGetNext(decoder, &pixels, &end));
        result.ends.push_back(end);
        result.frames.push_back(
            QImage(pixels, result.size.width(), result.size.height(), QImage::Format_RGBA8888).copy());
    }
    CHECK(about.frame_count == result.frames.size());
    WebPAnimDecoderDelete(decoder);
    return result;
}
#endif

} // namespace

TEST_CASE("frames are the begin, the end and what lies between", "[viz][replay]")
{
    const ReplayFrames frames({0, 9 * ms}, 0.01, 12); // 0.9 s at 12: 0, 1/12 … 10/12, and the end
    CHECK(frames.count() == 12);
    CHECK(frames.timeOf(0) == 0);
    CHECK(frames.timeOf(1) == 833'333);
    CHECK(frames.timeOf(11) == 9 * ms);
    CHECK(frames.appearsAt(1) == 83);
    CHECK(frames.appearsAt(2) == 167);
    CHECK(frames.appearsAt(11) == 917);
    CHECK(frames.duration() == 1917);
    const ReplayFrames exact({0, 10 * ms}, 0.01, 20);
    CHECK(exact.count() == 21);
    CHECK(exact.timeOf(20) == 10 * ms);
}

TEST_CASE("what can't be exported is said in a sentence", "[viz][replay]")
{
    const auto refusal = [](ReplayExport wanted, const std::vector<RunPtr>& runs = twoDevices()) {
        try {
            (void)completed(std::move(wanted), runs, QFont());
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    CHECK(refusal(smallExport("x.png")) == "accepted");
    CHECK_THAT(refusal(smallExport("x.gif")), Catch::Contains(".webp or .png"));
    CHECK_THAT(refusal(smallExport("x.png"), {}), Catch::Contains("at least one run"));
    ReplayExport wanted = smallExport("x.png");
    wanted.size = {10, 10};
    CHECK_THAT(refusal(wanted), Catch::Contains("from 120 to 8192"));
    wanted = smallExport("x.png");
    wanted.range = {0, 1'000'000'000'000};
    CHECK_THAT(refusal(wanted), Catch::Contains("at most 20000"));
    CHECK(summaryOf(completed(smallExport("x.png"), twoDevices(), QFont()))
              .startsWith(QStringLiteral("12 frames · 1.9 s")));
}

TEST_CASE("numbered PNGs: as many as frames, of the size asked for, and they differ", "[viz][replay]")
{
    QTemporaryDir folder;
    write(smallExport(folder.filePath("one.png")));
    const QStringList files = filesIn(folder.path());
    REQUIRE(files.size() == 12);
    CHECK(files.front() == "one-0001.png");
    CHECK(files.back() == "one-0012.png");
    QImage before;
    for (const QString& file : files) {
        const QImage image(folder.filePath(file));
        CHECK(image.size() == QSize(400, 300));
        CHECK(image != before);
        before = image;
    }
    CHECK_THROWS_WITH(write(smallExport(folder.filePath("one.png"))), Catch::Contains("is there already"));
    CHECK(filesIn(folder.path()) == files);
    CHECK_THROWS_WITH(write(smallExport("/nowhere/one.png")), Catch::Contains("/nowhere"));
}

TEST_CASE("a cancelled series of PNGs leaves nothing behind", "[viz][replay]")
{
    QTemporaryDir folder;
    Progress* handle = nullptr;
    Progress progress([&](double fraction, const std::string&) {
        if (fraction > 0.4)
            handle->cancel();
    });
    handle = &progress;
    const auto runs = twoDevices();
    const ReplayExport wanted = completed(smallExport(folder.filePath("one.png")), runs, QFont());
    CHECK_THROWS_AS(exportReplay(runs, wanted, QFont(), progress), Cancelled);
    CHECK(filesIn(folder.path()).isEmpty());
}

#ifdef BUBBLESCOPE_WEBP

TEST_CASE("the animation is decoded again: frames, timing, size, what moves", "[viz][replay]")
{
    QTemporaryDir folder;
    const QString path = folder.filePath("one.webp");
    write(smallExport(path));
    CHECK(filesIn(folder.path()) == QStringList{"one.webp"});
    const Decoded decoded = decode(path);
    CHECK(decoded.size == QSize(400, 300));
    CHECK(decoded.loops == 0);
    CHECK(decoded.ends == std::vector<int>{83, 167, 250, 333, 417, 500, 583, 667, 750, 833, 917, 1917});
    // The same frames as PNGs, bit for bit: nothing is lost.
    write(smallExport(folder.filePath("two.png")));
    for (std::size_t i = 0; i < decoded.frames.size(); ++i) {
        const QImage png(numberedPng(folder.filePath("two.png"), static_cast<int>(i) + 1));
        CAPTURE(i);
        CHECK(decoded.frames[i].convertToFormat(QImage::Format_RGB32) == png.convertToFormat(QImage::Format_RGB32));
    }
}

TEST_CASE("an animation of a part, once, dark, with large type", "[viz][replay]")
{
    QTemporaryDir folder;
    ReplayExport wanted = smallExport(folder.filePath("part.webp"));
    wanted.range = {2 * ms, 4 * ms};
    wanted.forever = false;
    wanted.dark = true;
    wanted.type = 2;
    wanted.size = {801, 601}; // not a multiple of the type
    write(wanted);
    const Decoded decoded = decode(wanted.path);
    CHECK(decoded.size == QSize(801, 601));
    CHECK(decoded.loops == 1);
    CHECK(decoded.frames.size() == 4); // 0.2 s at 12: 0, 1, 2 and the end
    CHECK(decoded.ends.back() == 250 + 1000);
    CHECK(decoded.frames[0].pixelColor(1, 1) == darkTheme().canvas);
}

TEST_CASE("a file that was there survives a cancelled or failed animation", "[viz][replay]")
{
    QTemporaryDir folder;
    const QString path = folder.filePath("kept.webp");
    QFile kept(path);
    REQUIRE(kept.open(QIODevice::WriteOnly));
    kept.write("earlier");
    kept.close();
    const auto runs = twoDevices();
    Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(exportReplay(runs, completed(smallExport(path), runs, QFont()), QFont(), progress), Cancelled);
    CHECK(filesIn(folder.path()) == QStringList{"kept.webp"});
    CHECK(QFileInfo(path).size() == 7);
    CHECK_THROWS_WITH(write(smallExport("/nowhere/one.webp")), Catch::Contains("Is there such a folder?"));
}

TEST_CASE("the dialog exports in the background and says where", "[viz][replay]")
{
    QTemporaryDir folder;
    test::TestWindow test;
    test.window.replay().askExport(ReplayFormat::Webp);
    ReplayExportDialog* dialog = test.window.replay().exportDialog();
    REQUIRE(dialog);
    CHECK(dialog->isVisible());
    const auto set = [dialog](const char* name, int value) {
        dialog->findChild<QSpinBox*>(QLatin1String(name))->setValue(value);
    };
    dialog->findChild<QLineEdit*>("replayFile")->setText(folder.filePath("told"));
    set("replayWidth", 500);
    set("replayHeight", 400);
    set("replayRate", 5);
    auto* speed = dialog->findChild<QComboBox*>("replayExportSpeed");
    speed->setCurrentIndex(speed->findData(0.01));
    const int frames = static_cast<int>(ReplayFrames(dialog->wanted().range, 0.01, 5).count());
    CHECK(dialog->findChild<QLabel*>("replaySummary")->text().startsWith(QString::number(frames) + " frames"));
    QTest::keyClick(dialog, Qt::Key_Return);
    CHECK(dialog->job().running());
    REQUIRE(QTest::qWaitFor([&] { return !test.window.replay().exportDialog(); }, 30'000));
    CHECK(test.window.statusBar()->currentMessage().contains("told.webp"));
    const Decoded decoded = decode(folder.filePath("told.webp"));
    CHECK(decoded.size == QSize(500, 400));
    CHECK(static_cast<int>(decoded.frames.size()) == frames);
}

TEST_CASE("the dialog's Cancel ends the export first", "[viz][replay]")
{
    QTemporaryDir folder;
    test::TestWindow test;
    test.window.replay().askExport(ReplayFormat::Png);
    ReplayExportDialog* dialog = test.window.replay().exportDialog();
    dialog->findChild<QLineEdit*>("replayFile")->setText(folder.filePath("many.png"));
    dialog->findChild<QSpinBox*>("replayRate")->setValue(60);
    QTest::keyClick(dialog, Qt::Key_Return);
    REQUIRE(dialog->job().running());
    test.window.replay().askExport(ReplayFormat::Webp); // a second one waits for the first
    CHECK(test.window.replay().exportDialog() == dialog);
    QTest::keyClick(dialog, Qt::Key_Escape);
    REQUIRE(QTest::qWaitFor([&] { return !dialog->job().running(); }, 10'000));
    CHECK(dialog->isVisible());
    CHECK(dialog->findChild<QLabel*>("replaySummary")->text().startsWith("Cancelled"));
    CHECK(filesIn(folder.path()).isEmpty());
    dialog->findChild<QLineEdit*>("replayFile")->setText("/nowhere/many.png");
    QTest::keyClick(dialog, Qt::Key_Return);
    REQUIRE(QTest::qWaitFor([&] { return !dialog->job().running(); }, 10'000));
    CHECK(dialog->findChild<QLabel*>("replaySummary")->text().contains("/nowhere"));
    const QPointer<ReplayExportDialog> left = dialog;
    QTest::keyClick(dialog, Qt::Key_Escape);
    CHECK((!left || !left->isVisible()));
}

TEST_CASE("a window that closes while it exports ends the export", "[viz][replay]")
{
    QTemporaryDir folder;
    {
        test::TestWindow test;
        test.window.replay().askExport(ReplayFormat::Webp);
        ReplayExportDialog* dialog = test.window.replay().exportDialog();
        dialog->findChild<QLineEdit*>("replayFile")->setText(folder.filePath("late.webp"));
        QTest::keyClick(dialog, Qt::Key_Return);
        REQUIRE(dialog->job().running());
    }
    CHECK(filesIn(folder.path()).isEmpty());
}

#ifdef BUBBLESCOPE_UI_PROGRAM
TEST_CASE("the program writes a replay without a window", "[viz][replay]")
{
    QTemporaryDir folder;
    const QString document = test::makeDocument(folder);
    const auto call = [](const QStringList& arguments, QString* said = nullptr) {
        QProcess program;
        program.setProcessChannelMode(QProcess::MergedChannels);
        program.start(BUBBLESCOPE_UI_PROGRAM, arguments);
        program.waitForFinished(60'000);
        const QString output = QString::fromUtf8(program.readAll());
        if (said)
            *said = output;
        return program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -1;
    };
    const QString out = folder.filePath("out.webp");
    CHECK(call({"--replay", out, "--size", "600x400", "--fps", "5", "--speed", "0.01", document + ":1",
                document + ":2"}) == 0);
    const Decoded decoded = decode(out);
    CHECK(decoded.size == QSize(600, 400));
    CHECK(decoded.frames.size() > 10);
    QString said;
    CHECK(call({"--help"}, &said) == 0);
    CHECK(said.contains("--replay <OUT>"));
    CHECK(call({"--replay", out}, &said) == 2);
    CHECK(said.contains("needs at least one run"));
    CHECK(call({"--replay", folder.filePath("out.gif"), document}, &said) == 2);
    CHECK(said.contains(".webp or .png"));
    CHECK(call({"--replay", out, "--speed", "3", document}, &said) == 2);
    CHECK(said.contains("from 0.001 to 1"));
    CHECK(call({"--replay", "/nowhere/out.webp", document}, &said) == 1);
    CHECK(said.contains("/nowhere/out.webp can't be written"));
}
#endif

#else

TEST_CASE("without libwebp the menu says why there is no animation", "[viz][replay]")
{
    CHECK_FALSE(canWriteWebp());
    CHECK(whyNoWebp().contains("libwebp"));
    test::TestWindow test;
    bool found = false;
    for (QAction* menu : test.window.menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (action->text().contains("no libwebp")) {
                found = true;
                CHECK_FALSE(action->isEnabled());
            }
    CHECK(found);
    CHECK_THROWS_WITH(write(smallExport("x.webp")), Catch::Contains("libwebp"));
}

#endif
