<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en_GB">
<context>
    <name>Charts</name>
    <message>
        <source>%1 · %2 · where each device&apos;s time goes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 · live activations</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>zoom in and out at the pointer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom at the pointer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fit the selection; once more: everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>select a range of time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom to a range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>explain a task or idle time; zoom to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>previous and next on the lane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device above and below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clear the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the partition bar: choose a boundary, move it, balance</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>as the system</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Print</name>
    <message>
        <source>There is nothing to print: show a run first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The printer or its file can&apos;t be written. Choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The printer stopped after the first page.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunLoader</name>
    <message>
        <source>The run says nothing about its experiment, so its idle time isn&apos;t explained.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunView</name>
    <message>
        <source> · step %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Theory</name>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the number may be trusted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Earliest start to latest end of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle ÷ total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubble rate: idle ÷ (devices × makespan)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle ÷ ideal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Megatron&apos;s bubble time fraction: idle ÷ (devices × ideal time)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Span rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The zero-bubble paper&apos;s rate: idle of the longest span of a device ÷ that span</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closed form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle time of one device that the paper&apos;s formula gives, for equal stages and free transfers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle, device 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle time of device 0 in this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most live activations of a device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak, closed form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak activations that the paper&apos;s formula gives</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz</name>
    <message>
        <source>the result of %1, on its way from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, which all members do together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a copy: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data from outside for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing: its inputs were there, the worker had not begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no (slack %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who is late</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, for %2 of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On critical path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The schedule of this run isn&apos;t known yet, so its idle time can&apos;t be explained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing: it could start at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Together with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processor time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall clock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B / I backward (input)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W weight gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>U update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transfer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vocabulary pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle (bubble)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bubble %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak %1 activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 longer than predicted (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 shorter than predicted (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × faster than %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × slower than %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as fast as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of microbatch %2 on stage %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on stage %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, slice %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, pipe %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, part %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dependency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arrival</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imbalance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>communication</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>synchronisation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory copies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>jitter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unexplained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline fills</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline drains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the order makes it wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data hasn&apos;t arrived from outside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another stage is slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a transfer is on its way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a collective or barrier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a copy to or from the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tasks took longer than usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not explained by the schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 idle %2
%3: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
together with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2, from %3 to %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::BubbleChart</name>
    <message>
        <source>Where each device&apos;s time goes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ms of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 %3 (%4)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Execution</name>
    <message>
        <source>The program %1 is missing, and it is what executes. Install or build it beside this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: free some space there and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: step %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled. What was executed until then is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The executing program ended unexpectedly. What it had written is kept; `bubblescope doctor` checks this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The execution failed. Run `%1 run` in a terminal to see more.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::ExperimentForm</name>
    <message>
        <source>Schedule %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks of schedule %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change microbatches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Microbatches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of the model. None: every stage costs what is given below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost of the embedding, in layers; it lies on the first stage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change the embedding&apos;s cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost of the LM head, in layers; it lies on the last stage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change the head&apos;s cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices and costs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Milliseconds of a task on a mean stage: F=1,B=2, or F=1,I=1,W=1 for a backward in two parts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change costs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency of a hop between two devices, in milliseconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change the link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hop, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latency: a message arrives a constant time later. link: it occupies the link. blocking: it occupies both devices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Inspector</name>
    <message>
        <source>Inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click idle time to see what it waits for, or a task to see what it does.

From the keyboard: Tab to a timeline, then , and . go along a lane.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::MainWindow</name>
    <message>
        <source>An execution is running. Cancel it first, or wait until it ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save this experiment first?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has no file yet; its runs are lost when it is closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubblescope documents (*.bscope);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubblescope documents (*.bscope)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures (*.png *.svg *.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the predictions of A and B as runs of the document (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▶  Execute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Really run the schedules and put the measurement beside the prediction (Ctrl+E)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU · real model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paced · modelled times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to show or hide a run; right-click to make it A or B.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubbles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theory vs. measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W/S zoom · A/D pan · F fit · , . along a lane · ? keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>move a boundary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>balance the partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule %1 can&apos;t be executed: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These values can&apos;t be built.

The form at the left says beside the field what would be right. Ctrl+Z takes the last change back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicting …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to show yet.

Choose schedules at the left, or open a document with Ctrl+O, or drop a .bscope file here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not saved yet: Ctrl+S</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bubble = idle ÷ (devices × makespan)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show or hide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;as …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export picture …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing opened yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Simulate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Execute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Balance the partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Critical path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Communication and copy &amp;lanes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Bubblescope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Bubblescope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;h3&gt;Bubblescope %1&lt;/h3&gt;&lt;p&gt;Shows where the time and the memory of pipeline-parallel training go.&lt;/p&gt;&lt;p&gt;The project is licensed under the Apache License 2.0. This program, bubblescope-ui, links QCustomPlot (GPL-3.0-or-later) and Qt, so this binary is distributed under the &lt;a href=&apos;https://www.gnu.org/licenses/gpl-3.0.html&apos;&gt;GNU General Public License, version 3 or later&lt;/a&gt;, without any warranty. The command line links neither.&lt;/p&gt;&lt;p&gt;Qt %2 · QCustomPlot %3&lt;/p&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the changes to %1 first?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its file was deleted by another program. Saving writes it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its runs are saved already; what you edited since the last Ctrl+S isn&apos;t.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An execution is writing into the document. Save when it has ended, or cancel it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to recover: all work is saved or open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubblescope ended unexpectedly while this wasn&apos;t saved: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recover</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print to PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF files (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New windows speak the language you chose; this one keeps its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recover &amp;unsaved work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Print …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print to P&amp;DF …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::MemoryChart</name>
    <message>
        <source>Live activations over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak %1 on %2 at %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::MessageBar</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::PanelTabs</name>
    <message>
        <source>Charts and tables</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::PartitionBar</name>
    <message>
        <source>Partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag a boundary to move layers between stages. Double-click balances.
Keyboard: Page Up and Page Down choose a boundary, Left and Right move it, Return balances.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers of each stage: %1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all stages cost the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slowest stage %1: %2 × mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Emb + </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> + head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag a boundary · %1 · double-click to balance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>give the model layers to divide them among the stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one stage has all layers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::RunModel</name>
    <message>
        <source>bubble %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 spans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follows the form and the partition bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicting …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not possible: see the form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>executing …</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open windows keep their language; new ones speak it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scrolls; with Ctrl it zooms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zooms; with Ctrl it scrolls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What isn&apos;t saved yet is kept safe from a crash this often while you edit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU · real model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paced · modelled times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Habits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep edits safe every</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New executions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::TheoryPanel</name>
    <message>
        <source>Theory against measurement</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::TimelineView</name>
    <message>
        <source>Timeline %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>bubblescope::viz::Workbench</name>
    <message>
        <source>untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading run %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edits can&apos;t be kept safe from a crash: %1 Save often, with Ctrl+S.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saving %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another Bubblescope has recovered it already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last edits can&apos;t be recovered: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not there any more; its edits are here as a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>storing predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was changed by another program. What is shown is its content now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was deleted or moved by another program. Nothing is lost yet: Ctrl+S writes it again, Ctrl+Shift+S under another name.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
