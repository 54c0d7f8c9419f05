// States of the editing parts for the set of screenshots (screenshots.h).

#pragma once

namespace bubblescope::viz {

class MainWindow;

void arrangeSuggestions(MainWindow& window);
void arrangePlacement(MainWindow& window);     ///< how a task was placed
void arrangePartitionMenu(MainWindow& window); ///< the algorithms with their predictions
void arrangeV(MainWindow& window);             ///< B's own partition over a V placement
void arrangeBidirectional(MainWindow& window);
void arrangeOrder(MainWindow& window);        ///< an order that is being edited
void arrangeOrderProblem(MainWindow& window); ///< a deadlock, marked in place

} // namespace bubblescope::viz
