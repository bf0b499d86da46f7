// How far the day's work is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Day, dayBegan } from "../../../web/day.js";

test("a day counts what was decided, and the last hour of it", () => {
  const day = new Day(), now = 100 * 3600 * 1000, minute = 60 * 1000;
  assert.equal(day.text(now), "");
  day.add(2, now - minute);           // before the server has told of the rest
  assert.equal(day.text(now), "Decided today: 2; within the hour: 2");
  day.begin({ done: 4, hour: 3 }, false, now - 2 * minute); // and asked before that
  assert.equal(day.text(now), "Decided today: 6; within the hour: 5");
  day.begin({ done: 4, hour: 2 }, false, now);
  assert.equal(day.text(now), "Decided today: 4; within the hour: 2"); // as the server counts
  day.begin({ done: 1, hour: 1 }, false, now);
  day.add(1, now - 30 * minute);
  assert.equal(day.text(now + 40 * minute), "Decided today: 2; within the hour: 1");
  assert.equal(day.text(now, 1300), "Decided today: 2; within the hour: 2; left: 1,300, at this pace 650 hours");
  assert.equal(day.text(now, 2), "Decided today: 2; within the hour: 2; left: 2, at this pace 1 hour");
  assert.equal(day.text(now, 0), "Decided today: 2; within the hour: 2");
  day.begin({ done: 2, hour: 0 }, false, now);
  assert.equal(day.text(now, 7), "Decided today: 2; within the hour: 0; left: 7");
  day.add(-2, now);
  assert.equal(day.text(now), "");
});

test("a day begins at midnight of who looks", () => {
  const began = dayBegan(new Date(2026, 10, 23, 17, 5));
  assert.deepEqual([began.getDate(), began.getHours(), began.getMinutes()], [23, 0, 0]);
});
