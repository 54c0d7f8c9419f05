#include "viz/replay/replay_export.h"

#include "core/base/error.h"
#include "core/trace/whole_file.h"
#include "viz/replay/replay_player.h"
#include "viz/replay/webp_writer.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QImageWriter>
#include <QTemporaryDir>

#include <cmath>
#include <filesystem>
#include <ostream>

namespace bubblescope::viz {
namespace {

constexpr int usualWidth = 1200;
constexpr double widestPlainType = 1280;
constexpr int smallestSide = 120;
constexpr int largestSide = 8192;

QString tr(const char* source)
{
    return QCoreApplication::translate("Replay", source);
}

QString frameMessage(std::int64_t frame, std::int64_t count)
{
    return tr("frame %1 of %2").arg(frame).arg(count);
}

ReplayScene sceneOf(const std::vector<RunPtr>& runs, const ReplayExport& wanted, const QFont& font)
{
    ReplayLook look;
    look.scale = wanted.type;
    look.size = QSize(static_cast<int>(std::lround(wanted.size.width() / wanted.type)),
                      static_cast<int>(std::lround(wanted.size.height() / wanted.type)));
    look.dark = wanted.dark;
    look.upcoming = wanted.upcoming;
    look.font = font;
    return {runs, {wanted.range.begin, wanted.range.end + wanted.range.length() / 64}, look, wanted.offsets};
}

/// Exactly the size asked for, whatever rounding did to the logical one.
QImage sized(QImage frame, QSize size)
{
    frame.setDevicePixelRatio(1);
    return frame.size() == size ? frame : frame.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

void exportWebp(const ReplayScene& scene, const ReplayExport& wanted, const ReplayFrames& frames,
                const Progress& progress)
{
    WebpWriter writer(wanted.size, wanted.forever);
    for (std::int64_t frame = 0; frame < frames.count(); ++frame) {
        progress.check();
        writer.add(sized(scene.frame(frames.timeOf(frame)), wanted.size), frames.appearsAt(frame));
        progress.report(static_cast<double>(frame + 1) / static_cast<double>(frames.count()),
                        frameMessage(frame + 1, frames.count()).toStdString());
    }
    const std::string bytes = writer.finish(frames.duration());
    progress.check();
    writeWholeFile(wanted.path.toStdString(),
                   [&](std::ostream& out) { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

void writePng(const QImage& image, const QString& path)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "PNG");
    if (!writer.write(image))
        throw Failure(tr("%1 can't be written: %2.").arg(path, writer.errorString()).toStdString());
    const QByteArray& bytes = buffer.data();
    writeWholeFile(path.toStdString(), [&](std::ostream& out) {
        out.write(bytes.constData(), static_cast<std::streamsize>(bytes.size()));
    });
}

void exportPngs(const ReplayScene& scene, const ReplayExport& wanted, const ReplayFrames& frames,
                const Progress& progress)
{
    const QDir folder = QFileInfo(wanted.path).absoluteDir();
    for (std::int64_t frame = 1; frame <= frames.count(); ++frame)
        if (QFileInfo::exists(numberedPng(wanted.path, frame)))
            throw Error(tr("%1 is there already. Choose another name or another folder, so that the pictures of two "
                           "replays don't mix.")
                            .arg(numberedPng(wanted.path, frame))
                            .toStdString());
    QTemporaryDir parts(folder.filePath(QStringLiteral(".bubblescope-replay-XXXXXX")));
    if (!parts.isValid())
        throw Failure(tr("%1 can't be written to. Is there such a folder? Check that you may write there, or choose "
                         "another one.")
                          .arg(folder.absolutePath())
                          .toStdString());
    const auto part = [&parts](std::int64_t frame) { return parts.filePath(QString::number(frame)); };
    for (std::int64_t frame = 0; frame < frames.count(); ++frame) {
        progress.check();
        writePng(sized(scene.frame(frames.timeOf(frame)), wanted.size), part(frame));
        progress.report(static_cast<double>(frame + 1) / static_cast<double>(frames.count()),
                        frameMessage(frame + 1, frames.count()).toStdString());
    }
    progress.check();
    for (std::int64_t frame = 0; frame < frames.count(); ++frame) {
        std::error_code problem;
        std::filesystem::rename(part(frame).toStdString(), numberedPng(wanted.path, frame + 1).toStdString(), problem);
        if (problem) {
            for (std::int64_t moved = 0; moved < frame; ++moved)
                QFile::remove(numberedPng(wanted.path, moved + 1));
            throw Failure(tr("%1 can't be written: %2.")
                              .arg(numberedPng(wanted.path, frame + 1), QString::fromStdString(problem.message()))
                              .toStdString());
        }
    }
}

} // namespace

ReplayFrames::ReplayFrames(TimeRange range, double speed, int framesPerSecond)
    : m_range(range)
    , m_step(speed * 1e9 / framesPerSecond)
    , m_framesPerSecond(framesPerSecond)
    , m_count(1 + static_cast<std::int64_t>(std::ceil(static_cast<double>(range.length()) / m_step - 1e-9)))
{
}

Nanoseconds ReplayFrames::timeOf(std::int64_t frame) const
{
    return std::min(m_range.end,
                    m_range.begin + static_cast<Nanoseconds>(std::llround(static_cast<double>(frame) * m_step)));
}

int ReplayFrames::appearsAt(std::int64_t frame) const
{
    return static_cast<int>(std::lround(static_cast<double>(frame) * 1000.0 / m_framesPerSecond));
}

ReplayExport completed(ReplayExport wanted, const std::vector<RunPtr>& runs, const QFont& font)
{
    if (runs.empty())
        throw Error(tr("There is nothing to replay: show at least one run.").toStdString());
    const QString ending = QFileInfo(wanted.path).suffix().toLower();
    if (ending != QLatin1String("webp") && ending != QLatin1String("png"))
        throw Error(
            tr("'%1' doesn't end in .webp or .png, the replays that can be written.").arg(wanted.path).toStdString());
    if (ending == QLatin1String("webp") && !canWriteWebp())
        throw Error(whyNoWebp().toStdString());
    if (wanted.range.empty()) {
        std::vector<ReplayRun> aligned(runs.begin(), runs.end());
        for (std::size_t slot = 0; slot < std::min(aligned.size(), wanted.offsets.size()); ++slot)
            aligned[slot].setOffset(wanted.offsets[slot]);
        const auto [begin, end] = replayRange(aligned);
        wanted.range = {begin, end};
    }
    if (wanted.range.empty())
        throw Error(tr("The run has no tasks yet, so there is nothing to replay.").toStdString());
    if (wanted.speed <= 0)
        wanted.speed = pleasantSpeed(wanted.range.length());
    if (wanted.size.isEmpty()) {
        const double type = wanted.type > 0 ? wanted.type : 1;
        wanted.size = QSize(usualWidth, ReplayScene::heightFor(runs, usualWidth, font)) * type;
        wanted.type = type;
    }
    if (wanted.type <= 0)
        wanted.type = std::max(1.0, wanted.size.width() / widestPlainType);
    if (std::min(wanted.size.width(), wanted.size.height()) < smallestSide ||
        std::max(wanted.size.width(), wanted.size.height()) > largestSide)
        throw Error(tr("%1 × %2 pixels can't be drawn; each side may have from %3 to %4.")
                        .arg(wanted.size.width())
                        .arg(wanted.size.height())
                        .arg(smallestSide)
                        .arg(largestSide)
                        .toStdString());
    const ReplayFrames frames(wanted.range, wanted.speed, wanted.framesPerSecond);
    if (frames.count() > ReplayExport::mostFrames)
        throw Error(tr("That would be %1 frames; at most %2 can be written. Choose a faster speed, fewer frames per "
                       "second or a shorter range.")
                        .arg(frames.count())
                        .arg(ReplayExport::mostFrames)
                        .toStdString());
    return wanted;
}

QString summaryOf(const ReplayExport& complete)
{
    const ReplayFrames frames(complete.range, complete.speed, complete.framesPerSecond);
    return tr("%1 frames · %2 s · %3 × %4 pixels")
        .arg(frames.count())
        .arg(frames.duration() / 1000.0, 0, 'f', 1)
        .arg(complete.size.width())
        .arg(complete.size.height());
}

void exportReplay(const std::vector<RunPtr>& runs, const ReplayExport& complete, const QFont& font,
                  const Progress& progress)
{
    const ReplayScene scene = sceneOf(runs, complete, font);
    const ReplayFrames frames(complete.range, complete.speed, complete.framesPerSecond);
    if (QFileInfo(complete.path).suffix().toLower() == QLatin1String("webp"))
        exportWebp(scene, complete, frames, progress);
    else
        exportPngs(scene, complete, frames, progress);
}

QString numberedPng(const QString& path, std::int64_t number)
{
    const QFileInfo file(path);
    return file.absoluteDir().filePath(
        QStringLiteral("%1-%2.png").arg(file.completeBaseName()).arg(number, 4, 10, QLatin1Char('0')));
}

} // namespace bubblescope::viz
