#include "viz/replay/webp_writer.h"

#include "core/base/error.h"

#include <QCoreApplication>

#ifdef BUBBLESCOPE_WEBP
#include <webp/encode.h>
#include <webp/mux.h>
#endif

namespace bubblescope::viz {

#ifdef BUBBLESCOPE_WEBP

namespace {

[[noreturn]] void fail(const char* reason)
{
    throw Failure(fmt::format("the animation can't be encoded: {}. Choose a smaller size, or numbered PNGs.", reason));
}

} // namespace

struct WebpWriter::State {
    QSize size;
    WebPConfig config{};
    WebPAnimEncoder* encoder = nullptr;
};

bool canWriteWebp()
{
    return true;
}

QString whyNoWebp()
{
    return {};
}

WebpWriter::WebpWriter(QSize size, bool forever) : m_state(new State)
{
    m_state->size = size;
    WebPAnimEncoderOptions options;
    WebPAnimEncoderOptionsInit(&options);
    options.anim_params.loop_count = forever ? 0 : 1;
    WebPConfigInit(&m_state->config);
    m_state->config.lossless = 1;
    // From method 1 on, frames are an eighth of what they are with 0 (3.6 instead of 29 kB); more isn't smaller.
    m_state->config.method = 1;
    m_state->config.quality = 75;
    m_state->encoder = WebPAnimEncoderNew(size.width(), size.height(), &options);
    if (!m_state->encoder) {
        delete m_state;
        fail("its size is too large");
    }
}

WebpWriter::~WebpWriter()
{
    WebPAnimEncoderDelete(m_state->encoder);
    delete m_state;
}

void WebpWriter::add(const QImage& frame, int milliseconds)
{
    const QImage pixels = frame.convertToFormat(QImage::Format_RGBX8888);
    WebPPicture picture;
    WebPPictureInit(&picture);
    picture.width = pixels.width();
    picture.height = pixels.height();
    picture.use_argb = 1;
    const bool taken = WebPPictureImportRGBX(&picture, pixels.constBits(), static_cast<int>(pixels.bytesPerLine())) &&
                       WebPAnimEncoderAdd(m_state->encoder, &picture, milliseconds, &m_state->config);
    WebPPictureFree(&picture);
    if (!taken)
        fail(WebPAnimEncoderGetError(m_state->encoder));
}

std::string WebpWriter::finish(int milliseconds)
{
    WebPData data;
    WebPDataInit(&data);
    if (!WebPAnimEncoderAdd(m_state->encoder, nullptr, milliseconds, nullptr) ||
        !WebPAnimEncoderAssemble(m_state->encoder, &data))
        fail(WebPAnimEncoderGetError(m_state->encoder));
    std::string bytes(reinterpret_cast<const char*>(data.bytes), data.size);
    WebPDataClear(&data);
    return bytes;
}

#else

struct WebpWriter::State {};

bool canWriteWebp()
{
    return false;
}

QString whyNoWebp()
{
    return QCoreApplication::translate("Replay", "This build has no libwebp. Install libwebp-dev and build again, or "
                                                 "export numbered PNGs.");
}

WebpWriter::WebpWriter(QSize, bool) : m_state(nullptr)
{
    throw Error(whyNoWebp().toStdString());
}

WebpWriter::~WebpWriter() = default;

void WebpWriter::add(const QImage&, int) {}

std::string WebpWriter::finish(int)
{
    return {};
}

#endif

} // namespace bubblescope::viz
