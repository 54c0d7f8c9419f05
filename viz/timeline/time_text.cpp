#include "viz/timeline/time_text.h"

#include <QLocale>

#include <array>
#include <cmath>

namespace bubblescope::viz {
namespace {

struct Unit {
    Nanoseconds size;
    const char* name;
};

constexpr std::array<Unit, 4> units{{{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "µs"}, {1, "ns"}}};

const Unit& unitFor(Nanoseconds time)
{
    for (const Unit& candidate : units)
        if (std::llabs(time) >= candidate.size)
            return candidate;
    return units.back();
}

QString withUnit(double value, int decimals, const Unit& unit)
{
    // A space that does not break keeps number and unit together.
    return QLocale::c().toString(value, 'f', decimals) + QChar(0x00a0) + QString::fromUtf8(unit.name);
}

} // namespace

QString timeText(Nanoseconds time)
{
    if (time == 0)
        return withUnit(0, 0, units[1]);
    const Unit& unit = unitFor(time);
    const double value = static_cast<double>(time) / static_cast<double>(unit.size);
    if (unit.size == 1)
        return withUnit(value, 0, unit);
    const double size = std::abs(value);
    const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
    return withUnit(value, decimals, unit);
}

QString tickText(Nanoseconds time, Nanoseconds step, Nanoseconds visibleEnd)
{
    const Unit& unit = visibleEnd == 0 ? units[1] : unitFor(visibleEnd);
    int decimals = 0;
    for (Nanoseconds size = unit.size; size > step && size > 1; size /= 10)
        ++decimals;
    return withUnit(static_cast<double>(time) / static_cast<double>(unit.size), decimals, unit);
}

QString percentText(double share)
{
    return QLocale::c().toString(share * 100.0, 'f', 1) + QChar(0x00a0) + QLatin1Char('%');
}

QString countText(double number)
{
    QString text = QLocale::c().toString(number, 'f', 2);
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

} // namespace bubblescope::viz
