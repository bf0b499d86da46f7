// How far the day's work is: what was decided today and within the last hour.

import { t } from "./texts.js";

const HOUR = 3600 * 1000;

export class Day {
  #times = [];                      // of decisions, ascending: ms

  /** @param more  were there more than could be asked for? */
  begin(times, more) {
    this.#times = [...times, ...this.#times].sort((a, b) => a - b);
    this.more = more;
  }

  /** Decided now; below 0: the last were taken back. */
  add(n, now) {
    if (n < 0) this.#times.splice(n);
    for (let i = 0; i < n; i++) this.#times.push(now);
  }

  /** @param left  how many wait still @returns "" where nothing was decided yet */
  text(now, left) {
    const { length } = this.#times, hour = this.#times.filter(time => time > now - HOUR).length;
    if (length === 0) return "";
    const done = t(this.more ? "Decided today: {n} and more; within the hour: {hour}" : "Decided today: {n}; within the hour: {hour}",
      { n: length, hour });
    if (!left) return done;
    const rest = hour > 0 ? t("; left: {left}, at this pace {hours} hours", { left, hours: Math.max(1, Math.round(left / hour)) })
      : t("; left: {left}", { left });
    return done + rest;
  }
}

/** The day of who looks, as it began. */
export function dayBegan(now) {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day;
}
