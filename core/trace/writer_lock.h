// Says that a process writes a document, and whether it still lives.
//
// A file FILE-lock beside the document, with a lock of the operating system on it that ends with the
// process, and its process id as text for the sentence. A lock on the document itself would get in
// the way of SQLite's own.

#pragma once

#include <optional>
#include <string>

namespace bubblescope {

class WriterLock {
public:
    /// Throws Error naming the process that writes already, Failure when no lock can be made in the folder.
    explicit WriterLock(const std::string& document);
    ~WriterLock();
    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;

    /// "process 1234" when somebody living writes the document (this process too).
    static std::optional<std::string> holder(const std::string& document);

    static std::string fileName(const std::string& document) { return document + "-lock"; }

private:
    bool tryTake();

    std::string m_document;
    std::string m_path;
    int m_file = -1;
};

} // namespace bubblescope
