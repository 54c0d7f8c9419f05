// The draft as text: kept with the document that it was saved in, and on disk while it isn't saved.

#pragma once

#include "viz/document/draft.h"

#include <string>

namespace bubblescope::viz {

std::string draftToJson(const Draft& draft);

/// Throws Error for what is no draft, or names a schedule that this program doesn't know.
Draft draftFromJson(const std::string& text);

} // namespace bubblescope::viz
