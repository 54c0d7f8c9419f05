// The steps from an empty file to a document of today, compiled in from schemas/NNN_*.sql.

#pragma once

#include <span>
#include <string_view>

namespace bubblescope {

struct Migration {
    int number = 0; ///< the document's user_version after this step
    std::string_view sql;
};

/// All of them in the order of their numbers.
std::span<const Migration> migrations();

} // namespace bubblescope
