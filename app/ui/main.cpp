// bubblescope-ui: the window, and with --render or --replay a picture or an animation without one.
//
//     arguments ──► --render or --replay? ──► runs out of documents ──► a file
//                └► the window, with the documents that were named
//
// Exit codes: 0 done, 1 the work failed, 2 bad usage or bad input.

#include "core/base/error.h"
#include "core/trace/document.h"
#include "viz/document/run_loader.h"
#include "viz/render/render.h"
#include "viz/replay/replay_export.h"
#include "viz/replay/replay_player.h"
#include "viz/theme/theme.h"
#include "viz/window/language.h"
#include "viz/window/main_window.h"
#include "viz/window/screenshots.h"
#include "viz/window/settings.h"
#include "viz/window/windows.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>

#include <cstdio>
#include <cstring>

using namespace bubblescope;

namespace {

struct Arguments {
    QString render;
    bool replay = false;
    viz::ReplayExport animation; ///< of --replay
    QString screenshots;
    viz::RenderOptions options;
    QStringList runs;
};

[[noreturn]] void usage(const QString& sentence)
{
    throw Error(sentence.toStdString());
}

QSize sizeFrom(const QString& text)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    const int width = parts.value(0).toInt();
    const int height = parts.value(1).toInt();
    if (parts.size() != 2 || width < 100 || height < 60 || width > 20000 || height > 20000)
        usage(QStringLiteral("--size %1 is not a size; 1200x600 is one, from 100x60 to 20000x20000.").arg(text));
    return {width, height};
}

viz::RenderView viewFrom(const QString& text)
{
    if (text == QLatin1String("timeline"))
        return viz::RenderView::Timeline;
    if (text == QLatin1String("bubbles"))
        return viz::RenderView::Bubbles;
    if (text == QLatin1String("memory"))
        return viz::RenderView::Memory;
    usage(QStringLiteral("--view %1 is unknown; timeline, bubbles and memory are the views.").arg(text));
}

double scaleFrom(const QString& text)
{
    bool isNumber = false;
    const double scale = text.toDouble(&isNumber);
    if (!isNumber || !(scale >= 0.5 && scale <= 8))
        usage(QStringLiteral("--scale %1 is not possible; a number from 0.5 to 8 is, such as 2.").arg(text));
    return scale;
}

int framesFrom(const QString& text)
{
    const int frames = text.toInt();
    if (frames < 1 || frames > 60)
        usage(QStringLiteral("--fps %1 is not possible; a whole number from 1 to 60 is, such as 20.").arg(text));
    return frames;
}

double speedFrom(const QString& text)
{
    bool isNumber = false;
    const double speed = text.toDouble(&isNumber);
    if (!isNumber || !(speed >= viz::ReplayPlayer::slowest && speed <= viz::ReplayPlayer::fastest))
        usage(QStringLiteral("--speed %1 is not possible; a number from 0.001 to 1 is, such as 0.01.").arg(text));
    return speed;
}

/// What --replay writes. Its size is in pixels, and its type as large as on screen unless --scale is given.
viz::ReplayExport animationFrom(const QCommandLineParser& parser, const viz::RenderOptions& options)
{
    viz::ReplayExport animation;
    animation.path = parser.value(QStringLiteral("replay"));
    animation.size = options.size;
    animation.type = parser.isSet(QStringLiteral("scale")) ? options.scale : 0;
    animation.dark = options.dark;
    animation.framesPerSecond = framesFrom(parser.value(QStringLiteral("fps")));
    if (parser.isSet(QStringLiteral("speed")))
        animation.speed = speedFrom(parser.value(QStringLiteral("speed")));
    return animation;
}

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(
        QStringLiteral("Shows where the time and the memory of pipeline-parallel training go."));
    parser.addHelpOption();
    parser.addVersionOption();
    const auto add = [&parser](const char* name, const char* what, const char* value = nullptr,
                               const char* standard = nullptr) {
        parser.addOption(
            {QString::fromUtf8(name), QString::fromUtf8(what), QString::fromUtf8(value), QString::fromUtf8(standard)});
    };
    add("render", "Draw the runs into OUT (.png, .svg or .pdf) and end; needs no display.", "OUT");
    add("view", "What to draw: timeline, bubbles or memory.", "VIEW", "timeline");
    add("replay",
        "Write the replay of the runs into OUT and end: an animation (.webp) or numbered pictures (.png becomes "
        "OUT-0001.png and so on); needs no display.",
        "OUT");
    add("fps", "Frames per second of --replay.", "N", "20");
    add("speed",
        "Speed of --replay: 1 is as fast as the run took place, down to 0.001; by default slow enough to last about "
        "ten seconds.",
        "X");
    add("size", "Size of the picture, such as 1200x600; by default what the runs need.", "WxH");
    add("scale", "Pixels of a PNG per unit of its size; of --replay: size of its type.", "N", "2");
    add("dark", "Dark colours.");
    QCommandLineOption screenshots(QStringLiteral("screenshots"),
                                   QStringLiteral("Write pictures of the window's main states into DIR and end."),
                                   QStringLiteral("DIR"));
    screenshots.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(screenshots);
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("Documents, FILE.bscope or FILE.bscope:RUN."),
                                 QStringLiteral("[FILE.bscope[:RUN] …]"));
}

Arguments parse(const QStringList& arguments)
{
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(arguments))
        usage(parser.errorText() + QStringLiteral(" See --help."));
    if (parser.isSet(QStringLiteral("help")))
        parser.showHelp();
    if (parser.isSet(QStringLiteral("version")))
        parser.showVersion();
    const bool render = parser.isSet(QStringLiteral("render"));
    Arguments result;
    result.render = parser.value(QStringLiteral("render"));
    result.screenshots = parser.value(QStringLiteral("screenshots"));
    result.options.view = viewFrom(parser.value(QStringLiteral("view")));
    if (parser.isSet(QStringLiteral("size")))
        result.options.size = sizeFrom(parser.value(QStringLiteral("size")));
    result.options.scale = scaleFrom(parser.value(QStringLiteral("scale")));
    result.options.dark = parser.isSet(QStringLiteral("dark"));
    result.replay = parser.isSet(QStringLiteral("replay"));
    result.animation = animationFrom(parser, result.options);
    result.runs = parser.positionalArguments();
    if (result.replay && render)
        usage(QStringLiteral("--render and --replay don't go together; start the program once for each."));
    if (result.replay && result.runs.isEmpty())
        usage(QStringLiteral("--replay needs at least one run, such as demo.bscope:1."));
    if (render && result.runs.isEmpty())
        usage(QStringLiteral("--render needs at least one run, such as demo.bscope:1."));
    return result;
}

/// Without :RUN all runs of the document, up to as many as the window shows.
std::vector<viz::RunPtr> loadRuns(const QStringList& addresses)
{
    std::vector<viz::RunPtr> runs;
    for (const QString& text : addresses) {
        const RunAddress address = parseRunAddress(text.toStdString());
        const Document document = Document::open(address.path, Document::Mode::ReadOnly);
        if (address.run) {
            runs.push_back(viz::loadRun(document, document.run(*address.run)));
            continue;
        }
        for (const RunInfo& info : document.runs())
            runs.push_back(viz::loadRun(document, info));
    }
    if (runs.size() > viz::TimelineStack::mostRuns)
        runs.resize(viz::TimelineStack::mostRuns);
    return runs;
}

/// A picture needs no display, and a window can't be had without one.
void choosePlatform(int argc, char** argv)
{
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        return;
    bool headless = !qEnvironmentVariableIsSet("DISPLAY") && !qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    for (int i = 1; i < argc; ++i)
        for (const char* option : {"--render", "--replay", "--screenshots"})
            headless = headless || std::strncmp(argv[i], option, std::strlen(option)) == 0;
    if (headless)
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

void writeReplay(const Arguments& arguments)
{
    const std::vector<viz::RunPtr> runs = loadRuns(arguments.runs);
    const QFont font = QApplication::font();
    viz::exportReplay(runs, viz::completed(arguments.animation, runs, font), font, Progress());
}

int openWindow(const Arguments& arguments)
{
    if (QGuiApplication::platformName() == QLatin1String("offscreen"))
        std::fprintf(stderr, "bubblescope-ui: there is no display. --render OUT.png FILE.bscope draws without one.\n");
    for (const QString& address : arguments.runs)
        (void)parseRunAddress(address.toStdString()); // bad usage is said before a window opens
    viz::useLanguage(viz::settings::language());
    viz::MainWindow* window = viz::newWindow();
    window->offerRecovery();
    if (!arguments.runs.isEmpty())
        viz::openInWindows(*window, arguments.runs);
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    choosePlatform(argc, argv);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("bubblescope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Bubblescope"));
    QApplication::setOrganizationName(QStringLiteral("bubblescope"));
    QApplication::setApplicationVersion(QStringLiteral(BUBBLESCOPE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("bubblescope"));
    viz::rememberSystemTheme(QApplication::palette());
    viz::applyTheme(viz::ThemeMode::System); // brings the resources along
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/bubblescope/icon.svg")));
    try {
        const Arguments arguments = parse(QApplication::arguments());
        if (!arguments.screenshots.isEmpty())
            return viz::writeScreenshots(arguments.screenshots, arguments.runs);
        if (arguments.render.isEmpty() && !arguments.replay)
            return openWindow(arguments);
        viz::applyTheme(arguments.options.dark ? viz::ThemeMode::Dark : viz::ThemeMode::Light);
        if (arguments.replay) {
            writeReplay(arguments);
            return 0;
        }
        viz::render(loadRuns(arguments.runs), arguments.render, arguments.options);
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "bubblescope-ui: %s\n", error.what());
        return 2;
    } catch (const Failure& failure) {
        std::fprintf(stderr, "bubblescope-ui: %s\n", failure.what());
        return 1;
    }
}
