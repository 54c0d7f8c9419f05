// The bar above the timelines in which a person types what to find.

#pragma once

#include "viz/timeline/span_search.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace bubblescope::viz {

class SearchBar : public QFrame {
    Q_OBJECT

public:
    explicit SearchBar(QWidget* parent = nullptr);

    /// Shows the bar, with its text selected, ready to type.
    void open();
    void close();

    SearchQuery query() const;

    /// "3 of 41"; `rank` 0: none is current.
    void showCount(std::size_t rank, std::size_t count);
    void showBusy();
    void showProblem(const QString& sentence);

    QString countText() const;

Q_SIGNALS:
    void queryChanged(const SearchQuery& query);
    void nextAsked();
    void previousAsked();
    void closed();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QLineEdit* m_text;
    QToolButton* m_regular;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
};

} // namespace bubblescope::viz
