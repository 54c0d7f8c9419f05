-- Which version of its stage's weights a task computed with. Asynchronous schedules only: elsewhere it is the step.

ALTER TABLE span ADD COLUMN version INTEGER;

DROP VIEW span_text;

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
    span.task >> 34 & 0xffff AS part,
    span.version AS weight_version
FROM span
JOIN lane ON lane.run = span.run AND lane.lane = span.lane
LEFT JOIN string ON string.id = span.name;
