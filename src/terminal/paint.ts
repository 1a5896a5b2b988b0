const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36, blue: 94 } as const;

/** Amber (`yellow`) waits for a human, red was stopped or has failed, blue works, dim is detail. */
export type Paint = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** Colours are for terminals, unless NO_COLOR or FORCE_COLOR say otherwise. */
export function wantsColours(
  isTerminal: boolean,
  { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv,
): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  return isTerminal && TERM !== "dumb";
}

export function paint(enabled: boolean): Paint {
  const mark = (code: number) => (text: string) =>
    enabled && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    bold: mark(CODES.bold),
    dim: mark(CODES.dim),
    red: mark(CODES.red),
    green: mark(CODES.green),
    yellow: mark(CODES.yellow),
    cyan: mark(CODES.cyan),
    blue: mark(CODES.blue),
  };
}

/** For texts whose colours are taken out where nobody would see them. */
export const COLOURS = paint(true);
export const { bold, dim, red, green, yellow, cyan } = COLOURS;
