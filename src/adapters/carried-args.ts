/** The options of an agent that a session is continued with, when it was started with them. */
export interface CarriedOptions {
  /** Those with a value: `--model opus` or `--model=opus`. */
  readonly values: readonly string[];
  /** Those without. */
  readonly flags: readonly string[];
  /** Values that only belong to one run, such as the hooks that `tenterhook run` adds. */
  readonly except?: RegExp;
}

const REDACTED = "[redacted]";

/** The arguments of an earlier run that the next one needs: its model, its permissions, its settings. */
export function carriedArgs(
  args: readonly string[],
  { values, flags, except }: CarriedOptions,
): readonly string[] {
  const carried: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--") break;
    const [name = "", inline] = splitOnce(word);
    if (flags.includes(word)) carried.push(word);
    if (!values.includes(name)) continue;
    const value = inline ?? args[at + 1];
    if (inline === undefined) at += 1;
    if (value === undefined || value.includes(REDACTED) || except?.test(value) === true) continue;
    carried.push(...(inline === undefined ? [name, value] : [word]));
  }
  return carried;
}

/** `--model=opus` in two; a single letter has its value in the next word. */
function splitOnce(word: string): readonly [name: string, value?: string] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
