// Writes a file whole or not at all: under a name of its own first, then renamed.

#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace bubblescope {

/// Replaces the file `path` by what `write` puts out. When `write` throws or the disk is full, a file that
/// was there stays as it was. Throws Failure with a sentence.
void writeWholeFile(const std::string& path, const std::function<void(std::ostream&)>& write);

} // namespace bubblescope
