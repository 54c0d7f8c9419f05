// Documents: saving and recovering, several windows, and everything that can go wrong with a file.

#include "core/base/error.h"
#include "core/trace/document.h"
#include "core/trace/sqlite.h"
#include "tests/viz/support.h"
#include "viz/document/draft_json.h"
#include "viz/document/recovery.h"
#include "viz/window/settings.h"
#include "viz/window/windows.h"

#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QThread>
#include <QTimer>

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include <functional>
#include <future>
#include <sys/mount.h>
#include <unistd.h>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

constexpr int patience = 10'000;

/// Types a number of microbatches into the form.
void typeMicrobatches(test::TestWindow& test, int count)
{
    auto* field = test.window.findChild<QSpinBox*>(QStringLiteral("microbatches"));
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QString::number(count));
    test.settle();
}

QString copyOf(const MainWindow& window)
{
    return window.findChildren<MessageBar*>().constFirst()->sentence();
}

bool says(test::TestWindow& test, const char* part)
{
    return QTest::qWaitFor([&] { return copyOf(test.window).contains(QLatin1String(part)); }, patience);
}

QPushButton* messageButton(MainWindow& window, const char* text)
{
    for (auto* button : window.messages().findChildren<QPushButton*>())
        if (button->text() == QLatin1String(text) && button->isVisible())
            return button;
    return nullptr;
}

bool openedIn(test::TestWindow& test, const QString& path)
{
    test.window.openDocument(path);
    return QTest::qWaitFor([&] { return test.window.workbench().path() == path; }, patience);
}

std::size_t runsIn(const QString& path)
{
    return Document::open(path.toStdString(), Document::Mode::ReadOnly).runs().size();
}

/// Answers the prompt that comes up next.
void answerPrompt(QMessageBox::StandardButton answer, bool& asked)
{
    QTimer::singleShot(50, [answer, &asked] {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* box = qobject_cast<QMessageBox*>(widget)) {
                asked = true;
                box->button(answer)->click();
            }
    });
}

/// Closes and deletes the windows that a test opened besides its own.
void closeOthers(const MainWindow& own)
{
    for (MainWindow* window : openWindows())
        if (window != &own)
            delete window;
}

/// A folder that nothing can be written into. Root may write everywhere, so there it isn't one.
class ReadOnlyFolder {
public:
    explicit ReadOnlyFolder(QString path) : m_path(std::move(path)) { set(QFile::ReadOwner | QFile::ExeOwner); }

    ~ReadOnlyFolder() { set(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner); }

    ReadOnlyFolder(const ReadOnlyFolder&) = delete;
    ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;

    bool works() const { return access(m_path.toLocal8Bit().constData(), W_OK) != 0; }

private:
    void set(QFile::Permissions permissions) const { QFile::setPermissions(m_path, permissions); }

    QString m_path;
};

} // namespace

TEST_CASE("a draft is the same after a trip through its text", "[viz][documents]")
{
    Draft draft = firstDraft();
    draft.common.model.layerCosts = {1, 2.5, 3};
    draft.common.partition = {1, 1, 1};
    draft.common.cost = "F=x"; // what can't be built is kept too
    draft.common.microbatches = 6;
    draft.schedule[1] = parseRecipe("interleaved-1f1b");
    draft.chunks = {0, 3};
    draft.ownPartition = {2, 1, 1};
    const Draft first = firstDraft();
    draft.order[1] =
        std::make_shared<CustomOrder>(CustomOrder{"mine", plan(first.experimentFor(1), first.schedule[1]).schedule});
    const Draft again = draftFromJson(draftToJson(draft));
    CHECK(again.common.cost == "F=x");
    CHECK(again.common.partition == draft.common.partition);
    CHECK(again.common.model.layerCosts == draft.common.model.layerCosts);
    CHECK(again.schedule[1].id == "interleaved-1f1b");
    CHECK(again.schedule[1].parameters == draft.schedule[1].parameters);
    CHECK(again.chunks == draft.chunks);
    CHECK(again.ownPartition == draft.ownPartition);
    CHECK_FALSE(again.order[0]);
    REQUIRE(again.order[1]);
    CHECK(again.order[1]->name == "mine");
    CHECK(ordersText(again.order[1]->schedule) == ordersText(draft.order[1]->schedule));
    CHECK(draftToJson(again) == draftToJson(draft));
    CHECK_THROWS_AS(draftFromJson("{\"version\":1"), Error);
    CHECK_THROWS_WITH(draftFromJson("{\"version\":2}"), Catch::Contains("newer Bubblescope"));
}

TEST_CASE("Ctrl+S keeps an edit in the document, and opening brings it back", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    {
        test::TestWindow test;
        REQUIRE(openedIn(test, path));
        test.settle();
        CHECK_FALSE(test.window.workbench().unsaved());
        typeMicrobatches(test, 12);
        CHECK(test.window.workbench().unsaved());
        CHECK(test.window.windowTitle().contains(QLatin1Char('*')));
        QTest::keyClick(&test.window, Qt::Key_S, Qt::ControlModifier);
        CHECK(QTest::qWaitFor([&] { return !test.window.workbench().unsaved(); }, patience));
        CHECK_FALSE(test.window.windowTitle().contains(QLatin1Char('*')));
    }
    test::TestWindow test;
    REQUIRE(openedIn(test, path));
    test.settle();
    CHECK(test.window.workbench().draft().common.microbatches == 12);
    CHECK(test.window.workbench().runs().size() == 2);
}

TEST_CASE("an edit since the last save is asked for when the window closes", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    const auto answer = GENERATE(QMessageBox::Save, QMessageBox::Discard, QMessageBox::Cancel);
    test::TestWindow test;
    REQUIRE(openedIn(test, path));
    test.settle();
    typeMicrobatches(test, 12);
    bool asked = false;
    answerPrompt(answer, asked);
    test.window.close();
    const bool stays = answer == QMessageBox::Cancel;
    const bool closed = QTest::qWaitFor([&] { return !test.window.isVisible(); }, stays ? 500 : patience);
    CHECK(asked);
    CHECK(closed == (answer != QMessageBox::Cancel));
    const std::string draft = Document::open(path.toStdString(), Document::Mode::ReadOnly).text("draft");
    CHECK((draftFromJson(draft).common.microbatches == 12) == (answer == QMessageBox::Save));
}

TEST_CASE("what isn't saved is on disk at once, and gone when it is saved", "[viz][documents]")
{
    QTemporaryDir folder;
    test::TestWindow test;
    typeMicrobatches(test, 5);
    const QString draft = RecoveryFolder::draftPathIn(QFileInfo(test.window.workbench().path()).absolutePath());
    CHECK(QTest::qWaitFor([&] { return !test.window.workbench().autosave().pending(); }, patience));
    CHECK(draftFromJson(readUnsavedWork(draft).draft).common.microbatches == 5);
    typeMicrobatches(test, 7); // the second of a quick series comes after the interval
    test.window.workbench().autosave().setInterval(10);
    CHECK(QTest::qWaitFor([&] { return draftFromJson(readUnsavedWork(draft).draft).common.microbatches == 7; },
                          patience));
    REQUIRE(test.saveAs(folder.filePath(QStringLiteral("kept.bscope"))));
    CHECK(QTest::qWaitFor([&] { return !QFile::exists(draft); }, patience));
    CHECK(leftWork().empty()); // and what lives isn't left
}

TEST_CASE("an untitled experiment is recovered with its runs and edits", "[viz][documents]")
{
    {
        // Destroyed without a question: as far as the disk is concerned, it died.
        test::TestWindow test;
        test.window.workbench().keepPredictions();
        typeMicrobatches(test, 12);
        (void)QTest::qWaitFor([&] { return !test.window.workbench().autosave().pending(); }, patience);
    }
    REQUIRE(leftWork().size() == 1);
    test::TestWindow test;
    test.window.offerRecovery();
    CHECK(copyOf(test.window).contains(QLatin1String("untitled")));
    auto* recover = messageButton(test.window, "Recover");
    REQUIRE(recover != nullptr);
    QTest::mouseClick(recover, Qt::LeftButton);
    REQUIRE(QTest::qWaitFor([&] { return test.window.workbench().runs().size() == 2; }, patience));
    test.settle();
    CHECK(test.window.workbench().draft().common.microbatches == 12);
    CHECK(test.window.workbench().temporary());
    CHECK(test.window.workbench().unsaved());
    CHECK(leftWork().empty()); // this window has it now
    test.window.workbench().discard();
}

TEST_CASE("edits of a document are recovered on top of it", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    const bool deleted = GENERATE(false, true);
    {
        test::TestWindow test;
        REQUIRE(openedIn(test, path));
        test.settle();
        typeMicrobatches(test, 16);
        (void)QTest::qWaitFor([&] { return !test.window.workbench().autosave().pending(); }, patience);
    }
    const auto left = leftWork();
    REQUIRE(left.size() == 1);
    CHECK(left[0].document == path);
    if (deleted)
        QFile::remove(path);
    test::TestWindow test;
    test.window.workbench().recover(left[0]);
    test.settle();
    CHECK(test.window.workbench().draft().common.microbatches == 16);
    CHECK(test.window.workbench().unsaved());
    CHECK(test.window.workbench().temporary() == deleted);
    if (deleted)
        CHECK(copyOf(test.window).contains(QLatin1String("not there any more")));
    test.window.workbench().discard();
}

TEST_CASE("left work is discarded when that is asked for", "[viz][documents]")
{
    {
        test::TestWindow test;
        typeMicrobatches(test, 3);
        (void)QTest::qWaitFor([&] { return !test.window.workbench().autosave().pending(); }, patience);
    }
    test::TestWindow test;
    test.window.offerRecovery();
    auto* discard = messageButton(test.window, "Discard");
    REQUIRE(discard != nullptr);
    QTest::mouseClick(discard, Qt::LeftButton);
    CHECK(leftWork().empty());
}

TEST_CASE("a second document opens in a window of its own, once", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString first = test::makeDocument(folder, QStringLiteral("first.bscope"));
    const QString second = test::makeDocument(folder, QStringLiteral("second.bscope"));
    test::TestWindow test;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(first), QUrl::fromLocalFile(second)});
    QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&test.window, &enter);
    QDropEvent drop({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&test.window, &drop);
    CHECK(QTest::qWaitFor([&] { return windowShowing(first) && windowShowing(second); }, patience));
    CHECK(openWindows().size() == 2);
    CHECK(windowShowing(first) == &test.window); // it was untouched, so it was taken
    test.window.openFiles({second, second + QStringLiteral(":2")});
    test.settle();
    CHECK(openWindows().size() == 2);
    CHECK(windowShowing(second)->workbench().shown() == std::vector<int>{2});
    closeOthers(test.window);
}

TEST_CASE("File, New window opens one, and an edited window isn't taken by a document", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    test::TestWindow test;
    QTest::keyClick(&test.window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(openWindows().size() == 2);
    closeOthers(test.window);
    typeMicrobatches(test, 3);
    test.window.openFiles({path});
    CHECK(QTest::qWaitFor([&] { return windowShowing(path) != nullptr; }, patience));
    CHECK(windowShowing(path) != &test.window);
    CHECK(test.window.workbench().draft().common.microbatches == 3);
    closeOthers(test.window);
    test.window.workbench().discard();
}

TEST_CASE("a document that is deleted is noticed, and written again", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    test::TestWindow test;
    REQUIRE(openedIn(test, path));
    test.settle();
    QFile::remove(path);
    CHECK(says(test, "was deleted or moved"));
    CHECK(copyOf(test.window).contains(QLatin1String("Ctrl+S")));
    CHECK(test.window.workbench().unsaved());
    SECTION("under its name")
    {
        QTest::keyClick(&test.window, Qt::Key_S, Qt::ControlModifier);
        REQUIRE(QTest::qWaitFor([&] { return !test.window.workbench().unsaved(); }, patience));
        CHECK(runsIn(path) == 2);
    }
    SECTION("under another one")
    {
        const QString other = folder.filePath(QStringLiteral("other.bscope"));
        CHECK(test.saveAs(other));
        CHECK(runsIn(other) == 2);
        CHECK_FALSE(QFile::exists(path));
    }
}

TEST_CASE("runs that another program adds appear", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    test::TestWindow test;
    REQUIRE(openedIn(test, path));
    test.settle();
    const bool replaced = GENERATE(false, true);
    const QString target = replaced ? folder.filePath(QStringLiteral("next.bscope")) : path;
    if (replaced)
        Document::open(path.toStdString(), Document::Mode::ReadOnly).saveCopy(target.toStdString());
    {
        Document document = Document::open(target.toStdString(), Document::Mode::ReadWrite);
        RunHeader header;
        header.title = "another";
        document.addRun(header, document.readTrace(1));
    }
    if (replaced)
        REQUIRE(std::rename(target.toLocal8Bit().constData(), path.toLocal8Bit().constData()) == 0);
    CHECK(QTest::qWaitFor([&] { return test.window.workbench().runs().size() == 3; }, patience));
    CHECK(says(test, "was changed by another program"));
}

TEST_CASE("own changes of the document are no news", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    test::TestWindow test;
    REQUIRE(openedIn(test, path));
    test.settle();
    test.window.workbench().keepPredictions();
    test.settle();
    CHECK(test.window.workbench().runs().size() == 4);
    QTest::qWait(500); // longer than the watch takes to settle
    test.settle();
    CHECK(copyOf(test.window).isEmpty());
    CHECK_FALSE(QFile::exists(path + QStringLiteral("-wal"))); // one file again
}

TEST_CASE("a folder that can't be written is said, and the runs are kept elsewhere", "[viz][documents]")
{
    QTemporaryDir folder;
    QTemporaryDir elsewhere;
    const QString path = test::makeDocument(folder);
    const ReadOnlyFolder readOnly(folder.path());
    if (!readOnly.works()) {
        WARN("SKIPPED: this user may write everywhere");
        return;
    }
    test::TestWindow test;
    REQUIRE(openedIn(test, path));
    test.settle();
    test.window.workbench().keepPredictions();
    CHECK(says(test, "can't be written"));
    typeMicrobatches(test, 12);
    CHECK_FALSE(test.saveAs(path));
    CHECK(test.window.workbench().unsaved());
    CHECK(messageButton(test.window, "Save as …") != nullptr);
    CHECK(test.saveAs(elsewhere.filePath(QStringLiteral("copy.bscope"))));
    CHECK(runsIn(elsewhere.filePath(QStringLiteral("copy.bscope"))) == 2);
}

TEST_CASE("a folder that is missing is said when saving", "[viz][documents]")
{
    test::TestWindow test;
    typeMicrobatches(test, 12);
    CHECK_FALSE(test.saveAs(QStringLiteral("/nowhere/at/all.bscope")));
    CHECK(copyOf(test.window).contains(QLatin1String("/nowhere/at/all.bscope")));
    CHECK(test.window.workbench().temporary());
    CHECK(test.window.workbench().unsaved());
    test.window.workbench().discard();
}

TEST_CASE("a full disk is said, and nothing is lost or left half written", "[viz][documents]")
{
    QTemporaryDir folder;
    const QByteArray small = folder.path().toLocal8Bit();
    if (mount("tmpfs", small.constData(), "tmpfs", 0, "size=128k") != 0) {
        WARN("SKIPPED: no small disk can be made here");
        return;
    }
    {
        test::TestWindow test;
        Draft draft = test.window.workbench().draft();
        draft.common.stages = 16;
        draft.common.model.layers = 32;
        draft.common.microbatches = 256;
        test.window.workbench().edit(draft, QStringLiteral("too large for the disk"));
        test.settle();
        test.window.workbench().keepPredictions();
        test.settle();
        REQUIRE(test.window.workbench().runs().size() == 2);
        CHECK_FALSE(test.saveAs(folder.filePath(QStringLiteral("full.bscope"))));
        CHECK(copyOf(test.window).contains(QLatin1String("disk is full")));
        CHECK(QDir(folder.path()).entryList(QDir::Files).isEmpty());
        CHECK(test.window.workbench().unsaved());
        CHECK(test.window.workbench().runs().size() == 2);
        test.window.workbench().discard();
    }
    CHECK(umount(small.constData()) == 0);
}

TEST_CASE("documents that can't be opened are refused with a next step, and what is open stays", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString good = test::makeDocument(folder);
    const QString bad = folder.filePath(QStringLiteral("bad.bscope"));
    const auto [make, sentence] = GENERATE_COPY(table<std::function<void()>, const char*>({
        {[&] {
             QFile::copy(good, bad);
             const Database database(bad.toStdString(), SQLITE_OPEN_READWRITE);
             database.exec("PRAGMA user_version = 9999");
         },
         "newer Bubblescope"},
        {[&] {
             const Database database(bad.toStdString(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
             database.exec("CREATE TABLE t (a)");
         },
         "another program"},
        {[&] {
             QFile::copy(good, bad);
             QFile file(bad);
             REQUIRE(file.open(QIODevice::ReadWrite));
             REQUIRE(file.resize(20'000)); // more than one page, less than all
         },
         "damaged"},
        {[&] {
             QFile file(bad);
             REQUIRE(file.open(QIODevice::WriteOnly));
         },
         "is empty"},
        {[] {}, "There is no file"},
    }));
    make();
    test::TestWindow test;
    REQUIRE(openedIn(test, good));
    test.settle();
    test.window.openDocument(bad);
    test.settle();
    CAPTURE(copyOf(test.window).toStdString());
    CHECK(says(test, sentence));
    CHECK(test.window.workbench().path() == good);
    CHECK(test.window.workbench().runs().size() == 2);
    QFile::remove(good); // it is still held: the other one took nothing away
    CHECK(says(test, "was deleted"));
    CHECK(test.saveAs(good));
}

TEST_CASE("saving a large document can be cancelled", "[viz][documents]")
{
    QTemporaryDir folder;
    std::promise<void> begun;
    std::optional<JobEnd> ended;
    DocumentJobs jobs;
    bool shown = false;
    QObject::connect(&jobs, &DocumentJobs::progress, [&](double, const QString& what) {
        shown = true;
        CHECK(what == QStringLiteral("saving"));
        jobs.cancel();
    });
    bool second = false;
    jobs.run(
        QStringLiteral("saving"),
        [](const Progress& progress) {
            while (true) {
                progress.check();
                QThread::msleep(1);
            }
        },
        [&](const JobEnd& end) { ended = end; });
    jobs.run({}, [&](const Progress&) { second = ended.has_value(); }, {});
    bool idle = false;
    jobs.whenIdle([&] { idle = true; });
    CHECK(QTest::qWaitFor([&] { return idle; }, patience));
    CHECK(shown);
    REQUIRE(ended);
    CHECK(ended->cancelled);
    CHECK(ended->error.isEmpty());
}

TEST_CASE("a copy that is cancelled leaves nothing", "[viz][documents]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    const QString copy = folder.filePath(QStringLiteral("copy.bscope"));
    Progress progress;
    progress.cancel();
    const Document document = Document::open(path.toStdString(), Document::Mode::ReadOnly);
    CHECK_THROWS_AS(document.saveCopy(copy.toStdString(), {}, progress), Cancelled);
    CHECK(QDir(folder.path()).entryList(QDir::Files) == QStringList{QStringLiteral("demo.bscope")});
}

#ifdef BUBBLESCOPE_UI_PROGRAM
TEST_CASE("a program that is killed loses nothing, and leaves alone what another one works on", "[viz][documents]")
{
    QTemporaryDir home;
    const QString root = home.path() + QStringLiteral("/bubblescope/bubblescope/recovery");
    const auto environment = [&] {
        QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
        all.insert(QStringLiteral("XDG_DATA_HOME"), home.path());
        all.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
        return all;
    };
    QProcess program;
    program.setProcessEnvironment(environment());
    program.start(QStringLiteral(BUBBLESCOPE_UI_PROGRAM), QStringList());
    REQUIRE(program.waitForStarted());
    const auto folders = [&] { return QDir(root).entryList(QDir::Dirs | QDir::NoDotAndDotDot); };
    REQUIRE(QTest::qWaitFor([&] { return folders().size() == 1; }, 30'000));
    const QString folder = root + QLatin1Char('/') + folders().constFirst();
    CHECK(RecoveryFolder::take(folder) == nullptr); // it lives
    writeUnsavedWork(RecoveryFolder::draftPathIn(folder), {QString(), draftToJson(firstDraft())});
    program.kill();
    program.waitForFinished();
    CHECK(RecoveryFolder::take(folder) != nullptr);
    CHECK(draftFromJson(readUnsavedWork(RecoveryFolder::draftPathIn(folder)).draft).common.stages == 4);
}
#endif
