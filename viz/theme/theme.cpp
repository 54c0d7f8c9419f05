#include "viz/theme/theme.h"

#include "viz/theme/style_sheet.h"

#include <QApplication>

#include <cmath>

// A resource of a static library is only there when it is asked for, and the macro for that belongs outside namespaces.
static void useResources()
{
    Q_INIT_RESOURCE(viz);
}

namespace bubblescope::viz {
namespace {

QColor hex(const char* text)
{
    return {QLatin1String(text)};
}

/// The hues of the works are those of the literature: blue forward, orange backward, green weights.
void fillWorks(Theme& theme)
{
    const QColor forward = hex(theme.dark ? "#4a7fd0" : "#3b74c4");
    const QColor backward = hex(theme.dark ? "#f5b56c" : "#f0a24e");
    const QColor weight = hex(theme.dark ? "#46b596" : "#3aa587");
    const QColor transfer = hex(theme.dark ? "#8b96a3" : "#98a2ae");
    const QColor memory = hex(theme.dark ? "#b99bd6" : "#a78bc9");
    const QColor collective = hex(theme.dark ? "#c9cfd6" : "#626d79");
    const QColor other = hex(theme.dark ? "#d7c878" : "#d9c86a");
    theme.work.fill(other);
    const auto set = [&theme](std::initializer_list<Work> works, const QColor& colour) {
        for (const Work work : works)
            theme.work[static_cast<std::size_t>(work)] = colour;
    };
    set({Work::Forward, Work::EmbeddingForward, Work::Draft}, forward);
    set({Work::Backward, Work::InputGradient, Work::EmbeddingBackward}, backward);
    set({Work::WeightGradient}, weight);
    set({Work::Recompute}, hex(theme.dark ? "#8fb8f0" : "#9cc0ee"));
    set({Work::Update, Work::Check}, hex(theme.dark ? "#b07fc4" : "#8e5aa8"));
    set({Work::Send, Work::Receive}, transfer);
    set({Work::Offload, Work::Reload, Work::LoadWeights, Work::StoreGradients}, memory);
    set({Work::Gather, Work::ReduceScatter, Work::AllReduce, Work::Broadcast, Work::Barrier, Work::Reshard},
        collective);
    set({Work::VocabularyS, Work::VocabularyT}, hex(theme.dark ? "#d98aa0" : "#d4849c"));
}

void fillCauses(Theme& theme)
{
    using Row = std::pair<IdleCause, const char*>;
    const Row rows[] = {
        {IdleCause::Warmup, theme.dark ? "#e8bd62" : "#f2c35f"},
        {IdleCause::Drain, theme.dark ? "#b8b189" : "#d8d09c"},
        {IdleCause::Dependency, theme.dark ? "#e07464" : "#dd6f5c"},
        {IdleCause::Arrival, theme.dark ? "#74c0d4" : "#7cc3d6"},
        {IdleCause::Imbalance, theme.dark ? "#b98bc2" : "#a9739f"},
        {IdleCause::Communication, theme.dark ? "#7f8c9a" : "#8793a0"},
        {IdleCause::Synchronisation, theme.dark ? "#6f7fd0" : "#5a69bd"},
        {IdleCause::Memory, theme.dark ? "#d98aa0" : "#d4849c"},
        {IdleCause::Jitter, theme.dark ? "#93b878" : "#9dbf80"},
        {IdleCause::Unexplained, theme.dark ? "#525a64" : "#c3c9d1"},
    };
    for (const auto& [cause, colour] : rows)
        theme.cause[static_cast<std::size_t>(cause)] = hex(colour);
}

Theme makeLight()
{
    Theme theme;
    theme.window = hex("#f5f6f9");
    theme.canvas = hex("#ffffff");
    theme.field = hex("#ffffff");
    theme.border = hex("#dfe3e8");
    theme.text = hex("#1d2127");
    theme.mutedText = hex("#606a76");
    theme.accent = hex("#2461c9");
    theme.accentText = hex("#ffffff");
    theme.accentSoft = hex("#e8f0fd");
    theme.error = hex("#b3261e");
    theme.errorSoft = hex("#fdecea");
    theme.warningSoft = hex("#fff6df");
    theme.cursor = hex("#c0392b");
    theme.match = hex("#b0128e");
    theme.note = hex("#8a5a00");
    theme.hatch = hex("#f3f4f6");
    theme.hatchLine = hex("#dcdfe4");
    theme.busy = hex("#5b8fd6");
    theme.stage = {hex("#cfdff5"), hex("#d9ecd8"), hex("#f4e2c7"), hex("#e3dbf3"),
                   hex("#d3ecee"), hex("#f6dadd"), hex("#e9e8c9"), hex("#dde1e8")};
    theme.series = {hex("#2461c9"), hex("#2e8b57"), hex("#c06a14"), hex("#7a4fb5"),
                    hex("#0f8793"), hex("#bd3f57"), hex("#77741c"), hex("#55606e")};
    theme.darkLabel = hex("#14181d");
    theme.lightLabel = hex("#ffffff");
    fillWorks(theme);
    fillCauses(theme);
    return theme;
}

Theme makeDark()
{
    Theme theme;
    theme.dark = true;
    theme.window = hex("#20242a");
    theme.canvas = hex("#181b20");
    theme.field = hex("#2a2f37");
    theme.border = hex("#363c45");
    theme.text = hex("#e6e9ed");
    theme.mutedText = hex("#9aa4b0");
    theme.accent = hex("#5a9bf6");
    theme.accentText = hex("#0d1420");
    theme.accentSoft = hex("#26364c");
    theme.error = hex("#ff8a80");
    theme.errorSoft = hex("#43272a");
    theme.warningSoft = hex("#3d3522");
    theme.cursor = hex("#f0685a");
    theme.match = hex("#ff6ad5");
    theme.note = hex("#ffd166");
    theme.hatch = hex("#21252b");
    theme.hatchLine = hex("#343a43");
    theme.busy = hex("#5b8fd6");
    theme.stage = {hex("#2c4163"), hex("#2f4a35"), hex("#574425"), hex("#42365f"),
                   hex("#23494d"), hex("#5a3038"), hex("#4b4a26"), hex("#3c434d")};
    theme.series = {hex("#6ea8fe"), hex("#63c58a"), hex("#e8a355"), hex("#b08be8"),
                    hex("#4fc3cf"), hex("#f08497"), hex("#c9c55a"), hex("#a9b4c0")};
    theme.darkLabel = hex("#0f1216");
    theme.lightLabel = hex("#ffffff");
    fillWorks(theme);
    fillCauses(theme);
    return theme;
}

// Qt keeps palette and style sheet per program, and so do we with what they were made from.
const Theme*& current()
{
    static const Theme* theme = &lightTheme();
    return theme;
}

bool& systemIsDark()
{
    static bool dark = false;
    return dark;
}

} // namespace

double luminance(const QColor& colour)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

const QColor& Theme::labelOn(const QColor& fill) const
{
    return contrast(fill, darkLabel) >= contrast(fill, lightLabel) ? darkLabel : lightLabel;
}

QPalette Theme::palette() const
{
    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, field);
    palette.setColor(QPalette::AlternateBase, window);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Button, field);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::ToolTipBase, dark ? field : text);
    palette.setColor(QPalette::ToolTipText, dark ? text : canvas);
    palette.setColor(QPalette::PlaceholderText, mutedText);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, accentText);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::Mid, border);
    palette.setColor(QPalette::Midlight, border);
    palette.setColor(QPalette::Light, canvas);
    palette.setColor(QPalette::Dark, mutedText);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mutedText);
    return palette;
}

const Theme& lightTheme()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& darkTheme()
{
    static const Theme theme = makeDark();
    return theme;
}

void rememberSystemTheme(const QPalette& palette)
{
    systemIsDark() = luminance(palette.color(QPalette::Window)) < luminance(palette.color(QPalette::WindowText));
}

const Theme& themeFor(ThemeMode mode)
{
    const bool dark = mode == ThemeMode::Dark || (mode == ThemeMode::System && systemIsDark());
    return dark ? darkTheme() : lightTheme();
}

const Theme& currentTheme()
{
    return *current();
}

void applyTheme(ThemeMode mode)
{
    useResources();
    current() = &themeFor(mode);
    // Once: replacing the style while widgets of a window are being made leaves them with a style that is gone.
    static const bool styled = QApplication::setStyle(QStringLiteral("Fusion")) != nullptr;
    Q_UNUSED(styled);
    QApplication::setPalette(currentTheme().palette());
    qApp->setStyleSheet(styleSheetOf(currentTheme()));
}

} // namespace bubblescope::viz
