import { dayOf } from "../../../shared/day-of.ts";
import { ageText } from "../../../terminal/age.ts";

export { harmless, harmlessLine, harmlessName, quoted } from "../../../shared/harmless.ts";
export { columns, cut, cutWords, fitted, hanging, padded, wrapped } from "../../../terminal/layout.ts";
export { bold, cyan, dim, green, red, yellow } from "../../../terminal/paint.ts";
export { counted, shortPath } from "../../../terminal/words.ts";

/** How much of a rule is shown: those of packs may have hundreds of forms. */
export const MOST_OF_RULE = 120;

export function milliseconds(value: number): string {
  return value >= 100 ? `${Math.round(value)} ms` : `${value.toFixed(value >= 10 ? 0 : 1)} ms`;
}

/** `14:05`, where the user is. */
export function timeOfDay(time: string): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const DAY_MILLISECONDS = 86_400_000;

/** `Today`, `Yesterday`, `Mon 2026-03-09`, where the user is. */
export function dayName(time: string, now = Date.now()): string {
  const date = dayOf(time);
  if (date === dayOf(now)) return "Today";
  if (date === dayOf(now - DAY_MILLISECONDS)) return "Yesterday";
  return `${DAYS[new Date(time).getDay()] ?? ""} ${date}`.trim();
}

/** `14:05` of today, `Yesterday 14:05`, `Mon 2026-03-09 14:05`, where the user is. */
export function moment(time: string, now = Date.now()): string {
  const clock = timeOfDay(time);
  return dayOf(time) === dayOf(now) ? clock : `${dayName(time, now)} ${clock}`;
}

/** How long ago a time was, in its largest unit: `3 h ago`. */
export function ago(time: string, now = Date.now()): string {
  return `${ageText(time, now)} ago`;
}
