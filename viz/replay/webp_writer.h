// An animated WebP from frames, in memory. Built with libwebp where that is installed.

#pragma once

#include <QImage>
#include <QSize>
#include <QString>

#include <string>

namespace bubblescope::viz {

/// False when this build has no libwebp; then the sentence says what helps.
bool canWriteWebp();
QString whyNoWebp();

/// Lossless: letters and edges stay crisp, and flat colours need little room.
class WebpWriter {
public:
    /// `forever`: viewers begin again at the end. Throws Failure.
    WebpWriter(QSize size, bool forever);
    ~WebpWriter();
    WebpWriter(const WebpWriter&) = delete;
    WebpWriter& operator=(const WebpWriter&) = delete;

    /// Shown from `milliseconds` after the begin to the next frame.
    void add(const QImage& frame, int milliseconds);

    /// The file's bytes; the last frame is shown until `milliseconds`.
    std::string finish(int milliseconds);

private:
    struct State;
    State* m_state;
};

} // namespace bubblescope::viz
