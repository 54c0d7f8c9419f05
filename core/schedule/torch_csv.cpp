#include "core/schedule/torch_csv.h"

#include "core/base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace bubblescope {
namespace {

using Kind = TorchAction::Kind;

struct KindName {
    Kind kind;
    std::string_view text;
    bool needsMicrobatch;
};

/// Longest first, so that SEND_F isn't read as something shorter.
constexpr std::array<KindName, 11> kinds{{
    {Kind::ReduceGradient, "REDUCE_GRAD", false},
    {Kind::Unshard, "UNSHARD", false},
    {Kind::Reshard, "RESHARD", false},
    {Kind::SendF, "SEND_F", true},
    {Kind::ReceiveF, "RECV_F", true},
    {Kind::SendB, "SEND_B", true},
    {Kind::ReceiveB, "RECV_B", true},
    {Kind::F, "F", true},
    {Kind::I, "I", true},
    {Kind::W, "W", true},
    {Kind::B, "B", true},
}};

constexpr std::size_t mostRanks = 4096;
constexpr std::size_t mostSentences = 20;

const KindName& nameOf(Kind kind)
{
    return *std::find_if(kinds.begin(), kinds.end(), [kind](const KindName& name) { return name.kind == kind; });
}

/// Blanks as spreadsheets write them: ASCII ones and the no-break space.
std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view noBreak = "\xc2\xa0";
    while (!text.empty()) {
        if (text.front() == ' ' || text.front() == '\t' || text.front() == '\r')
            text.remove_prefix(1);
        else if (text.substr(0, 2) == noBreak)
            text.remove_prefix(2);
        else if (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')
            text.remove_suffix(1);
        else if (text.size() >= 2 && text.substr(text.size() - 2) == noBreak)
            text.remove_suffix(2);
        else
            break;
    }
    return text;
}

/// A number of digits alone at the front of `text`, dropped there.
template <class Id>
std::optional<Id> takeNumber(std::string_view& text)
{
    std::uint64_t number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc{} ||
        number > static_cast<std::uint64_t>(std::numeric_limits<typename Id::Representation>::max()))
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return Id(number);
}

/// "2F0", "1UNSHARD"; nullopt when it isn't one action and nothing else.
std::optional<TorchAction> parseAction(std::string_view text)
{
    TorchAction action;
    const auto stage = takeNumber<Stage>(text);
    if (!stage)
        return std::nullopt;
    action.stage = *stage;
    const auto found = std::find_if(kinds.begin(), kinds.end(), [text](const KindName& name) {
        return text.substr(0, name.text.size()) == name.text;
    });
    if (found == kinds.end())
        return std::nullopt;
    action.kind = found->kind;
    text.remove_prefix(found->text.size());
    if (text.empty())
        return found->needsMicrobatch ? std::nullopt : std::optional(action);
    const auto microbatch = takeNumber<Microbatch>(text);
    if (!microbatch || !text.empty())
        return std::nullopt;
    action.microbatch = *microbatch;
    return action;
}

std::string quoted(std::string_view cell)
{
    constexpr std::size_t most = 40;
    std::string text;
    for (const char c : cell.substr(0, most))
        text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    return fmt::format("'{}{}'", text, cell.size() > most ? "…" : "");
}

/// Reads a whole file; problems are collected so that all of them can be said at once.
class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text) {}

    TorchCsv read()
    {
        dropByteOrderMark();
        m_delimiter = findDelimiter();
        while (!m_text.empty())
            readRow(takeLine());
        while (!m_csv.ranks.empty() && m_csv.ranks.back().empty() && m_blankRows > 0) { // blank lines at the end
            m_csv.ranks.pop_back();
            --m_blankRows;
        }
        finish();
        return std::move(m_csv);
    }

private:
    template <class... Args>
    void problem(fmt::format_string<Args...> format, Args&&... args)
    {
        if (++m_problemCount <= mostSentences)
            m_problems.push_back(fmt::format(format, std::forward<Args>(args)...));
    }

    void dropByteOrderMark()
    {
        if (m_text.substr(0, 3) == "\xef\xbb\xbf")
            m_text.remove_prefix(3);
        if (m_text.substr(0, 2) == "\xff\xfe" || m_text.substr(0, 2) == "\xfe\xff" ||
            m_text.find('\0') != std::string_view::npos)
            throw Error("This is not a text file in UTF-8 (a spreadsheet's \"CSV UTF-8\").");
    }

    /// The separator that stands most often outside parentheses and quotes.
    char findDelimiter() const
    {
        std::array<std::size_t, 3> count{};
        constexpr std::string_view candidates = ",;\t";
        int depth = 0;
        bool quotes = false;
        for (const char c : m_text) {
            if (c == '\n') {
                depth = 0;
                quotes = false;
            }
            quotes = quotes != (c == '"');
            depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
            const std::size_t candidate = candidates.find(c);
            if (candidate != std::string_view::npos && depth == 0 && !quotes)
                ++count[candidate];
        }
        return candidates[static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin())];
    }

    std::string_view takeLine()
    {
        const std::size_t end = m_text.find_first_of("\r\n");
        const std::string_view line = m_text.substr(0, end);
        if (end == std::string_view::npos)
            m_text = {};
        else
            m_text.remove_prefix(end + (m_text.substr(end, 2) == "\r\n" ? 2 : 1));
        return line;
    }

    void readRow(std::string_view line)
    {
        ++m_row;
        m_column = 0;
        m_csv.ranks.emplace_back();
        std::size_t begin = 0;
        int depth = 0;
        bool quotes = false;
        for (std::size_t i = 0; i <= line.size(); ++i) {
            if (i == line.size() || (line[i] == m_delimiter && depth == 0 && !quotes)) {
                readCell(line.substr(begin, i - begin));
                begin = i + 1;
                continue;
            }
            quotes = quotes != (line[i] == '"');
            depth += line[i] == '(' ? 1 : line[i] == ')' && depth > 0 ? -1 : 0;
        }
        if (m_csv.ranks.back().empty())
            ++m_blankRows;
        else
            m_blankRows = 0;
    }

    void readCell(std::string_view cell)
    {
        ++m_column;
        cell = trimmed(cell);
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
            cell = trimmed(cell.substr(1, cell.size() - 2));
        if (cell.empty())
            return;
        if (cell.front() == '(')
            return readOverlap(cell);
        if (const auto action = parseAction(cell))
            return add(*action, false);
        problem("Row {}, column {}: {} isn't an action. It should be stage, letter and microbatch, such as 2F0; the "
                "letters are F, I, W and B.",
                m_row, m_column, quoted(cell));
    }

    void readOverlap(std::string_view cell)
    {
        const std::size_t close = cell.find(')');
        std::vector<TorchAction> members;
        bool good = close != std::string_view::npos && trimmed(cell.substr(close + 1)) == "OVERLAP_F_B";
        std::string_view rest = cell.substr(1, close == std::string_view::npos ? close : close - 1);
        while (good) {
            const std::size_t end = rest.find_first_of(";,");
            const auto action = parseAction(trimmed(rest.substr(0, end)));
            good = action && action->computes();
            if (good)
                members.push_back(*action);
            if (end == std::string_view::npos)
                break;
            rest.remove_prefix(end + 1);
        }
        if (!good || members.size() < 2) {
            problem("Row {}, column {}: {} isn't an overlapped pair. It should look like (0F3;7B1)OVERLAP_F_B.", m_row,
                    m_column, quoted(cell));
            return;
        }
        for (std::size_t i = 0; i < members.size(); ++i)
            add(members[i], i + 1 < members.size());
    }

    void add(TorchAction action, bool overlaps)
    {
        action.overlaps = overlaps;
        action.row = m_row;
        action.column = m_column;
        m_csv.ranks.back().push_back(action);
    }

    void finish()
    {
        for (std::size_t rank = 0; rank < m_csv.ranks.size() && m_problems.empty(); ++rank)
            if (m_csv.ranks[rank].empty())
                problem("Row {} has no action. Every row is a rank with work to do; delete the row if there is no such "
                        "rank.",
                        rank + 1);
        if (m_problemCount > mostSentences)
            m_problems.push_back(fmt::format("{} more cells are wrong.", m_problemCount - mostSentences));
        if (!m_problems.empty())
            throw Error("{}", fmt::join(m_problems, "\n"));
        if (m_csv.ranks.empty())
            throw Error("The file has no actions. A row per rank is expected, such as 0F0,0F1,0B0,0B1.");
        if (m_csv.ranks.size() > mostRanks)
            throw Error("The file has {} rows; at most {} ranks can be read.", m_csv.ranks.size(), mostRanks);
    }

    std::string_view m_text;
    TorchCsv m_csv;
    std::vector<std::string> m_problems;
    std::size_t m_problemCount = 0;
    std::size_t m_blankRows = 0; // in a row, at the end
    char m_delimiter = ',';
    int m_row = 0;
    int m_column = 0;
};

} // namespace

std::string TorchAction::text() const
{
    const KindName& name = nameOf(kind);
    return name.needsMicrobatch ? fmt::format("{}{}{}", stage.value, name.text, microbatch.value)
                                : fmt::format("{}{}", stage.value, name.text);
}

bool TorchCsv::hasTransfers() const
{
    return std::any_of(ranks.begin(), ranks.end(), [](const auto& rank) {
        return std::any_of(rank.begin(), rank.end(), [](const TorchAction& action) { return action.transfers(); });
    });
}

TorchCsv readTorchCsv(std::string_view text)
{
    return Reader(text).read();
}

} // namespace bubblescope
