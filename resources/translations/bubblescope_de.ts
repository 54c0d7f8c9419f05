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
        <translation>%1 · %2 · wohin die Zeit jedes Geräts geht</translation>
    </message>
    <message>
        <source>%1 · %2 · live activations</source>
        <translation>%1 · %2 · lebende Aktivierungen</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>zoom in and out at the pointer</source>
        <translation>beim Zeiger hinein- und herauszoomen</translation>
    </message>
    <message>
        <source>zoom at the pointer</source>
        <translation>beim Zeiger zoomen</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>verschieben</translation>
    </message>
    <message>
        <source>fit the selection; once more: everything</source>
        <translation>die Auswahl einpassen; noch einmal: alles</translation>
    </message>
    <message>
        <source>select a range of time</source>
        <translation>einen Zeitbereich auswählen</translation>
    </message>
    <message>
        <source>zoom to a range</source>
        <translation>auf einen Bereich zoomen</translation>
    </message>
    <message>
        <source>explain a task or idle time; zoom to it</source>
        <translation>eine Aufgabe oder Leerlauf erklären; darauf zoomen</translation>
    </message>
    <message>
        <source>previous and next on the lane</source>
        <translation>voriges und nächstes auf der Spur</translation>
    </message>
    <message>
        <source>device above and below</source>
        <translation>Gerät darüber und darunter</translation>
    </message>
    <message>
        <source>clear the selection</source>
        <translation>die Auswahl aufheben</translation>
    </message>
    <message>
        <source>in the partition bar: choose a boundary, move it, balance</source>
        <translation>in der Aufteilung: eine Grenze wählen, bewegen, ausgleichen</translation>
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
</context>
<context>
    <name>Language</name>
    <message>
        <source>as the system</source>
        <translation>wie das System</translation>
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
    <name>RunView</name>
    <message>
        <source> · step %1 of %2</source>
        <translation> · Schritt %1 von %2</translation>
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
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>Earliest start to latest end of the step</source>
        <translation>Vom frühesten Anfang bis zum spätesten Ende des Schritts</translation>
    </message>
    <message>
        <source>Idle ÷ total</source>
        <translation>Leerlauf ÷ gesamt</translation>
    </message>
    <message>
        <source>Bubble rate: idle ÷ (devices × makespan)</source>
        <translation>Blasenanteil: Leerlauf ÷ (Geräte × Gesamtdauer)</translation>
    </message>
    <message>
        <source>Idle ÷ ideal</source>
        <translation>Leerlauf ÷ ideal</translation>
    </message>
    <message>
        <source>Megatron&apos;s bubble time fraction: idle ÷ (devices × ideal time)</source>
        <translation>Megatrons Blasenanteil: Leerlauf ÷ (Geräte × ideale Zeit)</translation>
    </message>
    <message>
        <source>Span rate</source>
        <translation>Spannenanteil</translation>
    </message>
    <message>
        <source>The zero-bubble paper&apos;s rate: idle of the longest span of a device ÷ that span</source>
        <translation>Der Anteil der Zero-Bubble-Arbeit: Leerlauf in der längsten Spanne eines Geräts ÷ diese Spanne</translation>
    </message>
    <message>
        <source>Closed form</source>
        <translation>Formel</translation>
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
        <source>Idle, device 0</source>
        <translation>Leerlauf, Gerät 0</translation>
    </message>
    <message>
        <source>Idle time of device 0 in this run</source>
        <translation>Leerlauf von Gerät 0 in diesem Lauf</translation>
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
        <source>Peak, closed form</source>
        <translation>Spitze, Formel</translation>
    </message>
    <message>
        <source>Peak activations that the paper&apos;s formula gives</source>
        <translation>Spitze der Aktivierungen nach der Formel der Arbeit</translation>
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
        <source>%1 idle %2
%3: %4</source>
        <translation>%1 Leerlauf %2
%3: %4</translation>
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
        <translation>Theorie und Messung</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::BubbleChart</name>
    <message>
        <source>Where each device&apos;s time goes</source>
        <translation>Wohin die Zeit jedes Geräts geht</translation>
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
        <source>W/S zoom · A/D pan · F fit · , . along a lane · ? keys</source>
        <translation>W/S zoomen · A/D verschieben · F einpassen · , . die Spur entlang · ? Tasten</translation>
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
        <translation>Ö&amp;ffnen …</translation>
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
        <translation>H&amp;erauszoomen</translation>
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
        <translation>&amp;Farben des Systems</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
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
        <source>Keys</source>
        <translation>Tasten</translation>
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
        <translation>&amp;Ungespeichertes wiederherstellen</translation>
    </message>
    <message>
        <source>&amp;Print …</source>
        <translation>&amp;Drucken …</translation>
    </message>
    <message>
        <source>Print to P&amp;DF …</source>
        <translation>In PDF drucken …</translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation>Fenster s&amp;chließen</translation>
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
    <name>bubblescope::viz::PanelTabs</name>
    <message>
        <source>Charts and tables</source>
        <translation>Diagramme und Tabellen</translation>
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
        <source>Layers of each stage: %1. %2</source>
        <translation>Schichten jeder Stufe: %1. %2</translation>
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
        <source>drag a boundary · %1 · double-click to balance</source>
        <translation>Grenze ziehen · %1 · Doppelklick gleicht aus</translation>
    </message>
    <message>
        <source>give the model layers to divide them among the stages</source>
        <translation>geben Sie dem Modell Schichten, um sie auf die Stufen zu verteilen</translation>
    </message>
    <message>
        <source>one stage has all layers</source>
        <translation>eine Stufe hat alle Schichten</translation>
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
    <name>bubblescope::viz::TheoryPanel</name>
    <message>
        <source>Theory against measurement</source>
        <translation>Theorie gegen Messung</translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::TimelineView</name>
    <message>
        <source>Timeline %1</source>
        <translation>Zeitachse %1</translation>
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
</context>
</TS>
