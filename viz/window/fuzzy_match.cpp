#include "viz/window/fuzzy_match.h"

#include <algorithm>
#include <vector>

namespace bubblescope::viz {

int fuzzyScore(const QString& typed, const QString& text)
{
    const QString wanted = typed.simplified().remove(QLatin1Char(' ')).toLower();
    const QString lower = text.toLower();
    if (wanted.isEmpty())
        return 0;
    constexpr int none = -1;
    constexpr int base = 100;
    // best[i]: highest score with wanted[0…k] placed and the last of them at i.
    std::vector<int> best(static_cast<std::size_t>(lower.size()), none);
    for (qsizetype letter = 0; letter < wanted.size(); ++letter) {
        std::vector<int> next(best.size(), none);
        int before = letter == 0 ? base : none; // best of all places further left
        for (qsizetype at = 0; at < lower.size(); ++at) {
            const auto here = static_cast<std::size_t>(at);
            if (lower[at] == wanted[letter]) {
                const bool startsWord = at == 0 || !lower[at - 1].isLetterOrNumber();
                int score = before == none ? none : before + 1 + (startsWord ? 8 : 0);
                if (letter > 0 && at > 0 && best[here - 1] != none) // right behind the letter before
                    score = std::max(score, best[here - 1] + 10 + (startsWord ? 2 : 0));
                next[here] = score;
            }
            if (letter > 0 && best[here] != none)
                before = std::max(before, best[here] - 1);
        }
        best = std::move(next);
    }
    const auto found = std::max_element(best.begin(), best.end());
    if (found == best.end() || *found == none)
        return none;
    return std::max(0, *found * 4 - static_cast<int>(lower.size()) / 8);
}

} // namespace bubblescope::viz
