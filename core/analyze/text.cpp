// Everything that is printed goes through these, so that one number looks the same everywhere.

#include "core/analyze/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bubblescope {
namespace {

std::string trimmed(double value)
{
    std::string text = fmt::format("{:.3f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text == "-0" ? "0" : text;
}

/// Characters, not bytes: "µ" is one.
std::size_t widthOf(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

} // namespace

std::string timeText(Nanoseconds time)
{
    const double size = std::abs(static_cast<double>(time));
    if (size < 1e3)
        return fmt::format("{} {}", time, time == 0 ? "ms" : "ns");
    if (size < 1e6)
        return trimmed(static_cast<double>(time) / 1e3) + " µs";
    return size < 1e10 ? trimmed(static_cast<double>(time) / 1e6) + " ms"
                       : trimmed(static_cast<double>(time) / 1e9) + " s";
}

std::string bytesText(std::int64_t bytes)
{
    static constexpr std::array<const char*, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; std::abs(value) >= 1024 && unit + 1 < units.size(); ++unit)
        value /= 1024;
    return trimmed(value) + " " + units[unit];
}

std::string percentText(double share)
{
    return fmt::format("{:.1f} %", share * 100);
}

std::string numberText(double value)
{
    return trimmed(value);
}

std::string tableText(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(row[i]));
    }
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string pad(widths[i] - widthOf(row[i]), ' ');
            line += (i == 0 ? "" : "  ") + (i == 0 || row[i].starts_with("= ") ? row[i] + pad : pad + row[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

} // namespace bubblescope
