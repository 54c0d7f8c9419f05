// Every colour of the window, in one table per brightness.
//
//     work and idle cause ──► Theme ──► painters and charts        The chrome is quiet: the schedule is
//     window parts        ──► Theme ──► QPalette + style sheet     the only colourful thing on screen.
//
// The works that make up a schedule (F, B/I, W) differ in luminance as well as in hue: blue is dark,
// teal middle, orange light. So they stay apart for colour-blind eyes and on a grey print; tests hold
// them to that.

#pragma once

#include "core/analyze/idle.h"
#include "core/schedule/task.h"

#include <QColor>
#include <QPalette>

#include <array>

namespace bubblescope::viz {

enum class ThemeMode { System, Light, Dark };

struct Theme {
    bool dark = false;
    QColor window; ///< menu, side panels
    QColor canvas; ///< behind timelines and charts
    QColor field;  ///< inputs and buttons
    QColor border;
    QColor text;
    QColor mutedText; ///< captions and second lines; still readable (4.5 : 1)
    QColor accent;
    QColor accentText; ///< on accent
    QColor accentSoft; ///< selected rows, hints
    QColor error;
    QColor errorSoft;
    QColor warningSoft;
    QColor cursor;
    QColor match;     ///< what a search found; no work has this hue
    QColor note;      ///< flags of notes
    QColor hatch;     ///< idle time, background
    QColor hatchLine; ///< idle time, stripes
    QColor busy;      ///< "compute" in the bubble chart
    std::array<QColor, workCount> work;
    std::array<QColor, idleCauses> cause;
    std::array<QColor, 8> stage;  ///< soft fills of the partition bar, by device
    std::array<QColor, 8> series; ///< lines of charts, by device
    QColor darkLabel;             ///< letters on light fills
    QColor lightLabel;            ///< letters on dark fills

    const QColor& of(Work kind) const { return work[static_cast<std::size_t>(kind)]; }

    const QColor& of(IdleCause kind) const { return cause[static_cast<std::size_t>(kind)]; }

    /// The letter colour that reads best on `fill`.
    const QColor& labelOn(const QColor& fill) const;

    QPalette palette() const;
};

const Theme& lightTheme();
const Theme& darkTheme();

/// The theme of a mode; System asks what the desktop gave the program at its start.
const Theme& themeFor(ThemeMode mode);

/// Remembers whether the desktop is dark: call once, before any palette is set.
void rememberSystemTheme(const QPalette& palette);

/// The theme that widgets paint with; set by applyTheme.
const Theme& currentTheme();

/// Palette, style sheet and currentTheme() of the whole program.
void applyTheme(ThemeMode mode);

/// Relative luminance and contrast of WCAG 2: from 1 (none) to 21.
double luminance(const QColor& colour);
double contrast(const QColor& a, const QColor& b);

} // namespace bubblescope::viz
