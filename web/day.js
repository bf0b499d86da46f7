// How far the day's work is: what was decided today and within the last hour.

import { t } from "./texts.js";

const HOUR = 3600 * 1000;

export class Day {
  #known = { done: 0, hour: 0 };    // as the server says
  #here = [];                       // decided on this page since it was asked: { n, at }

  /** @param known  { done, hour } of the user @param more  was there more than could be counted? @param asked  when */
  begin({ done, hour }, more, asked) {
    this.#known = { done, hour };
    this.#here = this.#here.filter(({ at }) => at > asked);
    this.more = more;
  }

  /** Decided now; below 0: undone. */
  add(n, now) {
    this.#here.push({ n, at: now });
  }

  /** @param left  how many wait still @returns "" where nothing was decided yet */
  text(now, left) {
    const here = since => this.#here.reduce((sum, { n, at }) => sum + (at > since ? n : 0), 0);
    const done = this.#known.done + here(-Infinity), hour = Math.max(0, this.#known.hour + here(now - HOUR));
    if (done <= 0) return "";
    const soFar = t(this.more ? "Decided today: {n} and more; within the hour: {hour}" : "Decided today: {n}; within the hour: {hour}",
      { n: done, hour });
    if (!left) return soFar;
    const rest = hour > 0 ? t("; left: {left}, at this pace {n} hour|; left: {left}, at this pace {n} hours",
      { left, n: Math.max(1, Math.round(left / hour)) })
      : t("; left: {left}", { left });
    return soFar + rest;
  }
}

/** The beginning of the user's day. */
export function dayBegan(now) {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day;
}
