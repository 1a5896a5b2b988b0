/** This program with other arguments, for `spawn`. */
export function ownProgram(...args: readonly string[]): {
  readonly file: string;
  readonly args: readonly string[];
} {
  const [, script = ""] = process.argv;
  return { file: process.execPath, args: [script, ...args] };
}
