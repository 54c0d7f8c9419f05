// Does a text contain the letters that a person typed, in their order, and how well?

#pragma once

#include <QString>

namespace bubblescope::viz {

/// −1 when it doesn't; otherwise higher is better: letters in a row, at the begin of words, early. Case doesn't count;
/// blanks in what was typed part it into pieces that may stand anywhere behind each other.
int fuzzyScore(const QString& typed, const QString& text);

} // namespace bubblescope::viz
