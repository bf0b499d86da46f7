// How far the day's work is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Day, dayBegan } from "../../../web/day.js";

test("a day counts what was decided, and the last hour of it", () => {
  const day = new Day(), now = 100 * 3600 * 1000, minute = 60 * 1000;
  assert.equal(day.text(now), "");
  day.add(2, now - minute);           // before the server has told of the rest
  day.begin([now - 120 * minute, now - 30 * minute], false);
  assert.equal(day.text(now), "Decided today: 4; within the hour: 3");
  day.add(-2, now);
  assert.equal(day.text(now), "Decided today: 2; within the hour: 1");
  assert.equal(day.text(now + 40 * minute), "Decided today: 2; within the hour: 0");
  assert.equal(day.text(now, 1300), "Decided today: 2; within the hour: 1; left: 1,300, at this pace 1,300 hours");
  assert.equal(day.text(now, 0), "Decided today: 2; within the hour: 1");
  assert.equal(day.text(now + 40 * minute, 7), "Decided today: 2; within the hour: 0; left: 7");
});

test("a day begins at midnight of who looks", () => {
  const began = dayBegan(new Date(2026, 10, 23, 17, 5));
  assert.deepEqual([began.getDate(), began.getHours(), began.getMinutes()], [23, 0, 0]);
});
