import { durationText } from "../shared/duration.ts";

export { durationText } from "../shared/duration.ts";

/** How long something has lasted, in its largest unit: `4 min`. */
export function ageText(since: string, now: number): string {
  return durationText(now - Date.parse(since));
}

/** `9:41`, for what counts down. */
export function countdownText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** `10:06:12`, where the user is. */
export function clockText(now: number): string {
  const date = new Date(now);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
