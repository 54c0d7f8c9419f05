// Runs as columns: the part of Document that reads them and keeps them in the document's cache.

#include "core/base/error.h"
#include "core/trace/column_cache.h"
#include "core/trace/document.h"
#include "core/trace/document_file.h"

namespace bubblescope {

TraceColumns Document::readColumns(int run, const Progress& progress) const
{
    this->run(run); // throws when there is none
    const Database& database = m_file->database();
    Transaction transaction(database, Transaction::Kind::Read);
    if (std::optional<TraceColumns> cached = readCache(database, run, CachePart::Spans, progress))
        return std::move(*cached);
    return readRowColumns(database, run, progress);
}

std::optional<TraceColumns> Document::readPreview(int run) const
{
    Transaction transaction(m_file->database(), Transaction::Kind::Read);
    return readCache(m_file->database(), run, CachePart::Preview, Progress());
}

bool Document::hasColumnCache(int run) const
{
    Transaction transaction(m_file->database(), Transaction::Kind::Read);
    return freshCache(m_file->database(), run);
}

bool Document::writeColumnCache(int run, const TraceColumns& columns)
{
    return writeColumnCache(run, encodeColumns(columns));
}

bool Document::writeColumnCache(int run, const EncodedColumns& columns)
{
    try {
        m_file->requireWritable();
        Transaction transaction(m_file->database());
        writeCache(m_file->database(), run, columns);
        transaction.commit();
        return true;
    } catch (const Error&) { // the rows are there: the next opening is slower, that is all
    } catch (const Failure&) {
    }
    return false;
}

} // namespace bubblescope
