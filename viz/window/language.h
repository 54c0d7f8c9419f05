// The languages that the window speaks. The translations are compiled in.

#pragma once

#include <QString>

#include <vector>

namespace bubblescope::viz {

struct Language {
    QString code; ///< "de"; empty: that of the system
    QString name; ///< in the language itself
};

std::vector<Language> languages();

/// Windows that are built from now on speak it; an empty code takes that of the system.
void useLanguage(const QString& code);

} // namespace bubblescope::viz
