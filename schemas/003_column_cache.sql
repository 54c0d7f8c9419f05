-- Columns of large runs beside their rows: derived, droppable, read by nobody but the program. The rows stay the truth.

-- What the cache was made from; empty: there is none. A cache whose stamp isn't that of the rows is ignored.
ALTER TABLE run ADD COLUMN cache_stamp TEXT NOT NULL DEFAULT '';

CREATE TABLE chunk (
    run INTEGER NOT NULL,
    preview INTEGER NOT NULL,          -- 1: a few spans that look like all of them
    lane INTEGER NOT NULL,
    part INTEGER NOT NULL,             -- sub-lane of what overlaps; -1 spans without length; -2 when the lane is busy
    seq INTEGER NOT NULL,
    data BLOB NOT NULL,                -- at most 65,536 spans, a head and a zstd frame
    PRIMARY KEY (run, preview, lane, part, seq)
);

CREATE TABLE chunk_list (
    run INTEGER PRIMARY KEY,
    list TEXT NOT NULL                 -- JSON: names, begin and end, lanes, number of chunks
);

-- Rows that somebody edits by hand make the cache of their run stale.
CREATE TRIGGER span_edited AFTER UPDATE ON span WHEN (SELECT cache_stamp FROM run WHERE id = NEW.run) <> '' BEGIN
    UPDATE run SET cache_stamp = '' WHERE id = NEW.run;
END;
