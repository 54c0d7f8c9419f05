// The one exception of bad input: a sentence that says what is wrong, where, and what would be right.
//
// Thrown anywhere in core, caught once at the command or UI-action boundary, where it becomes exit
// code 2 or a message beside the field. Mistakes of the programmer are assertions, not Errors.

#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace bubblescope {

/// Bad input. `what()` is one or more full sentences for a person.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}

    template <class... Args>
    explicit Error(fmt::format_string<Args...> format, Args&&... args)
        : std::runtime_error(fmt::format(format, std::forward<Args>(args)...))
    {
    }
};

/// Work that was asked for correctly and still failed (a worker died, a disk is full): exit code 1.
class Failure : public std::runtime_error {
public:
    explicit Failure(const std::string& sentence) : std::runtime_error(sentence) {}
};

/// Somebody asked for an end. Not an error; carries no sentence.
class Cancelled : public std::runtime_error {
public:
    Cancelled() : std::runtime_error("cancelled") {}
};

} // namespace bubblescope
