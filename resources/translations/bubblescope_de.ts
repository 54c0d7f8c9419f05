<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en_GB">
<context>
    <name>ChartExport</name>
    <message>
        <source>Save as %1</source>
        <translation>Als %1 speichern</translation>
    </message>
</context>
<context>
    <name>Charts</name>
    <message>
        <source>%1 · %2 · where each device&apos;s time goes</source>
        <translation>%1 · %2 · Zeit je Gerät</translation>
    </message>
    <message>
        <source>%1 · %2 · live activations</source>
        <translation>%1 · %2 · lebende Aktivierungen</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>Balance the partition by cost</source>
        <translation>Aufteilung nach Kosten ausgleichen</translation>
    </message>
    <message>
        <source>Move layer %1 from stage %2 to stage %3</source>
        <translation>Schicht %1 von Stufe %2 nach Stufe %3 verschieben</translation>
    </message>
    <message>
        <source>Use %1 microbatches</source>
        <translation>%1 Mikrobatches verwenden</translation>
    </message>
    <message>
        <source>Keep activations instead of recomputing them</source>
        <translation>Aktivierungen behalten, statt sie neu zu berechnen</translation>
    </message>
    <message>
        <source>Use a link twice as fast</source>
        <translation>Doppelt so schnelle Verbindung verwenden</translation>
    </message>
    <message>
        <source>Use %1 chunks a device</source>
        <translation>%1 Abschnitte je Gerät verwenden</translation>
    </message>
    <message>
        <source>Use the schedule %1</source>
        <translation>Plan %1 verwenden</translation>
    </message>
    <message>
        <source>Go back to the order of %1</source>
        <translation>Zur Reihenfolge von %1 zurückkehren</translation>
    </message>
    <message>
        <source>a step has %1 instead of %2; %3</source>
        <translation>ein Schritt hat %1 statt %2; %3</translation>
    </message>
    <message>
        <source>a step has %1 instead of %2</source>
        <translation>ein Schritt hat %1 statt %2</translation>
    </message>
    <message>
        <source>needs memory for all of them; %1</source>
        <translation>braucht Speicher für alle; %1</translation>
    </message>
    <message>
        <source>needs memory for all of them</source>
        <translation>braucht Speicher für alle</translation>
    </message>
    <message>
        <source>holds %1 activations at most instead of %2</source>
        <translation>hält höchstens %1 Aktivierungen statt %2</translation>
    </message>
    <message>
        <source>Device %1 is idle for %2 before %3, from %4 to %5.</source>
        <translation>Gerät %1 läuft %2 leer vor %3, von %4 bis %5.</translation>
    </message>
    <message>
        <source>the end of the run</source>
        <translation>dem Ende des Laufs</translation>
    </message>
    <message>
        <source>Why: %1.</source>
        <translation>Warum: %1.</translation>
    </message>
    <message>
        <source>A later forward was ready, but with it the device would have passed the memory limit.</source>
        <translation>Ein späteres Vorwärts war bereit, aber damit hätte das Gerät die Speichergrenze überschritten.</translation>
    </message>
    <message>
        <source>It waits for %1.</source>
        <translation>Es wartet auf %1.</translation>
    </message>
    <message>
        <source>Device %1 is what it waits for longest: %2 of %3.</source>
        <translation>Am längsten wartet es auf Gerät %1: %2 von %3.</translation>
    </message>
    <message>
        <source>%1 could begin another %2 later before the end moves: filling this gap alone gains nothing.</source>
        <translation>%1 könnte noch %2 später beginnen, ohne dass sich das Ende verschiebt: Diese Lücke allein zu füllen bringt nichts.</translation>
    </message>
    <message>
        <source>%1 is on the critical path: if it began earlier, the run could end earlier.</source>
        <translation>%1 liegt auf dem kritischen Pfad: Begänne es früher, könnte der Lauf früher enden.</translation>
    </message>
    <message>
        <source>the end of %1 on device %2</source>
        <translation>das Ende von %1 auf Gerät %2</translation>
    </message>
    <message>
        <source>the result of %1, on its way from device %2</source>
        <translation>das Ergebnis von %1, unterwegs von Gerät %2</translation>
    </message>
    <message>
        <source>%1, which several devices do together</source>
        <translation>%1, was mehrere Geräte gemeinsam tun</translation>
    </message>
    <message>
        <source>the copy %1 on device %2</source>
        <translation>die Kopie %1 auf Gerät %2</translation>
    </message>
    <message>
        <source>the data of %1 to arrive</source>
        <translation>die Ankunft der Daten von %1</translation>
    </message>
    <message>
        <source>nothing that is recorded: %1 could have begun %2 earlier</source>
        <translation>nichts Aufgezeichnetes: %1 hätte %2 früher beginnen können</translation>
    </message>
    <message>
        <source>Devices %1 wait for each other: %2. Devices %3 wait because of them (%4).</source>
        <translation>Geräte %1 warten aufeinander: %2. Geräte %3 warten ihretwegen (%4).</translation>
    </message>
    <message>
        <source>Devices %1 wait for each other: %2. Device %3 waits because of them (%4).</source>
        <translation>Geräte %1 warten aufeinander: %2. Gerät %3 wartet ihretwegen (%4).</translation>
    </message>
    <message>
        <source>Devices %1 wait for each other: %2.</source>
        <translation>Geräte %1 warten aufeinander: %2.</translation>
    </message>
    <message>
        <source>Device %1 waits for itself: %2. Devices %3 wait because of them (%4).</source>
        <translation>Gerät %1 wartet auf sich selbst: %2. Geräte %3 warten deswegen (%4).</translation>
    </message>
    <message>
        <source>Device %1 waits for itself: %2. Device %3 waits because of them (%4).</source>
        <translation>Gerät %1 wartet auf sich selbst: %2. Gerät %3 wartet deswegen (%4).</translation>
    </message>
    <message>
        <source>Device %1 waits for itself: %2.</source>
        <translation>Gerät %1 wartet auf sich selbst: %2.</translation>
    </message>
    <message>
        <source>%1 is missing: microbatch %2 never runs forward on stage %3.</source>
        <translation>%1 fehlt: Mikrobatch %2 läuft nie vorwärts auf Stufe %3.</translation>
    </message>
    <message>
        <source>%1 is missing before %2.</source>
        <translation>%1 fehlt vor %2.</translation>
    </message>
    <message>
        <source>%1 is missing, or %2 and %3 in its place.</source>
        <translation>%1 fehlt, oder an seiner Stelle %2 und %3.</translation>
    </message>
    <message>
        <source>%1 is missing after %2.</source>
        <translation>%1 fehlt nach %2.</translation>
    </message>
    <message>
        <source>%1 stands twice on device %2.</source>
        <translation>%1 steht zweimal auf Gerät %2.</translation>
    </message>
    <message>
        <source>%1 stands on device %2 and again on device %3.</source>
        <translation>%1 steht auf Gerät %2 und nochmals auf Gerät %3.</translation>
    </message>
    <message>
        <source>%1 runs on device %2, but stage %3 is placed on device %4.</source>
        <translation>%1 läuft auf Gerät %2, aber Stufe %3 liegt auf Gerät %4.</translation>
    </message>
    <message>
        <source>%1 runs on device %2, but stage %3 is placed nowhere.</source>
        <translation>%1 läuft auf Gerät %2, aber Stufe %3 liegt nirgends.</translation>
    </message>
    <message>
        <source>warmup %1 (the pipeline fills)</source>
        <translation>Anlaufen %1 (die Pipeline füllt sich)</translation>
    </message>
    <message>
        <source>drain %1 (the pipeline empties)</source>
        <translation>Auslaufen %1 (die Pipeline leert sich)</translation>
    </message>
    <message>
        <source>dependency %1 (the order makes the device wait even if all stages were equal and transfers free)</source>
        <translation>Abhängigkeit %1 (die Reihenfolge lässt das Gerät warten, auch bei gleichen Stufen und kostenlosen Übertragungen)</translation>
    </message>
    <message>
        <source>arrival %1 (the data had not arrived from outside)</source>
        <translation>Ankunft %1 (die Daten waren von außen noch nicht da)</translation>
    </message>
    <message>
        <source>imbalance %1 (stages don&apos;t cost the same, and this device waits for a slower one)</source>
        <translation>Ungleichgewicht %1 (Stufen kosten nicht gleich viel, und dieses Gerät wartet auf ein langsameres)</translation>
    </message>
    <message>
        <source>communication %1 (transfers between devices take time)</source>
        <translation>Kommunikation %1 (Übertragungen zwischen Geräten brauchen Zeit)</translation>
    </message>
    <message>
        <source>synchronisation %1 (devices wait for each other at a barrier or collective)</source>
        <translation>Abgleich %1 (Geräte warten aufeinander an einer Schranke oder kollektiven Operation)</translation>
    </message>
    <message>
        <source>memory %1 (activations or weights are still being copied)</source>
        <translation>Speicherkopien %1 (Aktivierungen oder Gewichte werden noch kopiert)</translation>
    </message>
    <message>
        <source>jitter %1 (this time the tasks took longer or shorter than they usually do)</source>
        <translation>Schwankung %1 (diesmal dauerten die Aufgaben länger oder kürzer als sonst)</translation>
    </message>
    <message>
        <source>unexplained %1 (none of the modelled reasons covers it)</source>
        <translation>unerklärt %1 (keiner der modellierten Gründe erklärt es)</translation>
    </message>
    <message>
        <source>and so on</source>
        <translation>und so weiter</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>%1 stands at %2, which needs %3 later on the same lane</source>
        <translation>%1 steht bei %2, das %3 weiter hinten auf derselben Spur braucht</translation>
    </message>
    <message>
        <source>%1 stands at %2, which needs %3 of %4</source>
        <translation>%1 steht bei %2, das %3 von %4 braucht</translation>
    </message>
    <message>
        <source>%1 stands at %2, which has to start together with %3 later on the same lane</source>
        <translation>%1 steht bei %2, das zusammen mit %3 weiter hinten auf derselben Spur beginnen muss</translation>
    </message>
    <message>
        <source>%1 stands at %2, which has to start together with %3 of %4</source>
        <translation>%1 steht bei %2, das zusammen mit %3 von %4 beginnen muss</translation>
    </message>
    <message>
        <source>%1, device %2</source>
        <translation>%1, Gerät %2</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>device %1 (%2 lane %3)</source>
        <translation>Gerät %1 (%2-Spur %3)</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>Even</source>
        <translation>Gleichmäßig</translation>
    </message>
    <message>
        <source>Every stage has the same number of layers.</source>
        <translation>Jede Stufe hat gleich viele Schichten.</translation>
    </message>
    <message>
        <source>Balanced by cost</source>
        <translation>Ausgeglichen nach Kosten</translation>
    </message>
    <message>
        <source>The slowest stage is as fast as any partition allows.</source>
        <translation>Die langsamste Stufe ist so schnell, wie eine Aufteilung es zulässt.</translation>
    </message>
    <message>
        <source>Balanced over devices</source>
        <translation>Ausgeglichen über Geräte</translation>
    </message>
    <message>
        <source>The device with most to do has as little as can be; its stages may differ.</source>
        <translation>Das Gerät mit der meisten Arbeit hat so wenig wie möglich; seine Stufen dürfen verschieden sein.</translation>
    </message>
    <message>
        <source>Balanced by memory</source>
        <translation>Ausgeglichen nach Speicher</translation>
    </message>
    <message>
        <source>The stage with most bytes has as few as can be: weights, optimizer states and activations.</source>
        <translation>Die Stufe mit den meisten Bytes hat so wenige wie möglich: Gewichte, Optimierer-Zustände und Aktivierungen.</translation>
    </message>
    <message>
        <source>Searched by prediction</source>
        <translation>Gesucht nach Vorhersage</translation>
    </message>
    <message>
        <source>From the balanced one, single layers move as long as the predicted time gets less.</source>
        <translation>Von der ausgeglichenen aus wandern einzelne Schichten, solange die vorhergesagte Zeit sinkt.</translation>
    </message>
    <message>
        <source>%1 computes both gradients in one task, %2 in two: B is set against I, and W has no partner. %3</source>
        <translation>%1 rechnet beide Gradienten in einer Aufgabe, %2 in zweien: B steht gegen I, und W hat kein Gegenstück. %3</translation>
    </message>
    <message>
        <source>%1 computes both gradients in one task, %2 in two: B is set against I, and W has no partner.</source>
        <translation>%1 rechnet beide Gradienten in einer Aufgabe, %2 in zweien: B steht gegen I, und W hat kein Gegenstück.</translation>
    </message>
    <message>
        <source>%1 tasks only in A and %2 tasks only in B have no partner.</source>
        <translation>%1 Aufgaben nur in A und %2 Aufgaben nur in B haben kein Gegenstück.</translation>
    </message>
    <message>
        <source>%1 task only in A and %2 tasks only in B have no partner.</source>
        <translation>%1 Aufgabe nur in A und %2 Aufgaben nur in B haben kein Gegenstück.</translation>
    </message>
    <message>
        <source>%1 tasks only in A and %2 task only in B have no partner.</source>
        <translation>%1 Aufgaben nur in A und %2 Aufgabe nur in B haben kein Gegenstück.</translation>
    </message>
    <message>
        <source>A has %1 stages, B has %2 stages: %3 stages of %4 together are set against one of %5.</source>
        <translation>A hat %1 Stufen, B hat %2 Stufen: %3 Stufen von %4 zusammen stehen gegen eine von %5.</translation>
    </message>
    <message>
        <source>A has %1 stages, B has %2 stages: stages of the same number are compared, although they hold different layers, and the others have no partner.</source>
        <translation>A hat %1 Stufen, B hat %2 Stufen: Stufen gleicher Nummer werden verglichen, obwohl sie verschiedene Schichten halten, und die anderen haben kein Gegenstück.</translation>
    </message>
    <message>
        <source>The runs cut microbatches into slices differently: whole microbatches are compared.</source>
        <translation>Die Läufe teilen Mikrobatches verschieden in Scheiben: Verglichen werden ganze Mikrobatches.</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>zoom at the pointer</source>
        <translation>beim Zeiger zoomen</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>verschieben</translation>
    </message>
    <message>
        <source>zoom to a range</source>
        <translation>auf einen Bereich zoomen</translation>
    </message>
    <message>
        <source>Move and zoom</source>
        <translation>Verschieben und zoomen</translation>
    </message>
    <message>
        <source>Walk along tasks</source>
        <translation>An Aufgaben entlanggehen</translation>
    </message>
    <message>
        <source>Select, mark and find</source>
        <translation>Auswählen, markieren, suchen</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>zoom in at the pointer</source>
        <translation>beim Zeiger hineinzoomen</translation>
    </message>
    <message>
        <source>zoom out at the pointer</source>
        <translation>beim Zeiger herauszoomen</translation>
    </message>
    <message>
        <source>pan to earlier times</source>
        <translation>zu früheren Zeiten</translation>
    </message>
    <message>
        <source>pan to later times</source>
        <translation>zu späteren Zeiten</translation>
    </message>
    <message>
        <source>fit the selection or the picked task; once more: everything</source>
        <translation>Auswahl oder gewählte Aufgabe einpassen; nochmals: alles</translation>
    </message>
    <message>
        <source>back to where the view was</source>
        <translation>zurück zur vorigen Ansicht</translation>
    </message>
    <message>
        <source>forward again</source>
        <translation>wieder vor</translation>
    </message>
    <message>
        <source>previous task or idle time of the lane</source>
        <translation>vorige Aufgabe oder Leerlauf der Spur</translation>
    </message>
    <message>
        <source>next task or idle time of the lane</source>
        <translation>nächste Aufgabe oder Leerlauf der Spur</translation>
    </message>
    <message>
        <source>lane above</source>
        <translation>Spur darüber</translation>
    </message>
    <message>
        <source>lane below</source>
        <translation>Spur darunter</translation>
    </message>
    <message>
        <source>along the arrow to a successor; while searching: next match</source>
        <translation>am Pfeil zum Nachfolger; beim Suchen: nächster Treffer</translation>
    </message>
    <message>
        <source>along the arrow to a predecessor; while searching: previous match</source>
        <translation>am Pfeil zum Vorgänger; beim Suchen: voriger Treffer</translation>
    </message>
    <message>
        <source>choose another successor</source>
        <translation>anderen Nachfolger wählen</translation>
    </message>
    <message>
        <source>choose another predecessor</source>
        <translation>anderen Vorgänger wählen</translation>
    </message>
    <message>
        <source>select the time of the picked task</source>
        <translation>Zeit der gewählten Aufgabe auswählen</translation>
    </message>
    <message>
        <source>select all time</source>
        <translation>gesamte Zeit auswählen</translation>
    </message>
    <message>
        <source>end of the selection earlier</source>
        <translation>Ende der Auswahl früher</translation>
    </message>
    <message>
        <source>end of the selection later</source>
        <translation>Ende der Auswahl später</translation>
    </message>
    <message>
        <source>begin of the selection earlier</source>
        <translation>Beginn der Auswahl früher</translation>
    </message>
    <message>
        <source>begin of the selection later</source>
        <translation>Beginn der Auswahl später</translation>
    </message>
    <message>
        <source>mark the selection, the task or the cursor for now</source>
        <translation>Auswahl, Aufgabe oder Cursor vorläufig markieren</translation>
    </message>
    <message>
        <source>note that stays in the document</source>
        <translation>Notiz, die im Dokument bleibt</translation>
    </message>
    <message>
        <source>remove the chosen note or the mark</source>
        <translation>gewählte Notiz oder Markierung entfernen</translation>
    </message>
    <message>
        <source>find tasks</source>
        <translation>Aufgaben suchen</translation>
    </message>
    <message>
        <source>find a lane</source>
        <translation>Spur suchen</translation>
    </message>
    <message>
        <source>open or close the device&apos;s communication and copy lanes</source>
        <translation>Kommunikations- und Kopierspuren des Geräts öffnen oder schließen</translation>
    </message>
    <message>
        <source>pin the lane to the top, or let it go</source>
        <translation>Spur oben anheften oder lösen</translation>
    </message>
    <message>
        <source>taller rows</source>
        <translation>höhere Zeilen</translation>
    </message>
    <message>
        <source>lower rows</source>
        <translation>niedrigere Zeilen</translation>
    </message>
    <message>
        <source>show or hide the details</source>
        <translation>Details zeigen oder verbergen</translation>
    </message>
    <message>
        <source>close the search, then clear outlines, selection, pick and mark</source>
        <translation>Suche schließen, dann Umrisse, Auswahl und Markierung löschen</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Strg+Mausrad</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>Mausrad</translation>
    </message>
    <message>
        <source>scroll through the lanes, or zoom: see View</source>
        <translation>durch die Spuren rollen, oder zoomen: siehe Ansicht</translation>
    </message>
    <message>
        <source>Shift+wheel, Shift+drag</source>
        <translation>Umschalt+Rad/Ziehen</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <source>select time; drag an edge to change it</source>
        <translation>Zeit auswählen; am Rand ziehen ändert sie</translation>
    </message>
    <message>
        <source>middle drag</source>
        <translation>Ziehen, mittlere Taste</translation>
    </message>
    <message>
        <source>click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <source>explain a task or idle time</source>
        <translation>Aufgabe oder Leerlauf erklären</translation>
    </message>
    <message>
        <source>double-click</source>
        <translation>Doppelklick</translation>
    </message>
    <message>
        <source>zoom to a task or idle time</source>
        <translation>auf Aufgabe oder Leerlauf zoomen</translation>
    </message>
    <message>
        <source>click on ▸</source>
        <translation>Klick auf ▸</translation>
    </message>
    <message>
        <source>open the lanes of a device</source>
        <translation>Spuren eines Geräts öffnen</translation>
    </message>
    <message>
        <source>drag below a label</source>
        <translation>Ziehen unter Namen</translation>
    </message>
    <message>
        <source>height of the row; double-click: as the others</source>
        <translation>Höhe der Zeile; Doppelklick: wie die anderen</translation>
    </message>
    <message>
        <source>minimap</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>drag the frame or its edges; drag beside it for a new one</source>
        <translation>Rahmen oder Ränder ziehen; daneben ziehen für einen neuen</translation>
    </message>
</context>
<context>
    <name>Lane</name>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>receive</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>collective</source>
        <translation>kollektiv</translation>
    </message>
    <message>
        <source>copy-in</source>
        <translation>Kopie hinein</translation>
    </message>
    <message>
        <source>copy-out</source>
        <translation>Kopie heraus</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>overlap %1</source>
        <translation>Überlappung %1</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>as the system</source>
        <translation>wie das System</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
</context>
<context>
    <name>Print</name>
    <message>
        <source>There is nothing to print: show a run first.</source>
        <translation>Es gibt nichts zu drucken: Zeigen Sie zuerst einen Lauf.</translation>
    </message>
    <message>
        <source>The printer or its file can&apos;t be written. Choose another one.</source>
        <translation>Der Drucker oder seine Datei kann nicht beschrieben werden. Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>The printer stopped after the first page.</source>
        <translation>Der Drucker hat nach der ersten Seite aufgehört.</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save All</source>
        <translation>Alles speichern</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>Yes to &amp;All</source>
        <translation>Ja, &amp;alle</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>N&amp;o to All</source>
        <translation>N&amp;ein, keine</translation>
    </message>
    <message>
        <source>Abort</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>Ignorieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Restore Defaults</source>
        <translation>Voreinstellungen</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Alt</source>
        <translation>Alt</translation>
    </message>
    <message>
        <source>Meta</source>
        <translation>Meta</translation>
    </message>
    <message>
        <source>Num</source>
        <translation>Num</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Rücktaste</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabetaste</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Ins</source>
        <translation>Einfg</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>Bild auf</translation>
    </message>
    <message>
        <source>PgDown</source>
        <translation>Bild ab</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>←</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>→</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>↑</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>↓</translation>
    </message>
</context>
<context>
    <name>Replay</name>
    <message>
        <source>This build has no libwebp. Install libwebp-dev and build again, or export numbered PNGs.</source>
        <translation>Dieser Bau hat kein libwebp. Installieren Sie libwebp-dev und bauen Sie neu, oder exportieren Sie nummerierte PNGs.</translation>
    </message>
</context>
<context>
    <name>RunLabel</name>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>replayed</source>
        <translation>nachgespielt</translation>
    </message>
    <message>
        <source>emulated</source>
        <translation>emuliert</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>aufgezeichnet</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
</context>
<context>
    <name>RunLoader</name>
    <message>
        <source>The run says nothing about its experiment, so its idle time isn&apos;t explained.</source>
        <translation>Der Lauf sagt nichts über sein Experiment, darum wird sein Leerlauf nicht erklärt.</translation>
    </message>
    <message>
        <source>The run is so large that its idle times aren&apos;t explained one by one.</source>
        <translation>Der Lauf ist so groß, dass sein Leerlauf nicht einzeln erklärt wird.</translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>recording</source>
        <translation>wird aufgezeichnet</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
</context>
<context>
    <name>RunTable</name>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Space or a click shows or hides a run; a letter gives it that place</source>
        <translation>Leertaste oder Klick zeigt oder verbirgt einen Lauf; ein Buchstabe gibt ihm diesen Platz</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Number in the document and title</source>
        <translation>Nummer im Dokument und Titel</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>How far its numbers may be trusted</source>
        <translation>Wie weit seinen Zahlen zu trauen ist</translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>Earliest start to latest end of the step</source>
        <translation>Vom frühesten Anfang bis zum spätesten Ende des Schritts</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>Blase</translation>
    </message>
    <message>
        <source>Idle ÷ (devices × makespan)</source>
        <translation>Leerlauf ÷ (Geräte × Gesamtdauer)</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Most live activations of a device</source>
        <translation>Die meisten lebenden Aktivierungen eines Geräts</translation>
    </message>
    <message>
        <source>Microbatches/s</source>
        <translation>Mikrobatches/s</translation>
    </message>
    <message>
        <source>Microbatches ÷ makespan</source>
        <translation>Mikrobatches ÷ Gesamtdauer</translation>
    </message>
    <message>
        <source>Verified</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <source>Whether its gradients were compared with those of one device, and agreed</source>
        <translation>Ob seine Gradienten mit denen eines einzelnen Geräts verglichen wurden und übereinstimmten</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>As it is typed on the command line</source>
        <translation>Wie er auf der Kommandozeile geschrieben wird</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>When it was stored</source>
        <translation>Wann er gespeichert wurde</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>Spannen</translation>
    </message>
    <message>
        <source>Tasks, kernels and transfers in it</source>
        <translation>Aufgaben, Kernel und Übertragungen darin</translation>
    </message>
</context>
<context>
    <name>RunView</name>
    <message>
        <source> · step %1 of %2</source>
        <translation> · Schritt %1 von %2</translation>
    </message>
</context>
<context>
    <name>Search</name>
    <message>
        <source>Not a regular expression: %1 at character %2.</source>
        <translation>Kein regulärer Ausdruck: %1 bei Zeichen %2.</translation>
    </message>
</context>
<context>
    <name>Sweep</name>
    <message>
        <source>Microbatches</source>
        <translation>Mikrobatches</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Chunks of a device</source>
        <translation>Abschnitte eines Geräts</translation>
    </message>
    <message>
        <source>Latency of a hop</source>
        <translation>Latenz eines Sprungs</translation>
    </message>
    <message>
        <source>Bandwidth of a link</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>Cost of the embedding</source>
        <translation>Kosten der Einbettung</translation>
    </message>
    <message>
        <source>Cost of the head</source>
        <translation>Kosten des Kopfs</translation>
    </message>
    <message>
        <source>Layers of the model</source>
        <translation>Schichten des Modells</translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation>Verborgene Größe</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>Sequences of a microbatch</source>
        <translation>Sequenzen im Mikrobatch</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
</context>
<context>
    <name>Theory</name>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>How far the number may be trusted</source>
        <translation>Wie weit der Zahl zu trauen ist</translation>
    </message>
    <message>
        <source>Earliest start to latest end of the step</source>
        <translation>Vom frühesten Anfang bis zum spätesten Ende des Schritts</translation>
    </message>
    <message>
        <source>Bubble rate: idle ÷ (devices × makespan)</source>
        <translation>Blasenanteil: Leerlauf ÷ (Geräte × Gesamtdauer)</translation>
    </message>
    <message>
        <source>Megatron&apos;s bubble time fraction: idle ÷ (devices × ideal time)</source>
        <translation>Megatrons Blasenanteil: Leerlauf ÷ (Geräte × ideale Zeit)</translation>
    </message>
    <message>
        <source>The zero-bubble paper&apos;s rate: idle of the longest span of a device ÷ that span</source>
        <translation>Der Anteil der Zero-Bubble-Arbeit: Leerlauf in der längsten Spanne eines Geräts ÷ diese Spanne</translation>
    </message>
    <message>
        <source>Idle time of one device that the paper&apos;s formula gives, for equal stages and free transfers</source>
        <translation>Leerlauf eines Geräts nach der Formel der Arbeit, für gleiche Stufen und kostenlose Übertragungen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Idle time of device 0 in this run</source>
        <translation>Leerlauf von Gerät 0 in diesem Lauf</translation>
    </message>
    <message>
        <source>Most live activations of a device</source>
        <translation>Die meisten lebenden Aktivierungen eines Geräts</translation>
    </message>
    <message>
        <source>Peak activations that the paper&apos;s formula gives</source>
        <translation>Spitze der Aktivierungen nach der Formel der Arbeit</translation>
    </message>
    <message>
        <source>Makespan
first start to last end</source>
        <translation>Gesamtdauer
Anfang bis Ende</translation>
    </message>
    <message>
        <source>Bubble rate
idle ÷ total</source>
        <translation>Blasenanteil
Leerlauf ÷ gesamt</translation>
    </message>
    <message>
        <source>Megatron&apos;s bubble
idle ÷ ideal</source>
        <translation>Megatrons Blase
Leerlauf ÷ ideal</translation>
    </message>
    <message>
        <source>Zero-bubble paper&apos;s
span rate</source>
        <translation>Spannenanteil der
Zero-Bubble-Arbeit</translation>
    </message>
    <message>
        <source>Closed form
idle of a device</source>
        <translation>Formel: Leerlauf
eines Geräts</translation>
    </message>
    <message>
        <source>This run
idle of device 0</source>
        <translation>Dieser Lauf: Leerlauf
von Gerät 0</translation>
    </message>
    <message>
        <source>Peak
activations</source>
        <translation>Spitze
Aktivierungen</translation>
    </message>
    <message>
        <source>Peak
closed form</source>
        <translation>Spitze
nach Formel</translation>
    </message>
    <message>
        <source>Backward
B or I + W</source>
        <translation>Rückwärts
B oder I + W</translation>
    </message>
    <message>
        <source>B computes both gradients in one task; I that of the input and W that of the weights</source>
        <translation>B rechnet beide Gradienten in einer Aufgabe; I den der Eingabe und W den der Gewichte</translation>
    </message>
    <message>
        <source>B, and I + W</source>
        <translation>B, und I + W</translation>
    </message>
    <message>
        <source>I + W, apart</source>
        <translation>I + W, getrennt</translation>
    </message>
    <message>
        <source>B, in one</source>
        <translation>B, in einem</translation>
    </message>
</context>
<context>
    <name>Work</name>
    <message>
        <source>forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>input gradient</source>
        <translation>Eingabegradient</translation>
    </message>
    <message>
        <source>weight gradient</source>
        <translation>Gewichtsgradient</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Aktualisierung</translation>
    </message>
    <message>
        <source>send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>receive</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>offload</source>
        <translation>Auslagern</translation>
    </message>
    <message>
        <source>reload</source>
        <translation>Zurückladen</translation>
    </message>
    <message>
        <source>load weights</source>
        <translation>Gewichte laden</translation>
    </message>
    <message>
        <source>store gradients</source>
        <translation>Gradienten ablegen</translation>
    </message>
    <message>
        <source>gather</source>
        <translation>Gather</translation>
    </message>
    <message>
        <source>reduce-scatter</source>
        <translation>Reduce-Scatter</translation>
    </message>
    <message>
        <source>all-reduce</source>
        <translation>All-Reduce</translation>
    </message>
    <message>
        <source>broadcast</source>
        <translation>Broadcast</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>Schranke</translation>
    </message>
    <message>
        <source>filler</source>
        <translation>Füller</translation>
    </message>
    <message>
        <source>embedding shard forward</source>
        <translation>Einbettungsteil vorwärts</translation>
    </message>
    <message>
        <source>embedding shard backward</source>
        <translation>Einbettungsteil rückwärts</translation>
    </message>
    <message>
        <source>vocabulary pass S</source>
        <translation>Vokabular S</translation>
    </message>
    <message>
        <source>vocabulary pass T</source>
        <translation>Vokabular T</translation>
    </message>
    <message>
        <source>check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>reshard</source>
        <translation>Umverteilen</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz</name>
    <message>
        <source>the result of %1, on its way from %2</source>
        <translation>das Ergebnis von %1, unterwegs von %2</translation>
    </message>
    <message>
        <source>%1, which all members do together</source>
        <translation>%1, was alle Mitglieder gemeinsam tun</translation>
    </message>
    <message>
        <source>a copy: %1</source>
        <translation>eine Kopie: %1</translation>
    </message>
    <message>
        <source>data from outside for %1</source>
        <translation>Daten von außen für %1</translation>
    </message>
    <message>
        <source>nothing: its inputs were there, the worker had not begun</source>
        <translation>nichts: die Eingaben waren da, der Arbeiter hatte nicht begonnen</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no (slack %1)</source>
        <translation>nein (Spielraum %1)</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>Leerlauf %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Who is late</source>
        <translation>Wer zu spät ist</translation>
    </message>
    <message>
        <source>%1, for %2 of it</source>
        <translation>%1, für %2 davon</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Dann</translation>
    </message>
    <message>
        <source>On critical path</source>
        <translation>Auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>The schedule of this run isn&apos;t known yet, so its idle time can&apos;t be explained.</source>
        <translation>Der Plan dieses Laufs ist noch nicht bekannt, darum kann sein Leerlauf nicht erklärt werden.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation>Wartete auf</translation>
    </message>
    <message>
        <source>nothing: it could start at once</source>
        <translation>nichts: es konnte sofort beginnen</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Together with</source>
        <translation>Zusammen mit</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>version %1</source>
        <translation>Fassung %1</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Processor time</source>
        <translation>Prozessorzeit</translation>
    </message>
    <message>
        <source>Wall clock</source>
        <translation>Wanduhr</translation>
    </message>
    <message>
        <source>F forward</source>
        <translation>F vorwärts</translation>
    </message>
    <message>
        <source>B / I backward (input)</source>
        <translation>B / I rückwärts (Eingabe)</translation>
    </message>
    <message>
        <source>W weight gradient</source>
        <translation>W Gewichtsgradient</translation>
    </message>
    <message>
        <source>R recompute</source>
        <translation>R Neuberechnung</translation>
    </message>
    <message>
        <source>U update</source>
        <translation>U Aktualisierung</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>collective</source>
        <translation>kollektiv</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>vocabulary pass</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>other work</source>
        <translation>andere Arbeit</translation>
    </message>
    <message>
        <source>idle (bubble)</source>
        <translation>Leerlauf (Blase)</translation>
    </message>
    <message>
        <source>bubble %1</source>
        <translation>Blase %1</translation>
    </message>
    <message>
        <source>peak %1 activations</source>
        <translation>Spitze %1 Aktivierungen</translation>
    </message>
    <message>
        <source>%1 longer than predicted (%2)</source>
        <translation>%1 länger als vorhergesagt (%2)</translation>
    </message>
    <message>
        <source>%1 shorter than predicted (%2)</source>
        <translation>%1 kürzer als vorhergesagt (%2)</translation>
    </message>
    <message>
        <source>%1 × faster than %2</source>
        <translation>%1 × schneller als %2</translation>
    </message>
    <message>
        <source>%1 × slower than %2</source>
        <translation>%1 × langsamer als %2</translation>
    </message>
    <message>
        <source>as fast as %1</source>
        <translation>so schnell wie %1</translation>
    </message>
    <message>
        <source>%1 of microbatch %2 on stage %3</source>
        <translation>%1 von Mikrobatch %2 auf Stufe %3</translation>
    </message>
    <message>
        <source>%1 on stage %2</source>
        <translation>%1 auf Stufe %2</translation>
    </message>
    <message>
        <source>, slice %1</source>
        <translation>, Scheibe %1</translation>
    </message>
    <message>
        <source>, pipe %1</source>
        <translation>, Pipe %1</translation>
    </message>
    <message>
        <source>, part %1</source>
        <translation>, Teil %1</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>Anlaufen</translation>
    </message>
    <message>
        <source>drain</source>
        <translation>Auslaufen</translation>
    </message>
    <message>
        <source>dependency</source>
        <translation>Abhängigkeit</translation>
    </message>
    <message>
        <source>arrival</source>
        <translation>Ankunft</translation>
    </message>
    <message>
        <source>imbalance</source>
        <translation>Ungleichgewicht</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>synchronisation</source>
        <translation>Abgleich</translation>
    </message>
    <message>
        <source>memory copies</source>
        <translation>Speicherkopien</translation>
    </message>
    <message>
        <source>jitter</source>
        <translation>Schwankung</translation>
    </message>
    <message>
        <source>unexplained</source>
        <translation>unerklärt</translation>
    </message>
    <message>
        <source>the pipeline fills</source>
        <translation>die Pipeline füllt sich</translation>
    </message>
    <message>
        <source>the pipeline drains</source>
        <translation>die Pipeline leert sich</translation>
    </message>
    <message>
        <source>the order makes it wait</source>
        <translation>die Reihenfolge lässt es warten</translation>
    </message>
    <message>
        <source>data hasn&apos;t arrived from outside</source>
        <translation>Daten sind von außen noch nicht da</translation>
    </message>
    <message>
        <source>another stage is slower</source>
        <translation>eine andere Stufe ist langsamer</translation>
    </message>
    <message>
        <source>a transfer is on its way</source>
        <translation>eine Übertragung ist unterwegs</translation>
    </message>
    <message>
        <source>a collective or barrier</source>
        <translation>eine kollektive Operation oder Schranke</translation>
    </message>
    <message>
        <source>a copy to or from the host</source>
        <translation>eine Kopie zum oder vom Host</translation>
    </message>
    <message>
        <source>tasks took longer than usual</source>
        <translation>Aufgaben dauerten länger als sonst</translation>
    </message>
    <message>
        <source>not explained by the schedule</source>
        <translation>nicht durch den Plan erklärt</translation>
    </message>
    <message>
        <source>
together with %1</source>
        <translation>
zusammen mit %1</translation>
    </message>
    <message>
        <source>%1 on %2, from %3 to %4</source>
        <translation>%1 auf %2, von %3 bis %4</translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation>Arbeiter %1</translation>
    </message>
    <message>
        <source>Device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>Bubbles</source>
        <translation>Blasen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Theory vs. measured</source>
        <translation>Theorie</translation>
    </message>
    <message>
        <source>%1 on its way</source>
        <translation>%1 unterwegs</translation>
    </message>
    <message>
        <source>overhead</source>
        <translation>Verwaltung</translation>
    </message>
    <message>
        <source>arrival of %1</source>
        <translation>Ankunft von %1</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>Kette</translation>
    </message>
    <message>
        <source>This order can&apos;t complete as it is, so its idle time isn&apos;t explained.</source>
        <translation>Diese Reihenfolge kann so nicht zu Ende kommen, darum wird ihr Leerlauf nicht erklärt.</translation>
    </message>
    <message>
        <source>Its causes are being worked out.</source>
        <translation>Die Gründe werden noch ermittelt.</translation>
    </message>
    <message>
        <source>%1: the lane is free, %2 has ended</source>
        <translation>%1: Die Spur ist frei, %2 ist zu Ende</translation>
    </message>
    <message>
        <source>%1: its input is there, %2 has ended</source>
        <translation>%1: Die Eingabe ist da, %2 ist zu Ende</translation>
    </message>
    <message>
        <source>%1: the result of %2 arrives from %3, sent at %4</source>
        <translation>%1: Das Ergebnis von %2 kommt von %3, gesendet bei %4</translation>
    </message>
    <message>
        <source>%1: the result of %2 arrives from %3</source>
        <translation>%1: Das Ergebnis von %2 kommt von %3</translation>
    </message>
    <message>
        <source>%1: the other members are free, %2 has ended on %3</source>
        <translation>%1: Die anderen Mitglieder sind frei, %2 ist zu Ende auf %3</translation>
    </message>
    <message>
        <source>%1: its data comes in from outside</source>
        <translation>%1: Die Daten kommen von außen</translation>
    </message>
    <message>
        <source>Nothing held it: it starts at %1.</source>
        <translation>Nichts hielt sie auf: Sie beginnt bei %1.</translation>
    </message>
    <message>
        <source>All was there at %1; it began %2 later, which no task accounts for.</source>
        <translation>Alles war bei %1 da; sie begann %2 später, was keine Aufgabe erklärt.</translation>
    </message>
    <message>
        <source>Start = the latest of them = %1.</source>
        <translation>Anfang = der späteste davon = %1.</translation>
    </message>
    <message>
        <source>The run is too large, or its schedule isn&apos;t known: its idle time can&apos;t be explained.</source>
        <translation>Der Lauf ist zu groß, oder sein Plan ist nicht bekannt: Sein Leerlauf kann nicht erklärt werden.</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Pareto</source>
        <translation>Pareto</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>Most live activations</source>
        <translation>Die meisten lebenden Aktivierungen</translation>
    </message>
    <message>
        <source>One of the runs is empty.</source>
        <translation>Einer der Läufe ist leer.</translation>
    </message>
    <message>
        <source>%1 and %2 take the same time, %3.</source>
        <translation>%1 und %2 dauern gleich lang, %3.</translation>
    </message>
    <message>
        <source>%1 is %2 × as fast as %3: %4 against %5, and %6 %7 idle time over all devices.</source>
        <translation>%1 ist %2 × so schnell wie %3: %4 gegen %5, und über alle Geräte %6 %7 Leerlauf.</translation>
    </message>
    <message>
        <source>less</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>more</source>
        <translation>mehr</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Beschäftigt</translation>
    </message>
    <message>
        <source>Time at work; a joined unit counts once</source>
        <translation>Zeit bei der Arbeit; Verbundenes zählt einmal</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Time between the step&apos;s begin and end in which the compute lane does nothing</source>
        <translation>Zeit zwischen Anfang und Ende des Schritts, in der die Rechenspur nichts tut</translation>
    </message>
    <message>
        <source>Idle time because %1</source>
        <translation>Leerlauf, weil: %1</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>B is set against I where one run splits the backward</source>
        <translation>B steht gegen I, wo ein Lauf das Rückwärts teilt</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Microbatch</source>
        <translation>Mikrobatch</translation>
    </message>
    <message>
        <source>Counted from 0 in the step</source>
        <translation>Im Schritt ab 0 gezählt</translation>
    </message>
    <message>
        <source>From the begin of the step</source>
        <translation>Vom Anfang des Schritts an</translation>
    </message>
    <message>
        <source>Time at work</source>
        <translation>Zeit bei der Arbeit</translation>
    </message>
    <message>
        <source>Idle before</source>
        <translation>Leerlauf davor</translation>
    </message>
    <message>
        <source>Idle time of the lane right before the task</source>
        <translation>Leerlauf der Spur unmittelbar vor der Aufgabe</translation>
    </message>
    <message>
        <source>%1 idle from</source>
        <translation>%1 Leerlauf ab</translation>
    </message>
    <message>
        <source>Begin of the idle interval of the slower run</source>
        <translation>Beginn des Leerlaufs im langsameren Lauf</translation>
    </message>
    <message>
        <source>Length of the idle interval</source>
        <translation>Länge des Leerlaufs</translation>
    </message>
    <message>
        <source>Why the slower run is idle there: its largest part</source>
        <translation>Warum der langsamere Lauf dort leerläuft: der größte Teil</translation>
    </message>
    <message>
        <source>%1 works</source>
        <translation>%1 arbeitet</translation>
    </message>
    <message>
        <source>How much of it the faster run spends working</source>
        <translation>Wie viel davon der schnellere Lauf arbeitet</translation>
    </message>
    <message>
        <source>With</source>
        <translation>Mit</translation>
    </message>
    <message>
        <source>Tasks of the faster run that lie in the interval</source>
        <translation>Aufgaben des schnelleren Laufs in dieser Zeit</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>earlier in %1</source>
        <translation>früher in %1</translation>
    </message>
    <message>
        <source>later in %1</source>
        <translation>später in %1</translation>
    </message>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>shorter in %1</source>
        <translation>kürzer in %1</translation>
    </message>
    <message>
        <source>longer in %1</source>
        <translation>länger in %1</translation>
    </message>
    <message>
        <source>idle before</source>
        <translation>Leerlauf davor</translation>
    </message>
    <message>
        <source>less in %1</source>
        <translation>weniger in %1</translation>
    </message>
    <message>
        <source>more in %1</source>
        <translation>mehr in %1</translation>
    </message>
    <message>
        <source>%1: only in %2</source>
        <translation>%1: nur in %2</translation>
    </message>
    <message>
        <source>%1: %2 %3 in %4, %5 in %6 (%7)</source>
        <translation>%1: %2 %3 in %4, %5 in %6 (%7)</translation>
    </message>
    <message>
        <source>nothing to compare</source>
        <translation>nichts zu vergleichen</translation>
    </message>
    <message>
        <source>microbatch</source>
        <translation>Mikrobatch</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Average</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Shortest</source>
        <translation>Kürzeste</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>Längste</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Busy share</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1, von %2 bis %3</translation>
    </message>
    <message>
        <source>looped placement</source>
        <translation>Anordnung reihum</translation>
    </message>
    <message>
        <source>V placement</source>
        <translation>V-Anordnung</translation>
    </message>
    <message>
        <source>wave placement</source>
        <translation>Wellen-Anordnung</translation>
    </message>
    <message>
        <source>bidirectional placement</source>
        <translation>Anordnung in beide Richtungen</translation>
    </message>
    <message>
        <source>placement of its own</source>
        <translation>eigene Anordnung</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: %2.</source>
        <translation>%1 kann nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>%1 is there already. Choose another name or another folder, so that the pictures of two replays don&apos;t mix.</source>
        <translation>%1 gibt es schon. Wählen Sie einen anderen Namen oder Ordner, damit sich die Bilder zweier Wiedergaben nicht mischen.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written to. Is there such a folder? Check that you may write there, or choose another one.</source>
        <translation>In %1 kann nicht geschrieben werden. Gibt es den Ordner? Prüfen Sie, ob Sie dort schreiben dürfen, oder wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>There is nothing to replay: show at least one run.</source>
        <translation>Es gibt nichts wiederzugeben: Zeigen Sie mindestens einen Lauf.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; doesn&apos;t end in .webp or .png, the replays that can be written.</source>
        <translation>„%1“ endet nicht auf .webp oder .png; nur solche Wiedergaben können geschrieben werden.</translation>
    </message>
    <message>
        <source>The run has no tasks yet, so there is nothing to replay.</source>
        <translation>Der Lauf hat noch keine Aufgaben, darum gibt es nichts wiederzugeben.</translation>
    </message>
    <message>
        <source>%1 × %2 pixels can&apos;t be drawn; each side may have from %3 to %4.</source>
        <translation>%1 × %2 Pixel können nicht gezeichnet werden; jede Seite darf %3 bis %4 haben.</translation>
    </message>
    <message>
        <source>That would be %1 frames; at most %2 can be written. Choose a faster speed, fewer frames per second or a shorter range.</source>
        <translation>Das wären %1 Bilder; höchstens %2 können geschrieben werden. Wählen Sie ein höheres Tempo, weniger Bilder pro Sekunde oder einen kürzeren Bereich.</translation>
    </message>
    <message>
        <source>%1 frames · %2 s · %3 × %4 pixels</source>
        <translation>%1 Bilder · %2 s · %3 × %4 Pixel</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>This order has problems, so its times are a sketch. </source>
        <translation>Diese Reihenfolge hat Fehler, darum sind ihre Zeiten nur eine Skizze. </translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Pre&amp;vious step</source>
        <translation>Vor&amp;heriger Schritt</translation>
    </message>
    <message>
        <source>Ne&amp;xt step</source>
        <translation>&amp;Nächster Schritt</translation>
    </message>
    <message>
        <source>%1, and again</source>
        <translation>%1, und nochmals</translation>
    </message>
    <message>
        <source>chunk</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>the order has problems · times are a sketch</source>
        <translation>die Reihenfolge hat Fehler · Zeiten sind eine Skizze</translation>
    </message>
    <message>
        <source>%1 idle %2</source>
        <translation>%1 Leerlauf %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>at %1 on %2, takes no time</source>
        <translation>bei %1 auf %2, dauert keine Zeit</translation>
    </message>
    <message>
        <source>%1 − %2</source>
        <translation>%1 − %2</translation>
    </message>
    <message>
        <source>frame %1 of %2</source>
        <translation>Bild %1 von %2</translation>
    </message>
    <message>
        <source>%1 shows %2 steps and %3 %4, because some run into each other: times and tasks of the two don&apos;t compare. Runs of one step do.</source>
        <translation>%1 zeigt %2 Schritte und %3 %4, weil manche ineinander übergehen: Zeiten und Aufgaben der beiden lassen sich nicht vergleichen. Läufe mit einem Schritt schon.</translation>
    </message>
    <message>
        <source>per step, %1 are shown</source>
        <translation>je Schritt, %1 sind zu sehen</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::BubbleChart</name>
    <message>
        <source>Where each device&apos;s time goes</source>
        <translation>Zeit je Gerät</translation>
    </message>
    <message>
        <source>ms of %1</source>
        <translation>ms von %1</translation>
    </message>
    <message>
        <source>work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>%1 · %2 %3 (%4)</source>
        <translation>%1 · %2 %3 (%4)</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Chart</name>
    <message>
        <source>Save or copy this chart</source>
        <translation>Dieses Diagramm speichern oder kopieren</translation>
    </message>
    <message>
        <source>Save as %1 …</source>
        <translation>Als %1 speichern …</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Copy data</source>
        <translation>Daten kopieren</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ComparePanel</name>
    <message>
        <source>Run that is compared with</source>
        <translation>Lauf, mit dem verglichen wird</translation>
    </message>
    <message>
        <source>Run that is compared</source>
        <translation>Lauf, der verglichen wird</translation>
    </message>
    <message>
        <source>against</source>
        <translation>gegen</translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation>Vergleich läuft …</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>What was filled</source>
        <translation>Was gefüllt wurde</translation>
    </message>
    <message>
        <source>Idle time that the faster run spends working</source>
        <translation>Leerlauf, in dem der schnellere Lauf arbeitet</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Differences per device</source>
        <translation>Unterschiede je Gerät</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Differences per task</source>
        <translation>Unterschiede je Aufgabe</translation>
    </message>
    <message>
        <source>Difference that the map shows</source>
        <translation>Unterschied, den die Karte zeigt</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Idle before</source>
        <translation>Leerlauf davor</translation>
    </message>
    <message>
        <source>Work that the map shows</source>
        <translation>Arbeit, die die Karte zeigt</translation>
    </message>
    <message>
        <source>Rows of the map</source>
        <translation>Zeilen der Karte</translation>
    </message>
    <message>
        <source>by stage</source>
        <translation>nach Stufe</translation>
    </message>
    <message>
        <source>by device</source>
        <translation>nach Gerät</translation>
    </message>
    <message>
        <source>of</source>
        <translation>von</translation>
    </message>
    <message>
        <source>Show a second run to compare: click it in the list of runs.</source>
        <translation>Zeigen Sie zum Vergleichen einen zweiten Lauf: Klicken Sie ihn in der Liste der Läufe an.</translation>
    </message>
    <message>
        <source>Choose two different runs.</source>
        <translation>Wählen Sie zwei verschiedene Läufe.</translation>
    </message>
    <message>
        <source>(A here is %1, B is %2.) </source>
        <translation>(A ist hier %1, B ist %2.) </translation>
    </message>
    <message>
        <source>No task is in both runs</source>
        <translation>Keine Aufgabe ist in beiden Läufen</translation>
    </message>
    <message>
        <source>%1 of %2, %3 − %4, ms</source>
        <translation>%1 von %2, %3 − %4, ms</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Execution</name>
    <message>
        <source>The program %1 is missing, and it is what executes. Install or build it beside this one.</source>
        <translation>Das Programm %1 fehlt, und es führt aus. Installieren oder bauen Sie es neben diesem.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: free some space there and try again.</source>
        <translation>%1 kann nicht geschrieben werden: Schaffen Sie dort Platz und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1: starting</source>
        <translation>%1: beginnt</translation>
    </message>
    <message>
        <source>%1: step %2 of %3</source>
        <translation>%1: Schritt %2 von %3</translation>
    </message>
    <message>
        <source>Cancelled. What was executed until then is kept.</source>
        <translation>Abgebrochen. Was bis dahin ausgeführt war, bleibt erhalten.</translation>
    </message>
    <message>
        <source>The executing program ended unexpectedly. What it had written is kept; `bubblescope doctor` checks this machine.</source>
        <translation>Das ausführende Programm endete unerwartet. Was es geschrieben hatte, bleibt erhalten; `bubblescope doctor` prüft diesen Rechner.</translation>
    </message>
    <message>
        <source>The execution failed. Run `%1 run` in a terminal to see more.</source>
        <translation>Die Ausführung ist fehlgeschlagen. `%1 run` in einem Terminal zeigt mehr.</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ExperimentForm</name>
    <message>
        <source>Schedule %1</source>
        <translation>Plan %1</translation>
    </message>
    <message>
        <source>choose %1</source>
        <translation>%1 wählen</translation>
    </message>
    <message>
        <source>Chunks of schedule %1</source>
        <translation>Abschnitte von Plan %1</translation>
    </message>
    <message>
        <source>change chunks</source>
        <translation>Abschnitte ändern</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>change microbatches</source>
        <translation>Mikrobatches ändern</translation>
    </message>
    <message>
        <source>Microbatches</source>
        <translation>Mikrobatches</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Blocks of the model. None: every stage costs what is given below.</source>
        <translation>Blöcke des Modells. Keine: Jede Stufe kostet, was unten steht.</translation>
    </message>
    <message>
        <source>change layers</source>
        <translation>Schichten ändern</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Cost of the embedding, in layers; it lies on the first stage.</source>
        <translation>Kosten der Einbettung, in Schichten; sie liegt auf der ersten Stufe.</translation>
    </message>
    <message>
        <source>change the embedding&apos;s cost</source>
        <translation>die Kosten der Einbettung ändern</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>Einbettung</translation>
    </message>
    <message>
        <source>Cost of the LM head, in layers; it lies on the last stage.</source>
        <translation>Kosten des Sprachkopfs, in Schichten; er liegt auf der letzten Stufe.</translation>
    </message>
    <message>
        <source>change the head&apos;s cost</source>
        <translation>die Kosten des Kopfs ändern</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>Devices and costs</source>
        <translation>Geräte und Kosten</translation>
    </message>
    <message>
        <source>change devices</source>
        <translation>Geräte ändern</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Milliseconds of a task on a mean stage: F=1,B=2, or F=1,I=1,W=1 for a backward in two parts.</source>
        <translation>Millisekunden einer Aufgabe auf einer mittleren Stufe: F=1,B=2, oder F=1,I=1,W=1 für einen Rückwärtsschritt in zwei Teilen.</translation>
    </message>
    <message>
        <source>change costs</source>
        <translation>Kosten ändern</translation>
    </message>
    <message>
        <source>Cost, ms</source>
        <translation>Kosten, ms</translation>
    </message>
    <message>
        <source>Latency of a hop between two devices, in milliseconds.</source>
        <translation>Latenz zwischen zwei Geräten, in Millisekunden.</translation>
    </message>
    <message>
        <source>change the link</source>
        <translation>die Verbindung ändern</translation>
    </message>
    <message>
        <source>Hop, ms</source>
        <translation>Sprung, ms</translation>
    </message>
    <message>
        <source>latency: a message arrives a constant time later. link: it occupies the link. blocking: it occupies both devices.</source>
        <translation>latency: Eine Nachricht kommt um eine feste Zeit später an. link: Sie belegt die Verbindung. blocking: Sie belegt beide Geräte.</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>Übertragungen</translation>
    </message>
    <message>
        <source>change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>each stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>a device: its share of the model costs that much, and several chunks share it, so that schedules compare. each stage: a second chunk is that much more work.</source>
        <translation>Gerät: Sein Anteil am Modell kostet so viel, und mehrere Abschnitte teilen ihn sich, damit Pläne vergleichbar sind. Stufe: Ein zweiter Abschnitt ist so viel mehr Arbeit.</translation>
    </message>
    <message>
        <source>Cost of</source>
        <translation>Kosten je</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::FigureTable</name>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>Save as CSV …</source>
        <translation>Als CSV speichern …</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::HistogramChart</name>
    <message>
        <source>Histogram of durations</source>
        <translation>Histogramm der Dauern</translation>
    </message>
    <message>
        <source>duration, ms (logarithmic)</source>
        <translation>Dauer, ms (logarithmisch)</translation>
    </message>
    <message>
        <source>duration, ms</source>
        <translation>Dauer, ms</translation>
    </message>
    <message>
        <source>how often</source>
        <translation>wie oft</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>Median %1</translation>
    </message>
    <message>
        <source>%1: %2 of %3 last %4 to %5</source>
        <translation>%1: %2 von %3 dauern %4 bis %5</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Inspector</name>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Click idle time to see what it waits for, or a task to see what it does.

From the keyboard: Tab to a timeline, then , and . go along a lane.</source>
        <translation>Klicken Sie auf Leerlauf, um zu sehen, worauf er wartet, oder auf eine Aufgabe, um zu sehen, was sie tut.

Mit der Tastatur: Tab zu einer Zeitachse, dann gehen , und . die Spur entlang.</translation>
    </message>
    <message>
        <source>How it was placed</source>
        <translation>Wie sie platziert wurde</translation>
    </message>
    <message>
        <source>Show the intervals that this comes from</source>
        <translation>Zeigt die Zeiten, aus denen sich das ergibt</translation>
    </message>
    <message>
        <source>Go to this task</source>
        <translation>Zu dieser Aufgabe gehen</translation>
    </message>
    <message>
        <source>This one set the start.</source>
        <translation>Dies bestimmte den Anfang.</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::JobBar</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::KernelPanel</name>
    <message>
        <source>Kernel or work whose durations are shown</source>
        <translation>Kernel oder Arbeit, deren Dauern gezeigt werden</translation>
    </message>
    <message>
        <source>Durations of</source>
        <translation>Dauern von</translation>
    </message>
    <message>
        <source>%1 times, %2 in all</source>
        <translation>%1-mal, zusammen %2</translation>
    </message>
    <message>
        <source>has none of these</source>
        <translation>hat nichts davon</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::KeyHelp</name>
    <message>
        <source>Mouse</source>
        <translation>Maus</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>W A S D go by their place on the keyboard. Everything else is in the command palette: Ctrl+Shift+P. Esc or ? closes this.</source>
        <translation>W A S D gelten nach ihrem Platz auf der Tastatur. Alles andere steht in der Befehlspalette: Strg+Umschalt+P. Esc oder ? schließt dies.</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::LinkPanel</name>
    <message>
        <source>unknown size</source>
        <translation>unbekannte Größe</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 to %3: a message is on its way %4 of the time
%n message(s), %5
in all %6, %7 of the run</source>
        <translation>
            <numerusform>%1, %2 bis %3: %4 der Zeit ist eine Nachricht unterwegs
%n Nachricht, %5
insgesamt %6, %7 des Laufs</numerusform>
            <numerusform>%1, %2 bis %3: %4 der Zeit ist eine Nachricht unterwegs
%n Nachrichten, %5
insgesamt %6, %7 des Laufs</numerusform>
        </translation>
    </message>
    <message>
        <source>time, ms</source>
        <translation>Zeit, ms</translation>
    </message>
    <message>
        <source>quiet</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>nothing goes over links</source>
        <translation>nichts geht über Verbindungen</translation>
    </message>
    <message>
        <source>how busy each link is</source>
        <translation>Auslastung</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::MainWindow</name>
    <message>
        <source>An execution is running. Cancel it first, or wait until it ends.</source>
        <translation>Eine Ausführung läuft. Brechen Sie sie zuerst ab, oder warten Sie, bis sie endet.</translation>
    </message>
    <message>
        <source>Save this experiment first?</source>
        <translation>Dieses Experiment zuerst speichern?</translation>
    </message>
    <message>
        <source>It has no file yet; its runs are lost when it is closed.</source>
        <translation>Es hat noch keine Datei; seine Läufe gehen verloren, wenn es geschlossen wird.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Bubblescope documents (*.bscope);;All files (*)</source>
        <translation>Bubblescope-Dokumente (*.bscope);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>Bubblescope documents (*.bscope)</source>
        <translation>Bubblescope-Dokumente (*.bscope)</translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>Pictures (*.png *.svg *.pdf)</source>
        <translation>Bilder (*.png *.svg *.pdf)</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Simulate</source>
        <translation>Simulieren</translation>
    </message>
    <message>
        <source>Keep the predictions of A and B as runs of the document (Ctrl+R)</source>
        <translation>Die Vorhersagen von A und B als Läufe des Dokuments behalten (Strg+R)</translation>
    </message>
    <message>
        <source>▶  Execute</source>
        <translation>▶  Ausführen</translation>
    </message>
    <message>
        <source>Really run the schedules and put the measurement beside the prediction (Ctrl+E)</source>
        <translation>Die Pläne wirklich ausführen und die Messung neben die Vorhersage stellen (Strg+E)</translation>
    </message>
    <message>
        <source>CPU · real model</source>
        <translation>CPU · echtes Modell</translation>
    </message>
    <message>
        <source>Paced · modelled times</source>
        <translation>Getaktet · Zeiten des Modells</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Click to show or hide a run; right-click to make it A or B.</source>
        <translation>Klick zeigt oder verbirgt einen Lauf; Rechtsklick macht ihn zu A oder B.</translation>
    </message>
    <message>
        <source>Schedule %1 can&apos;t be executed: %2</source>
        <translation>Plan %1 kann nicht ausgeführt werden: %2</translation>
    </message>
    <message>
        <source>These values can&apos;t be built.

The form at the left says beside the field what would be right. Ctrl+Z takes the last change back.</source>
        <translation>Mit diesen Werten geht es nicht.

Das Formular links sagt neben dem Feld, was richtig wäre. Strg+Z nimmt die letzte Änderung zurück.</translation>
    </message>
    <message>
        <source>Predicting …</source>
        <translation>Vorhersage läuft …</translation>
    </message>
    <message>
        <source>Nothing to show yet.

Choose schedules at the left, or open a document with Ctrl+O, or drop a .bscope file here.</source>
        <translation>Noch nichts zu zeigen.

Wählen Sie links Pläne, öffnen Sie mit Strg+O ein Dokument, oder ziehen Sie eine .bscope-Datei hierher.</translation>
    </message>
    <message>
        <source>not saved yet: Ctrl+S</source>
        <translation>noch nicht gespeichert: Strg+S</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gespeichert</translation>
    </message>
    <message>
        <source>bubble = idle ÷ (devices × makespan)</source>
        <translation>Blase = Leerlauf ÷ (Geräte × Gesamtdauer)</translation>
    </message>
    <message>
        <source>Show as %1</source>
        <translation>Als %1 zeigen</translation>
    </message>
    <message>
        <source>Show or hide</source>
        <translation>Zeigen oder verbergen</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Neu</translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation>&amp;Öffnen …</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save &amp;as …</source>
        <translation>Speichern &amp;unter …</translation>
    </message>
    <message>
        <source>&amp;Export picture …</source>
        <translation>Bild &amp;exportieren …</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Nothing opened yet</source>
        <translation>Noch nichts geöffnet</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Simulate</source>
        <translation>&amp;Simulieren</translation>
    </message>
    <message>
        <source>&amp;Execute</source>
        <translation>&amp;Ausführen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>&amp;Balance the partition</source>
        <translation>Aufteilung aus&amp;gleichen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>&amp;Hineinzoomen</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>He&amp;rauszoomen</translation>
    </message>
    <message>
        <source>&amp;Fit everything</source>
        <translation>Alles ein&amp;passen</translation>
    </message>
    <message>
        <source>&amp;Critical path</source>
        <translation>&amp;Kritischer Pfad</translation>
    </message>
    <message>
        <source>Communication and copy &amp;lanes</source>
        <translation>Kommunikations- und Kopier&amp;spuren</translation>
    </message>
    <message>
        <source>Colours of the &amp;system</source>
        <translation>Farben des S&amp;ystems</translation>
    </message>
    <message>
        <source>Li&amp;ght</source>
        <translation>He&amp;ll</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>D&amp;unkel</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>&amp;Tasten</translation>
    </message>
    <message>
        <source>&amp;About Bubblescope</source>
        <translation>&amp;Über Bubblescope</translation>
    </message>
    <message>
        <source>About Bubblescope</source>
        <translation>Über Bubblescope</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Bubblescope %1&lt;/h3&gt;&lt;p&gt;Shows where the time and the memory of pipeline-parallel training go.&lt;/p&gt;&lt;p&gt;The project is licensed under the Apache License 2.0. This program, bubblescope-ui, links QCustomPlot (GPL-3.0-or-later) and Qt, so this binary is distributed under the &lt;a href=&apos;https://www.gnu.org/licenses/gpl-3.0.html&apos;&gt;GNU General Public License, version 3 or later&lt;/a&gt;, without any warranty. The command line links neither.&lt;/p&gt;&lt;p&gt;Qt %2 · QCustomPlot %3&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Bubblescope %1&lt;/h3&gt;&lt;p&gt;Zeigt, wohin Zeit und Speicher von pipeline-parallelem Training gehen.&lt;/p&gt;&lt;p&gt;Das Projekt steht unter der Apache-Lizenz 2.0. Dieses Programm, bubblescope-ui, verwendet QCustomPlot (GPL-3.0-or-later) und Qt, darum wird es unter der &lt;a href=&apos;https://www.gnu.org/licenses/gpl-3.0.html&apos;&gt;GNU General Public License, Version 3 oder später&lt;/a&gt;, verbreitet, ohne jede Gewährleistung. Die Kommandozeile verwendet beide nicht.&lt;/p&gt;&lt;p&gt;Qt %2 · QCustomPlot %3&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Save the changes to %1 first?</source>
        <translation>Die Änderungen an %1 zuerst speichern?</translation>
    </message>
    <message>
        <source>Its file was deleted by another program. Saving writes it again.</source>
        <translation>Seine Datei wurde von einem anderen Programm gelöscht. Speichern schreibt sie neu.</translation>
    </message>
    <message>
        <source>Its runs are saved already; what you edited since the last Ctrl+S isn&apos;t.</source>
        <translation>Seine Läufe sind schon gespeichert; was Sie seit dem letzten Strg+S bearbeitet haben, noch nicht.</translation>
    </message>
    <message>
        <source>An execution is writing into the document. Save when it has ended, or cancel it.</source>
        <translation>Eine Ausführung schreibt in das Dokument. Speichern Sie, wenn sie beendet ist, oder brechen Sie sie ab.</translation>
    </message>
    <message>
        <source>Save as …</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>There is nothing to recover: all work is saved or open.</source>
        <translation>Es gibt nichts wiederherzustellen: Alle Arbeit ist gespeichert oder offen.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>unbenannt</translation>
    </message>
    <message>
        <source>Bubblescope ended unexpectedly while this wasn&apos;t saved: %1.</source>
        <translation>Bubblescope endete unerwartet, während dies nicht gespeichert war: %1.</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Print to PDF</source>
        <translation>In PDF drucken</translation>
    </message>
    <message>
        <source>PDF files (*.pdf)</source>
        <translation>PDF-Dateien (*.pdf)</translation>
    </message>
    <message>
        <source>New windows speak the language you chose; this one keeps its own.</source>
        <translation>Neue Fenster sprechen die gewählte Sprache; dieses behält seine.</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>Neues Fenster</translation>
    </message>
    <message>
        <source>&amp;Settings …</source>
        <translation>&amp;Einstellungen …</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>Neues &amp;Fenster</translation>
    </message>
    <message>
        <source>Recover &amp;unsaved work</source>
        <translation>Ungespeichertes &amp;wiederherstellen</translation>
    </message>
    <message>
        <source>&amp;Print …</source>
        <translation>&amp;Drucken …</translation>
    </message>
    <message>
        <source>Print to P&amp;DF …</source>
        <translation>In &amp;PDF drucken …</translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation>Fenster s&amp;chließen</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Wiedergabe</translation>
    </message>
    <message>
        <source>W/S zoom · A/D pan · F fit · / find · M mark · Space replay · ? keys</source>
        <translation>W/S zoomen · A/D schieben · F einpassen · / suchen · M markieren · Leertaste: Wiedergabe · ? Tasten</translation>
    </message>
    <message>
        <source>&amp;Time of each frame</source>
        <translation>Zei&amp;t jedes Bildes</translation>
    </message>
    <message>
        <source>Colour b&amp;y</source>
        <translation>&amp;Färben nach</translation>
    </message>
    <message>
        <source>&amp;Work</source>
        <translation>&amp;Arbeit</translation>
    </message>
    <message>
        <source>&amp;Microbatch</source>
        <translation>&amp;Mikrobatch</translation>
    </message>
    <message>
        <source>&amp;Chunk of the device</source>
        <translation>A&amp;bschnitt des Geräts</translation>
    </message>
    <message>
        <source>Play the schedules with a moving cursor; memory and microbatches move with it (Space in the timelines)</source>
        <translation>Die Pläne mit wanderndem Cursor abspielen; Speicher und Mikrobatches wandern mit (Leertaste in den Zeitachsen)</translation>
    </message>
    <message>
        <source>Re&amp;play</source>
        <translation>&amp;Wiedergabe</translation>
    </message>
    <message>
        <source>&amp;Projector view</source>
        <translation>Pro&amp;jektoransicht</translation>
    </message>
    <message>
        <source>&amp;Align runs</source>
        <translation>Läufe &amp;ausrichten</translation>
    </message>
    <message>
        <source>by &amp;time</source>
        <translation>nach &amp;Zeit</translation>
    </message>
    <message>
        <source>by begin of the &amp;step</source>
        <translation>nach Beginn des &amp;Schritts</translation>
    </message>
    <message>
        <source>by first &amp;backward</source>
        <translation>nach erstem &amp;Rückwärts</translation>
    </message>
    <message>
        <source>by &amp;end</source>
        <translation>nach &amp;Ende</translation>
    </message>
    <message>
        <source>&amp;Rows</source>
        <translation>Z&amp;eilen</translation>
    </message>
    <message>
        <source>&amp;As high as fits</source>
        <translation>So &amp;hoch wie möglich</translation>
    </message>
    <message>
        <source>Open or close lanes of the &amp;device</source>
        <translation>Spuren des &amp;Geräts öffnen oder schließen</translation>
    </message>
    <message>
        <source>&amp;Pin the lane to the top, or let it go</source>
        <translation>Spur oben &amp;anheften oder lösen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Select &amp;all time</source>
        <translation>Gesamte &amp;Zeit auswählen</translation>
    </message>
    <message>
        <source>&amp;Find tasks …</source>
        <translation>Aufgaben &amp;suchen …</translation>
    </message>
    <message>
        <source>Find a &amp;lane …</source>
        <translation>S&amp;pur suchen …</translation>
    </message>
    <message>
        <source>&amp;Mark for now</source>
        <translation>Vorläufig &amp;markieren</translation>
    </message>
    <message>
        <source>Write a &amp;note …</source>
        <translation>&amp;Notiz schreiben …</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>For&amp;ward</source>
        <translation>&amp;Vor</translation>
    </message>
    <message>
        <source>W&amp;heel zooms</source>
        <translation>&amp;Mausrad zoomt</translation>
    </message>
    <message>
        <source>D&amp;etails</source>
        <translation>&amp;Details</translation>
    </message>
    <message>
        <source>Co&amp;mmand palette …</source>
        <translation>&amp;Befehlspalette …</translation>
    </message>
    <message>
        <source>Do what?</source>
        <translation>Was tun?</translation>
    </message>
    <message>
        <source>Go to which lane?</source>
        <translation>Zu welcher Spur?</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::MemoryChart</name>
    <message>
        <source>Live activations over time</source>
        <translation>Lebende Aktivierungen über die Zeit</translation>
    </message>
    <message>
        <source>time, ms</source>
        <translation>Zeit, ms</translation>
    </message>
    <message>
        <source>live activations</source>
        <translation>lebende Aktivierungen</translation>
    </message>
    <message>
        <source>peak %1 on %2 at %3</source>
        <translation>Spitze %1 auf %2 bei %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>stage %1 of microbatches %2</source>
        <translation>Stufe %1 der Mikrobatches %2</translation>
    </message>
    <message>
        <source>%1 holds %2 activations at %3: %4</source>
        <translation>%1 hält %2 Aktivierungen bei %3: %4</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n device(s) with less</source>
        <translation>
            <numerusform>und %n Gerät mit weniger</numerusform>
            <numerusform>und %n Geräte mit weniger</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::MemoryPanel</name>
    <message>
        <source>Shows the forwards whose activations live at the peak</source>
        <translation>Zeigt die Vorwärtsschritte, deren Aktivierungen an der Spitze leben</translation>
    </message>
    <message>
        <source>Memory limit of a device, in activations</source>
        <translation>Speichergrenze eines Geräts, in Aktivierungen</translation>
    </message>
    <message>
        <source>Activations that a device can hold: a line in the charts, and the limit of the search</source>
        <translation>Aktivierungen, die ein Gerät halten kann: eine Linie in den Diagrammen und die Grenze der Suche</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Minimap</name>
    <message>
        <source>Minimap</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>How busy run A is over all time, and which part is visible</source>
        <translation>Auslastung von Lauf A über die ganze Zeit, und welcher Teil sichtbar ist</translation>
    </message>
    <message>
        <source>How busy run A is. Drag the frame to pan, its edges to zoom, beside it for a new frame; double-click shows everything.</source>
        <translation>Auslastung von Lauf A. Rahmen ziehen verschiebt, Ränder ziehen zoomt, daneben ziehen gibt einen neuen Rahmen; Doppelklick zeigt alles.</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::NoteBook</name>
    <message>
        <source>add a note</source>
        <translation>Notiz hinzufügen</translation>
    </message>
    <message>
        <source>change a note</source>
        <translation>Notiz ändern</translation>
    </message>
    <message>
        <source>remove a note</source>
        <translation>Notiz entfernen</translation>
    </message>
    <message>
        <source>The note was: “%1”.</source>
        <translation>Die Notiz war: „%1“.</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::NoteEditor</name>
    <message>
        <source>Text of the note</source>
        <translation>Text der Notiz</translation>
    </message>
    <message>
        <source>Note: Enter keeps it, Esc doesn&apos;t</source>
        <translation>Notiz: Enter behält, Esc verwirft</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::NotesPanel</name>
    <message>
        <source>No notes yet. Shift+M writes one on the selection, the picked task or the cursor; it is kept in the document.</source>
        <translation>Noch keine Notizen. Umschalt+M schreibt eine zur Auswahl, zur gewählten Aufgabe oder zum Cursor; sie bleibt im Dokument.</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Double-click or Enter goes there, F2 changes the text, Delete removes the note.</source>
        <translation>Doppelklick oder Enter geht dorthin, F2 ändert den Text, Entf entfernt die Notiz.</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::OrderEditor</name>
    <message>
        <source>edit the order of run %1</source>
        <translation>Reihenfolge von Lauf %1 bearbeiten</translation>
    </message>
    <message>
        <source>Click a task of A or B that is predicted; stored runs stay as they are.</source>
        <translation>Klicken Sie auf eine Aufgabe von A oder B, die vorhergesagt ist; gespeicherte Läufe bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Turn on Edit the order first.</source>
        <translation>Schalten Sie zuerst „Reihenfolge bearbeiten“ ein.</translation>
    </message>
    <message>
        <source>%1 by hand</source>
        <translation>%1 von Hand</translation>
    </message>
    <message>
        <source>move a task</source>
        <translation>Aufgabe verschieben</translation>
    </message>
    <message>
        <source>swap two tasks</source>
        <translation>zwei Aufgaben tauschen</translation>
    </message>
    <message>
        <source>delete a task</source>
        <translation>Aufgabe löschen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no task; 2F3 is the forward of microbatch 3 on stage 2, 2B3 its backward.</source>
        <translation>„%1“ ist keine Aufgabe; 2F3 ist das Vorwärts von Mikrobatch 3 auf Stufe 2, 2B3 das Rückwärts.</translation>
    </message>
    <message>
        <source>%1 isn&apos;t of this schedule: its stages are 0 to %2 and its microbatches 0 to %3.</source>
        <translation>%1 gehört nicht zu diesem Plan: Seine Stufen sind 0 bis %2 und seine Mikrobatches 0 bis %3.</translation>
    </message>
    <message>
        <source>insert a task</source>
        <translation>Aufgabe einfügen</translation>
    </message>
    <message>
        <source>%1 more problems. F8 goes from one to the next.</source>
        <translation>%1 weitere Fehler. F8 geht von einem zum nächsten.</translation>
    </message>
    <message>
        <source>No order has a problem.</source>
        <translation>Keine Reihenfolge hat einen Fehler.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: %2. Choose another folder.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Written. A PyTorch file has no place for: %1.</source>
        <translation>Geschrieben. Eine PyTorch-Datei hat keinen Platz für: %1.</translation>
    </message>
    <message>
        <source>An order with problems can&apos;t be stored as a run; mend it first, or save it as CSV.</source>
        <translation>Eine Reihenfolge mit Fehlern kann nicht als Lauf gespeichert werden; beheben Sie sie zuerst, oder speichern Sie sie als CSV.</translation>
    </message>
    <message>
        <source>drop the order by hand</source>
        <translation>Reihenfolge von Hand verwerfen</translation>
    </message>
    <message>
        <source>Edit the &amp;order</source>
        <translation>&amp;Reihenfolge bearbeiten</translation>
    </message>
    <message>
        <source>Move, swap, insert and delete tasks in the timelines of predictions</source>
        <translation>Aufgaben in den Zeitachsen der Vorhersagen verschieben, tauschen, einfügen und löschen</translation>
    </message>
    <message>
        <source>Move task &amp;earlier</source>
        <translation>Aufgabe &amp;früher</translation>
    </message>
    <message>
        <source>Move task la&amp;ter</source>
        <translation>Aufgabe spä&amp;ter</translation>
    </message>
    <message>
        <source>S&amp;wap task with the next</source>
        <translation>Mit der nächsten Aufgabe tausc&amp;hen</translation>
    </message>
    <message>
        <source>&amp;Insert task before …</source>
        <translation>Aufgabe davor einfü&amp;gen …</translation>
    </message>
    <message>
        <source>&amp;Delete task</source>
        <translation>Aufgabe &amp;löschen</translation>
    </message>
    <message>
        <source>Next &amp;problem of the order</source>
        <translation>Nächster Fehler der Reihenf&amp;olge</translation>
    </message>
    <message>
        <source>Save order as PyTorch CS&amp;V …</source>
        <translation>Reihenfolge als PyTorch-&amp;CSV speichern …</translation>
    </message>
    <message>
        <source>Save order &amp;under a name …</source>
        <translation>Reihenfolge &amp;unter Namen speichern …</translation>
    </message>
    <message>
        <source>D&amp;rop the order by hand</source>
        <translation>Reihenfolge von Hand &amp;verwerfen</translation>
    </message>
    <message>
        <source>Insert a task</source>
        <translation>Aufgabe einfügen</translation>
    </message>
    <message>
        <source>No task of this device is missing. Task to insert, such as 2F3:</source>
        <translation>Keine Aufgabe dieses Geräts fehlt. Aufgabe zum Einfügen, etwa 2F3:</translation>
    </message>
    <message>
        <source>Missing tasks of this device, or any other, such as 2F3:</source>
        <translation>Fehlende Aufgaben dieses Geräts, oder eine andere, etwa 2F3:</translation>
    </message>
    <message>
        <source>Save order</source>
        <translation>Reihenfolge speichern</translation>
    </message>
    <message>
        <source>PyTorch schedules (*.csv)</source>
        <translation>PyTorch-Pläne (*.csv)</translation>
    </message>
    <message>
        <source>Name of the schedule in the document:</source>
        <translation>Name des Plans im Dokument:</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::PanelTabs</name>
    <message>
        <source>Charts and tables</source>
        <translation>Diagramme und Tabellen</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ParetoChart</name>
    <message>
        <source>%1, %2 chunks</source>
        <translation>%1, %2 Abschnitte</translation>
    </message>
    <message>
        <source>Bubble rate against peak memory</source>
        <translation>Blasenanteil gegen Spitze des Speichers</translation>
    </message>
    <message>
        <source>peak of the device that holds most, activations</source>
        <translation>Spitze des vollsten Geräts, Aktivierungen</translation>
    </message>
    <message>
        <source>bubble rate, %</source>
        <translation>Blasenanteil, %</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message>
        <source>%1
bubble rate %2
peak %3 activations
makespan %4, chunks sharing a device&apos;s work</source>
        <translation>%1
Blasenanteil %2
Spitze %3 Aktivierungen
Gesamtdauer %4, Abschnitte teilen die Arbeit eines Geräts</translation>
    </message>
    <message>
        <source>
holds the weights %1 times</source>
        <translation>
hält die Gewichte %1-mal</translation>
    </message>
    <message>
        <source>
on the front: nobody beats it in both</source>
        <translation>
auf der Front: Niemand ist in beidem besser</translation>
    </message>
    <message>
        <source>
beaten by %1</source>
        <translation>
geschlagen von %1</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ParetoPanel</name>
    <message>
        <source>Cancelled; change the experiment to search again.</source>
        <translation>Abgebrochen; ändern Sie das Experiment, um neu zu suchen.</translation>
    </message>
    <message>
        <source>%1 variants of %2 schedules fit; chunks share a device&apos;s work. %3 schedules are left out: point here to see why.</source>
        <translation>%1 Varianten von %2 Plänen passen; Abschnitte teilen die Arbeit eines Geräts. %3 Pläne sind ausgelassen: Zeigen Sie hierher, um zu sehen, warum.</translation>
    </message>
    <message>
        <source>%1 as B</source>
        <translation>%1 als B</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::PartitionBar</name>
    <message>
        <source>Partition</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Drag a boundary to move layers between stages. Double-click balances.
Keyboard: Page Up and Page Down choose a boundary, Left and Right move it, Return balances.</source>
        <translation>Ziehen Sie eine Grenze, um Schichten zwischen Stufen zu verschieben. Doppelklick gleicht aus.
Tastatur: Bild auf und Bild ab wählen eine Grenze, links und rechts bewegen sie, die Eingabetaste gleicht aus.</translation>
    </message>
    <message>
        <source>all stages cost the same</source>
        <translation>alle Stufen kosten gleich viel</translation>
    </message>
    <message>
        <source>slowest stage %1: %2 × mean</source>
        <translation>langsamste Stufe %1: %2 × Mittel</translation>
    </message>
    <message>
        <source>no layer</source>
        <translation>keine Schicht</translation>
    </message>
    <message>
        <source>Emb + </source>
        <translation>Einb. + </translation>
    </message>
    <message>
        <source> + head</source>
        <translation> + Kopf</translation>
    </message>
    <message>
        <source>Stage %1 · %2</source>
        <translation>Stufe %1 · %2</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>give the model layers to divide them among the stages</source>
        <translation>geben Sie dem Modell Schichten, um sie auf die Stufen zu verteilen</translation>
    </message>
    <message>
        <source>one stage has all layers</source>
        <translation>eine Stufe hat alle Schichten</translation>
    </message>
    <message>
        <source>Page Up, Page Down|choose a boundary</source>
        <translation>Bild auf, Bild ab|Grenze wählen</translation>
    </message>
    <message>
        <source>←, →|move the boundary</source>
        <translation>←, →|Grenze verschieben</translation>
    </message>
    <message>
        <source>Return|balance</source>
        <translation>Eingabetaste|ausgleichen</translation>
    </message>
    <message>
        <source>Partition of schedule %1</source>
        <translation>Aufteilung von Plan %1</translation>
    </message>
    <message>
        <source>Show the partition of schedule %1: A and B have different numbers of stages</source>
        <translation>Aufteilung von Plan %1 zeigen: A und B haben verschieden viele Stufen</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>Ways to divide the layers, each with what is predicted for it</source>
        <translation>Wege, die Schichten aufzuteilen, mit der Vorhersage für jeden</translation>
    </message>
    <message>
        <source>Layers of each stage: %1. %2. %3</source>
        <translation>Schichten jeder Stufe: %1. %2. %3</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>drag a boundary</source>
        <translation>Grenze ziehen</translation>
    </message>
    <message>
        <source>double-click to balance</source>
        <translation>Doppelklick gleicht aus</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::PartitionControl</name>
    <message>
        <source>&amp;Partition algorithms</source>
        <translation>&amp;Verfahren der Aufteilung</translation>
    </message>
    <message>
        <source>move a boundary</source>
        <translation>eine Grenze verschieben</translation>
    </message>
    <message>
        <source>balance the partition</source>
        <translation>die Aufteilung ausgleichen</translation>
    </message>
    <message>
        <source>There is no predicted schedule with layers to divide.</source>
        <translation>Es gibt keinen vorhergesagten Plan mit Schichten zum Aufteilen.</translation>
    </message>
    <message>
        <source>Predicting …</source>
        <translation>Vorhersage läuft …</translation>
    </message>
    <message>
        <source>There are fewer layers than stages.</source>
        <translation>Es gibt weniger Schichten als Stufen.</translation>
    </message>
    <message>
        <source>%1 · bubble %2</source>
        <translation>%1 · Blase %2</translation>
    </message>
    <message>
        <source>%1
Layers: %2
Slowest stage: %3 × mean</source>
        <translation>%1
Schichten: %2
Langsamste Stufe: %3 × Mittel</translation>
    </message>
    <message>
        <source>divide the layers: %1</source>
        <translation>Schichten aufteilen: %1</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Projector</name>
    <message>
        <source>Leave the projector view (F11)</source>
        <translation>Projektoransicht verlassen (F11)</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::RangePanel</name>
    <message>
        <source>Nothing is selected. Drag over a timeline, press R on a task, or Ctrl+A for all time.</source>
        <translation>Nichts ist ausgewählt. Ziehen Sie über eine Zeitachse, drücken Sie R auf einer Aufgabe, oder Strg+A für die gesamte Zeit.</translation>
    </message>
    <message>
        <source>Work in the range</source>
        <translation>Arbeit im Bereich</translation>
    </message>
    <message>
        <source>Devices in the range</source>
        <translation>Geräte im Bereich</translation>
    </message>
    <message>
        <source>Tasks that an edge cuts count with the part inside. Double-click outlines them.</source>
        <translation>Am Rand geschnittene Aufgaben zählen mit dem Teil innerhalb. Doppelklick umrandet sie.</translation>
    </message>
    <message>
        <source>Busy and idle add up to the part of the range in which the run took place. Double-click outlines the idle times.</source>
        <translation>Beschäftigt und Leerlauf ergeben zusammen den Teil des Bereichs, in dem der Lauf stattfand. Doppelklick umrandet den Leerlauf.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy as text (Ctrl+C)</source>
        <translation>Als Text kopieren (Strg+C)</translation>
    </message>
    <message>
        <source>Save as CSV …</source>
        <translation>Als CSV speichern …</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: %2. Choose another place.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>Save the range</source>
        <translation>Bereich speichern</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Replay</name>
    <message>
        <source>&amp;Play</source>
        <translation>&amp;Abspielen</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>Schritt &amp;zurück</translation>
    </message>
    <message>
        <source>Step &amp;forward</source>
        <translation>Schritt &amp;vor</translation>
    </message>
    <message>
        <source>&amp;Slower</source>
        <translation>&amp;Langsamer</translation>
    </message>
    <message>
        <source>F&amp;aster</source>
        <translation>&amp;Schneller</translation>
    </message>
    <message>
        <source>&amp;Loop</source>
        <translation>&amp;Endlos</translation>
    </message>
    <message>
        <source>Visible range f&amp;ollows</source>
        <translation>Sichtbarer Bereich &amp;folgt</translation>
    </message>
    <message>
        <source>Later tasks s&amp;hown</source>
        <translation>Spätere Aufgaben si&amp;chtbar</translation>
    </message>
    <message>
        <source>Later tasks &amp;dimmed</source>
        <translation>Spätere Aufgaben &amp;blass</translation>
    </message>
    <message>
        <source>Later tasks h&amp;idden</source>
        <translation>Spätere Aufgaben ve&amp;rborgen</translation>
    </message>
    <message>
        <source>Export as animated &amp;WebP …</source>
        <translation>Als animiertes &amp;WebP exportieren …</translation>
    </message>
    <message>
        <source>Export as animated &amp;WebP (this build has no libwebp)</source>
        <translation>Als animiertes &amp;WebP exportieren (dieser Bau hat kein libwebp)</translation>
    </message>
    <message>
        <source>Export as &amp;numbered PNGs …</source>
        <translation>Als &amp;nummerierte PNGs exportieren …</translation>
    </message>
    <message>
        <source>&amp;Close the replay</source>
        <translation>Wiedergabe schl&amp;ießen</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>There is nothing to replay: show at least one run.</source>
        <translation>Es gibt nichts wiederzugeben: Zeigen Sie mindestens einen Lauf.</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ReplayBar</name>
    <message>
        <source>Replay</source>
        <translation>Wiedergabe</translation>
    </message>
    <message>
        <source>Space|play and pause</source>
        <translation>Leertaste|abspielen und anhalten</translation>
    </message>
    <message>
        <source>,|back to the last start or end of a task</source>
        <translation>,|zurück zum letzten Anfang oder Ende einer Aufgabe</translation>
    </message>
    <message>
        <source>.|on to the next start or end of a task</source>
        <translation>.|weiter zum nächsten Anfang oder Ende einer Aufgabe</translation>
    </message>
    <message>
        <source>&lt;|slower</source>
        <translation>&lt;|langsamer</translation>
    </message>
    <message>
        <source>&gt;|faster</source>
        <translation>&gt;|schneller</translation>
    </message>
    <message>
        <source>To the begin (Home)</source>
        <translation>Zum Anfang (Pos1)</translation>
    </message>
    <message>
        <source>Back to the last start or end of a task (,)</source>
        <translation>Zurück zum letzten Anfang oder Ende einer Aufgabe (,)</translation>
    </message>
    <message>
        <source>Play or pause (Space)</source>
        <translation>Abspielen oder anhalten (Leertaste)</translation>
    </message>
    <message>
        <source>On to the next start or end of a task (.)</source>
        <translation>Weiter zum nächsten Anfang oder Ende einer Aufgabe (.)</translation>
    </message>
    <message>
        <source>Position of the replay</source>
        <translation>Stelle der Wiedergabe</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Seconds of the run that pass in one second; 1 × is as fast as it took place</source>
        <translation>Sekunden des Laufs, die in einer Sekunde vergehen; 1 × ist so schnell, wie er stattfand</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>Endlos</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Zoomed in, the visible range goes with the playhead</source>
        <translation>Hineingezoomt folgt der sichtbare Bereich der Wiedergabe</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>sichtbar</translation>
    </message>
    <message>
        <source>dimmed</source>
        <translation>blass</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>verborgen</translation>
    </message>
    <message>
        <source>Later tasks</source>
        <translation>Spätere Aufgaben</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ReplayExportDialog</name>
    <message>
        <source>Export the replay as an animated WebP</source>
        <translation>Wiedergabe als animiertes WebP exportieren</translation>
    </message>
    <message>
        <source>Export the replay as numbered PNGs</source>
        <translation>Wiedergabe als nummerierte PNGs exportieren</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>Fortschritt des Exports</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Browse …</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>Width in pixels</source>
        <translation>Breite in Pixeln</translation>
    </message>
    <message>
        <source>Height in pixels</source>
        <translation>Höhe in Pixeln</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>Bilder pro Sekunde</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>the whole runs</source>
        <translation>die ganzen Läufe</translation>
    </message>
    <message>
        <source>what is visible now</source>
        <translation>was jetzt sichtbar ist</translation>
    </message>
    <message>
        <source>the selection</source>
        <translation>die Auswahl</translation>
    </message>
    <message>
        <source>Begin again at the end</source>
        <translation>Am Ende von vorn beginnen</translation>
    </message>
    <message>
        <source>Say which file to write.</source>
        <translation>Geben Sie an, welche Datei geschrieben werden soll.</translation>
    </message>
    <message>
        <source>%1 and so on</source>
        <translation>%1 und so weiter</translation>
    </message>
    <message>
        <source>Animated WebP (*.webp)</source>
        <translation>Animiertes WebP (*.webp)</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>The replay was written to %1.</source>
        <translation>Die Wiedergabe wurde nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was written.</source>
        <translation>Abgebrochen. Nichts wurde geschrieben.</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ReplayExportJob</name>
    <message>
        <source>There isn&apos;t enough memory for these frames. Choose a smaller size or a shorter range.</source>
        <translation>Der Speicher reicht für diese Bilder nicht. Wählen Sie eine kleinere Größe oder einen kürzeren Bereich.</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ReplayPanel</name>
    <message>
        <source>Replay</source>
        <translation>Wiedergabe</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ReplayStateView</name>
    <message>
        <source>State of the replay</source>
        <translation>Zustand der Wiedergabe</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>bei %1</translation>
    </message>
    <message>
        <source>%1 %2: %3, in flight: %4</source>
        <translation>%1 %2: %3, unterwegs: %4</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1 holds activations of microbatches %2
Click to see them in the timeline.</source>
        <translation>%1 hält Aktivierungen der Mikrobatches %2
Klick zeigt sie in der Zeitachse.</translation>
    </message>
    <message>
        <source>%1 holds activations of microbatch %2
from %3 to %4 (%5)
Click to see it in the timeline.</source>
        <translation>%1 hält Aktivierungen von Mikrobatch %2
von %3 bis %4 (%5)
Klick zeigt ihn in der Zeitachse.</translation>
    </message>
    <message>
        <source>%1: %2 live activations at %3
most so far %4, peak of the run %5</source>
        <translation>%1: %2 lebende Aktivierungen bei %3
bisher höchstens %4, Spitze des Laufs %5</translation>
    </message>
    <message>
        <source>, limit %1</source>
        <translation>, Grenze %1</translation>
    </message>
    <message>
        <source>Click to see the peak in the timeline.</source>
        <translation>Klick zeigt die Spitze in der Zeitachse.</translation>
    </message>
    <message>
        <source>%1: %2, %3 of %4 done</source>
        <translation>%1: %2, %3 von %4 fertig</translation>
    </message>
    <message>
        <source>In flight on %1: %2</source>
        <translation>Unterwegs auf %1: %2</translation>
    </message>
    <message>
        <source>Making the replay ready …</source>
        <translation>Wiedergabe wird vorbereitet …</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::RunModel</name>
    <message>
        <source>bubble %1</source>
        <translation>Blase %1</translation>
    </message>
    <message>
        <source>%1 spans</source>
        <translation>%1 Spannen</translation>
    </message>
    <message>
        <source> · predicted</source>
        <translation> · vorhergesagt</translation>
    </message>
    <message>
        <source>Follows the form and the partition bar</source>
        <translation>Folgt dem Formular und der Aufteilung</translation>
    </message>
    <message>
        <source>predicting …</source>
        <translation>Vorhersage läuft …</translation>
    </message>
    <message>
        <source>not possible: see the form</source>
        <translation>nicht möglich: siehe Formular</translation>
    </message>
    <message>
        <source>executing …</source>
        <translation>wird ausgeführt …</translation>
    </message>
    <message>
        <source>the order has problems</source>
        <translation>die Reihenfolge hat Fehler</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::RunTable</name>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>yes, to the bit</source>
        <translation>ja, bitgenau</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::RunsPanel</name>
    <message>
        <source>All runs</source>
        <translation>Alle Läufe</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::SearchBar</name>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>Voriger Treffer (Umschalt+Enter)</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>Nächster Treffer (Enter)</translation>
    </message>
    <message>
        <source>Find tasks</source>
        <translation>Aufgaben suchen</translation>
    </message>
    <message>
        <source>Find tasks: F3, stage 2, forward, a kernel&apos;s name …</source>
        <translation>Aufgaben suchen: F3, stage 2, forward, Name eines Kernels …</translation>
    </message>
    <message>
        <source>Clear the text</source>
        <translation>Text löschen</translation>
    </message>
    <message>
        <source>Close the search (Esc)</source>
        <translation>Suche schließen (Esc)</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>%1 gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>searching …</source>
        <translation>Suche läuft …</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>wie das System</translation>
    </message>
    <message>
        <source>light</source>
        <translation>hell</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>dunkel</translation>
    </message>
    <message>
        <source>Open windows keep their language; new ones speak it.</source>
        <translation>Offene Fenster behalten ihre Sprache; neue sprechen sie.</translation>
    </message>
    <message>
        <source>scrolls; with Ctrl it zooms</source>
        <translation>rollt; mit Strg zoomt es</translation>
    </message>
    <message>
        <source>zooms; with Ctrl it scrolls</source>
        <translation>zoomt; mit Strg rollt es</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>What isn&apos;t saved yet is kept safe from a crash this often while you edit.</source>
        <translation>Was noch nicht gespeichert ist, wird beim Bearbeiten so oft vor einem Absturz gesichert.</translation>
    </message>
    <message>
        <source>CPU · real model</source>
        <translation>CPU · echtes Modell</translation>
    </message>
    <message>
        <source>Paced · modelled times</source>
        <translation>Getaktet · Zeiten des Modells</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Habits</source>
        <translation>Gewohnheiten</translation>
    </message>
    <message>
        <source>The wheel</source>
        <translation>Das Mausrad</translation>
    </message>
    <message>
        <source>Keep edits safe every</source>
        <translation>Änderungen sichern alle</translation>
    </message>
    <message>
        <source>New executions</source>
        <translation>Neue Ausführungen</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::StatePainter</name>
    <message numerus="yes">
        <source>%n more device(s) have no room here</source>
        <translation>
            <numerusform>für %n weiteres Gerät ist hier kein Platz</numerusform>
            <numerusform>für %n weitere Geräte ist hier kein Platz</numerusform>
        </translation>
    </message>
    <message>
        <source>too large to follow its microbatches</source>
        <translation>zu groß, um seine Mikrobatches zu verfolgen</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>bei %1</translation>
    </message>
    <message>
        <source>bar: live activations</source>
        <translation>Balken: lebende Aktivierungen</translation>
    </message>
    <message>
        <source>│ most so far</source>
        <translation>│ bisheriges Höchstes</translation>
    </message>
    <message>
        <source>┊ peak of the run</source>
        <translation>┊ Spitze des Laufs</translation>
    </message>
    <message>
        <source>‖ limit</source>
        <translation>‖ Grenze</translation>
    </message>
    <message>
        <source>numbers: microbatches in flight</source>
        <translation>Zahlen: Mikrobatches unterwegs</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::SuggestionList</name>
    <message>
        <source>Suggestions</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>Predicting what would help …</source>
        <translation>Vorhersage, was helfen würde …</translation>
    </message>
    <message>
        <source>Nothing that was tried makes a step faster.</source>
        <translation>Nichts Versuchtes macht einen Schritt schneller.</translation>
    </message>
    <message>
        <source>bubble %1 → %2</source>
        <translation>Blase %1 → %2</translation>
    </message>
    <message>
        <source>%1 → %2 a microbatch</source>
        <translation>%1 → %2 je Mikrobatch</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1 (%2 faster)</source>
        <translation>%1 (%2 schneller)</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>Anwenden: %1</translation>
    </message>
    <message>
        <source>Change the experiment so; Ctrl+Z takes it back</source>
        <translation>Das Experiment so ändern; Strg+Z nimmt es zurück</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::SweepChart</name>
    <message>
        <source>Bubble rate: idle ÷ (devices × makespan)</source>
        <translation>Blasenanteil: Leerlauf ÷ (Geräte × Gesamtdauer)</translation>
    </message>
    <message>
        <source>Throughput: microbatches per second</source>
        <translation>Durchsatz: Mikrobatches pro Sekunde</translation>
    </message>
    <message>
        <source>bubble rate, %</source>
        <translation>Blasenanteil, %</translation>
    </message>
    <message>
        <source>microbatches / s</source>
        <translation>Mikrobatches / s</translation>
    </message>
    <message>
        <source>%1, closed form (span rate)</source>
        <translation>%1, Formel (Spannenanteil)</translation>
    </message>
    <message>
        <source>%1, closed form</source>
        <translation>%1, Formel</translation>
    </message>
    <message>
        <source>%1 · %2 %3
bubble rate %4
%5 microbatches per second
peak %6 activations</source>
        <translation>%1 · %2 %3
Blasenanteil %4
%5 Mikrobatches pro Sekunde
Spitze %6 Aktivierungen</translation>
    </message>
    <message>
        <source>
closed form %1 (%2)</source>
        <translation>
Formel %1 (%2)</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::SweepPanel</name>
    <message>
        <source>Cancelled; change a value to sweep again.</source>
        <translation>Abgebrochen; ändern Sie einen Wert, um neu zu durchlaufen.</translation>
    </message>
    <message>
        <source>Parameter that is swept</source>
        <translation>Größe, die durchlaufen wird</translation>
    </message>
    <message>
        <source>First value</source>
        <translation>Erster Wert</translation>
    </message>
    <message>
        <source>Last value</source>
        <translation>Letzter Wert</translation>
    </message>
    <message>
        <source>Number of values</source>
        <translation>Anzahl der Werte</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>Schedules that are swept beside A and B</source>
        <translation>Pläne, die neben A und B durchlaufen werden</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message numerus="yes">
        <source>%n point(s) can&apos;t be built; the CSV says why.</source>
        <translation>
            <numerusform>%n Punkt ist nicht möglich; die CSV sagt, warum.</numerusform>
            <numerusform>%n Punkte sind nicht möglich; die CSV sagt, warum.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::TheoryPanel</name>
    <message>
        <source>Theory against measurement</source>
        <translation>Theorie gegen Messung</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::TimelineStack</name>
    <message>
        <source>Mark: M sets it, Delete removes it</source>
        <translation>Markierung: M setzt sie, Entf entfernt sie</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1 von %2 bis %3</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::TimelineView</name>
    <message>
        <source>Timeline %1</source>
        <translation>Zeitachse %1</translation>
    </message>
    <message>
        <source>Click opens or closes its lanes (L)</source>
        <translation>Klick öffnet oder schließt seine Spuren (L)</translation>
    </message>
    <message>
        <source>Drag the line below it to change its height</source>
        <translation>Die Linie darunter ziehen ändert die Höhe</translation>
    </message>
    <message numerus="yes">
        <source>one of %n here</source>
        <translation>
            <numerusform>einzige hier</numerusform>
            <numerusform>eine von %n hier</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ms · median %2 · worst %3</source>
        <translation>%1 ms · Median %2 · längstes %3</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::WhatIfPanel</name>
    <message>
        <source>Microbatches</source>
        <translation>Mikrobatches</translation>
    </message>
    <message>
        <source>Link latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Link bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>Speed of</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Recompute activations</source>
        <translation>Aktivierungen neu berechnen</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre, wenn</translation>
    </message>
    <message>
        <source>Microbatches of a step. The slider stops at numbers that both schedules can be built with.</source>
        <translation>Mikrobatches eines Schritts. Der Regler hält bei Zahlen, mit denen beide Pläne möglich sind.</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>What a message needs from one device to the next, whatever its size.</source>
        <translation>Was eine Nachricht von einem Gerät zum nächsten braucht, unabhängig von ihrer Größe.</translation>
    </message>
    <message>
        <source> GB/s</source>
        <translation> GB/s</translation>
    </message>
    <message>
        <source>unlimited</source>
        <translation>unbegrenzt</translation>
    </message>
    <message>
        <source>Bytes per second of a link. Unlimited: the size of a message doesn&apos;t matter.</source>
        <translation>Bytes pro Sekunde einer Verbindung. Unbegrenzt: Die Größe einer Nachricht spielt keine Rolle.</translation>
    </message>
    <message>
        <source> ×</source>
        <translation> ×</translation>
    </message>
    <message>
        <source>How fast the tasks of this stage run: 0.5 takes twice as long. Where B has other stages, the same part of the model changes.</source>
        <translation>Wie schnell die Aufgaben dieser Stufe laufen: 0,5 dauert doppelt so lang. Wo B andere Stufen hat, ändert sich derselbe Teil des Modells.</translation>
    </message>
    <message>
        <source>Stage whose speed changes</source>
        <translation>Stufe, deren Tempo sich ändert</translation>
    </message>
    <message>
        <source>Backward passes compute the activations again instead of keeping them.</source>
        <translation>Rückwärtsschritte berechnen die Aktivierungen neu, statt sie zu behalten.</translation>
    </message>
    <message>
        <source>Chunks of %1</source>
        <translation>Abschnitte von %1</translation>
    </message>
    <message>
        <source>Stages of the model that a device holds.</source>
        <translation>Stufen des Modells, die ein Gerät hält.</translation>
    </message>
    <message>
        <source>change chunks</source>
        <translation>Abschnitte ändern</translation>
    </message>
    <message>
        <source>change microbatches</source>
        <translation>Mikrobatches ändern</translation>
    </message>
    <message>
        <source>change the link</source>
        <translation>die Verbindung ändern</translation>
    </message>
    <message>
        <source>change the speed of stage %1</source>
        <translation>Tempo von Stufe %1 ändern</translation>
    </message>
    <message>
        <source>change recomputation</source>
        <translation>Neuberechnung ändern</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Workbench</name>
    <message>
        <source>untitled</source>
        <translation>unbenannt</translation>
    </message>
    <message>
        <source>reading run %1</source>
        <translation>Lauf %1 wird gelesen</translation>
    </message>
    <message>
        <source>Edits can&apos;t be kept safe from a crash: %1 Save often, with Ctrl+S.</source>
        <translation>Änderungen können nicht vor einem Absturz gesichert werden: %1 Speichern Sie oft, mit Strg+S.</translation>
    </message>
    <message>
        <source>reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>Another Bubblescope has recovered it already.</source>
        <translation>Ein anderes Bubblescope hat es schon wiederhergestellt.</translation>
    </message>
    <message>
        <source>The last edits can&apos;t be recovered: %1</source>
        <translation>Die letzten Änderungen können nicht wiederhergestellt werden: %1</translation>
    </message>
    <message>
        <source>%1 is not there any more; its edits are here as a new one.</source>
        <translation>%1 gibt es nicht mehr; seine Änderungen sind hier als neues Experiment.</translation>
    </message>
    <message>
        <source>storing predictions</source>
        <translation>Vorhersagen werden gespeichert</translation>
    </message>
    <message>
        <source>%1 was changed by another program. What is shown is its content now.</source>
        <translation>%1 wurde von einem anderen Programm geändert. Gezeigt wird sein jetziger Inhalt.</translation>
    </message>
    <message>
        <source>%1 was deleted or moved by another program. Nothing is lost yet: Ctrl+S writes it again, Ctrl+Shift+S under another name.</source>
        <translation>%1 wurde von einem anderen Programm gelöscht oder verschoben. Noch ist nichts verloren: Strg+S schreibt es neu, Strg+Umschalt+S unter anderem Namen.</translation>
    </message>
    <message>
        <source>reading step %1 of run %2</source>
        <translation>Schritt %1 von Lauf %2 wird gelesen</translation>
    </message>
    <message>
        <source>keeping run %1 so that it opens fast</source>
        <translation>Lauf %1 wird für schnelles Öffnen abgelegt</translation>
    </message>
</context>
</TS>
