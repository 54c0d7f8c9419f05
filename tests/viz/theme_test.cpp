#include "viz/theme/theme.h"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

/// How a person without working red (protan), green (deutan) or blue (tritan) receptors sees a colour
/// (Machado, Oliveira and Fernandes 2009, severity 1), in linear light.
std::array<double, 3> seenBy(int kind, const QColor& colour)
{
    static constexpr double matrices[3][3][3] = {
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
    };
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    const double light[3] = {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
    std::array<double, 3> seen{};
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            seen[static_cast<std::size_t>(row)] += matrices[kind][row][column] * light[column];
    return seen;
}

} // namespace

TEST_CASE("text has contrast on everything it stands on", "[viz]")
{
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        CAPTURE(theme->dark);
        for (const QColor& ground : {theme->window, theme->canvas, theme->field, theme->accentSoft, theme->errorSoft})
            CHECK(contrast(theme->text, ground) >= 7);
        for (const QColor& ground : {theme->window, theme->canvas})
            CHECK(contrast(theme->mutedText, ground) >= 4.5);
        CHECK(contrast(theme->error, theme->window) >= 4.5);
        CHECK(contrast(theme->accentText, theme->accent) >= 4.5);
        for (const QColor& stage : theme->stage)
            CHECK(contrast(theme->text, stage) >= 4.5);
        for (const QColor& line : theme->series)
            CHECK(contrast(line, theme->canvas) >= 3);
        for (const QColor& fill : theme->work)
            CHECK(contrast(theme->labelOn(fill), fill) >= 4.5);
    }
}

TEST_CASE("the works of a schedule stay apart on a grey print", "[viz]")
{
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        CHECK(contrast(theme->of(Work::Forward), theme->of(Work::WeightGradient)) >= 1.3);
        CHECK(contrast(theme->of(Work::WeightGradient), theme->of(Work::InputGradient)) >= 1.3);
        CHECK(contrast(theme->of(Work::Forward), theme->of(Work::InputGradient)) >= 1.7);
    }
}

TEST_CASE("the works of a schedule stay apart for colour-blind eyes", "[viz]")
{
    const Work works[] = {Work::Forward, Work::InputGradient, Work::WeightGradient};
    for (const Theme* theme : {&lightTheme(), &darkTheme()})
        for (int kind = 0; kind < 3; ++kind)
            for (const Work a : works)
                for (const Work b : works) {
                    if (a >= b)
                        continue;
                    const auto first = seenBy(kind, theme->of(a));
                    const auto second = seenBy(kind, theme->of(b));
                    double distance = 0;
                    for (std::size_t channel = 0; channel < 3; ++channel)
                        distance += std::pow(first[channel] - second[channel], 2);
                    CAPTURE(kind, int(a), int(b));
                    CHECK(std::sqrt(distance) >= 0.12);
                }
}
