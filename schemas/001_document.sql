-- The document as it was first. Applied in one transaction together with application_id and user_version.
--
--     experiment ◄── run ◄── lane ◄── span ── measurement
--                     ▲ ◄── device              (what an executed span really took)
--                     ├──── counter
--                     ├──── link                (a message, or another flow)
--                     └──── note
--
-- Times are nanoseconds from the run's begin, sizes bytes. Texts that say JSON hold one JSON value.
-- Names of what isn't a task (kernels, counters) stand once in `string`.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE string (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
);

CREATE TABLE experiment (
    id INTEGER PRIMARY KEY,
    json TEXT NOT NULL UNIQUE
);

-- AUTOINCREMENT: the number of a deleted run is never given to another one, so FILE:2 keeps its meaning.
CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    label INTEGER NOT NULL,            -- 0 predicted, 1 measured, 2 replayed, 3 emulated, 4 recorded, 5 imported
    state INTEGER NOT NULL,            -- 0 recording, 1 complete, 2 cancelled, 3 failed, 4 interrupted
    sentence TEXT NOT NULL DEFAULT '', -- why it ended like this
    title TEXT NOT NULL,
    recipe TEXT NOT NULL,
    experiment INTEGER,                -- experiment.id
    parent INTEGER,                    -- run.id of the prediction that a measured run belongs to
    summary TEXT NOT NULL DEFAULT '',  -- JSON, so that lists need not read the spans
    losses TEXT NOT NULL DEFAULT '',   -- JSON
    verify TEXT NOT NULL DEFAULT '',   -- JSON
    provenance TEXT NOT NULL,          -- JSON: cores, workers, BLAS, calibration
    program_version TEXT NOT NULL,
    host TEXT NOT NULL,
    created_ms INTEGER NOT NULL,       -- Unix time
    spans INTEGER NOT NULL DEFAULT 0,
    begin_ns INTEGER NOT NULL DEFAULT 0,
    end_ns INTEGER NOT NULL DEFAULT 0
);

-- Apart from the run, whose row is written at every flush: the tasks of each lane as text, a zstd frame.
CREATE TABLE run_orders (
    run INTEGER PRIMARY KEY,
    orders BLOB NOT NULL
);

CREATE TABLE device (
    run INTEGER NOT NULL,
    device INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (run, device)
) WITHOUT ROWID;

CREATE TABLE lane (
    run INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    device INTEGER NOT NULL,
    kind INTEGER NOT NULL,             -- 0 compute, 1 send, 2 receive, 3 collective, 4 copy-in, 5 copy-out, 6 host
    number INTEGER NOT NULL,           -- communicator of a collective lane, loader of a copy-in lane
    spans INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, lane)
) WITHOUT ROWID;

-- The truth. Few and small columns, for there are millions: a row takes 27 bytes, 31 with what the tree leaves empty.
CREATE TABLE span (
    run INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    start INTEGER NOT NULL,
    seq INTEGER NOT NULL,              -- tells apart spans of a lane that start together, in lane order
    duration INTEGER NOT NULL,
    task INTEGER,                      -- work | flags << 6 | pipe << 10 | slice << 18 | part << 34; NULL where it is no task
    stage INTEGER,
    microbatch INTEGER,
    name INTEGER,                      -- string.id of what is no task
    PRIMARY KEY (run, lane, start, seq)
) WITHOUT ROWID;

-- Beside executed spans only, so that predictions don't pay for it.
CREATE TABLE measurement (
    run INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    start INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    ready INTEGER NOT NULL,            -- wall clock: asked for its inputs
    wall_start INTEGER NOT NULL,
    wall_end INTEGER NOT NULL,
    cpu INTEGER NOT NULL,              -- CPU time between the two
    PRIMARY KEY (run, lane, start, seq)
) WITHOUT ROWID;

CREATE TABLE counter (
    run INTEGER NOT NULL,
    name INTEGER NOT NULL,             -- string.id
    device INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    time INTEGER NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (run, name, device, seq)
) WITHOUT ROWID;

CREATE TABLE link (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    from_device INTEGER NOT NULL,
    to_device INTEGER NOT NULL,
    task INTEGER NOT NULL,             -- what made the message, as in span
    stage INTEGER NOT NULL,
    microbatch INTEGER NOT NULL,
    sent INTEGER NOT NULL,
    arrived INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run, seq)
) WITHOUT ROWID;

CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    run INTEGER,
    device INTEGER,
    start_ns INTEGER NOT NULL,
    end_ns INTEGER NOT NULL,
    text TEXT NOT NULL,
    created_ms INTEGER NOT NULL
);

-- For people with an SQLite shell.
CREATE VIEW span_text AS
SELECT
    span.run,
    lane.device,
    CASE lane.kind WHEN 0 THEN 'compute' WHEN 1 THEN 'send' WHEN 2 THEN 'receive' WHEN 3 THEN 'collective'
        WHEN 4 THEN 'copy-in' WHEN 5 THEN 'copy-out' ELSE 'host' END AS lane,
    lane.number,
    span.start AS start_ns,
    span.start + span.duration AS end_ns,
    coalesce(string.text, substr('FBIWRUsrohlpgcabyxedvtkqz', (span.task & 63) + 1, 1)) AS work,
    span.stage,
    span.microbatch,
    span.task >> 18 & 0xffff AS slice,
    span.task >> 10 & 0xff AS pipe,
    span.task >> 34 & 0xffff AS part
FROM span
JOIN lane ON lane.run = span.run AND lane.lane = span.lane
LEFT JOIN string ON string.id = span.name;
