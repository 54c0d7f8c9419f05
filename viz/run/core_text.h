// What core says in English, in the language of the window.

#pragma once

#include "core/schedule/task.h"
#include "core/trace/run.h"

#include <QString>

#include <string>
#include <string_view>

namespace bubblescope::viz {

/// "forward", "weight gradient" …
QString workTitle(Work work);

/// "complete", "cancelled" …
QString runStateTitle(RunState state);

/// A name of core's spans: a work's title, or a kernel's name as it is.
QString spanTitle(const std::string& name);

/// A title inside a sentence: "device 0". German nouns keep their capital.
QString inSentence(const QString& title);

/// Sentences of core: suggestions, why a gap is there, problems of an order. One that isn't known stays English.
QString coreText(std::string_view sentences);

} // namespace bubblescope::viz
