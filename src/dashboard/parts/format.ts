/** Numbers and times as people read them. */

export function count(number: number): string {
  return number.toLocaleString("en-US");
}

export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

export function tokens(number: number | undefined): string {
  if (number === undefined) return "-";
  if (number < 1000) return String(number);
  if (number < 1_000_000) return `${Math.round(number / 1000)}k`;
  return `${(number / 1_000_000).toFixed(1)}M`;
}

export function dollars(cost: number | undefined): string {
  if (cost === undefined) return "-";
  return cost > 0 && cost < 0.005 ? "<$0.01" : `$${cost.toFixed(2)}`;
}

export function milliseconds(time: number): string {
  if (time < 1) return "<1 ms";
  if (time < 1000) return `${Math.round(time)} ms`;
  return `${(time / 1000).toFixed(time < 10_000 ? 1 : 0)} s`;
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** How long ago: `40 s`, `6 min`, `3 h`, `2 d`. */
export function age(since: string | number, now = Date.now()): string {
  const passed = Math.max(0, now - new Date(since).getTime());
  if (passed < MINUTE) return `${Math.floor(passed / 1000)} s`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min`;
  if (passed < 2 * DAY) return `${Math.floor(passed / HOUR)} h`;
  return `${Math.floor(passed / DAY)} d`;
}

const two = (number: number): string => String(number).padStart(2, "0");

export function clock(time: string | number, seconds = false): string {
  const date = new Date(time);
  return `${two(date.getHours())}:${two(date.getMinutes())}${seconds ? `:${two(date.getSeconds())}` : ""}`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** A time with as much of its day as is needed. */
export function moment(time: string | number, now = Date.now()): string {
  const date = new Date(time);
  if (date.toDateString() === new Date(now).toDateString()) return clock(time);
  if (now - date.getTime() < 6 * DAY) return `${DAYS[date.getDay()]} ${clock(time)}`;
  const month = date.toLocaleDateString("en-US", { month: "short" });
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return `${month} ${date.getDate()}${isThisYear ? "" : ` ${date.getFullYear()}`} ${clock(time)}`;
}

/** A time with all of its day: `18 Nov 2026, 01:20`. */
export function exactMoment(time: string): string {
  const date = new Date(time);
  const day = date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
  return `${day}, ${clock(time)}`;
}

/** The last part of a path. */
export function folder(path: string | undefined): string {
  return path?.split(/[\\/]/).filter(Boolean).at(-1) ?? "";
}
