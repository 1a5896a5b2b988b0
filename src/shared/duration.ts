const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** The seconds of a duration as people write it, such as 60, 60s, 10m or 2h; `undefined` for anything else. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const [, number, unit = ""] = /^([\d.]+)(ms|s|m|h)$/.exec(String(value)) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1);
}

const SHOWN_UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
];

/** A length of time as people say it: `4 min`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [length, unit] = SHOWN_UNITS.find(([least]) => seconds >= least) ?? [1, "s"];
  return `${Math.floor(seconds / length)} ${unit}`;
}
