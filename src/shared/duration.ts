const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** The seconds of a duration as people write it, such as 60, 60s, 10m or 2h; `undefined` for anything else. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const [, number, unit = ""] = /^([\d.]+)(ms|s|m|h)$/.exec(String(value)) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1);
}
