/** What the commands of a sed script touch and run. */
export interface SedScript {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Texts that `e text` gives to a shell, also without the backslashes that some versions take out. */
  readonly commands: readonly string[];
  /** `e`, or the flag `e` of `s`: it runs what it reads. */
  readonly runsInput: boolean;
}

/** Reads a script of sed, command by command. What it does not understand ends the reading. */
export function readSedScript(script: string): SedScript {
  const reads: string[] = [];
  const writes: string[] = [];
  const commands: string[] = [];
  let runsInput = false;
  let at = 0;

  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(script)?.[0] ?? "";
    at += found.length;
    return found;
  };
  const restOfLine = (): string => skip(/[^\n]*/y).trim();
  /** Everything up to the next delimiter that is not escaped and, in a pattern, not inside brackets. */
  const until = (delimiter: string): void => {
    for (let inBrackets = false; at < script.length; at += 1) {
      const char = script[at];
      if (char === "\\") at += 1;
      else if (char === "[") inBrackets = true;
      else if (char === "]") inBrackets = false;
      else if (char === delimiter && (!inBrackets || script.indexOf("]", at) === -1)) break;
    }
    at += 1;
  };
  const address = (): void => {
    skip(/\s*/y);
    if (script[at] === "/" || script[at] === "\\") {
      const delimiter = script[at] === "/" ? "/" : (script[at + 1] ?? "/");
      at += script[at] === "/" ? 1 : 2;
      until(delimiter);
      skip(/[IM]*/y);
    } else skip(/(?:\d+(?:~\d+)?|\$|[+~]\d+)/y);
    skip(/\s*/y);
  };

  while (at < script.length) {
    skip(/[\s;{}]*/y);
    address();
    if (script[at] === ",") {
      at += 1;
      address();
    }
    skip(/[\s!]*/y);
    const command = script[at] ?? "";
    at += 1;
    if (command === "s" || command === "y") {
      const delimiter = script[at] ?? "/";
      at += 1;
      until(delimiter);
      until(delimiter);
      const flags = skip(/[gpiImMe\d]*/y);
      if (flags.includes("e")) runsInput = true;
      if (script[at] === "w") {
        at += 1;
        writes.push(restOfLine());
      }
    } else if (/[rR]/.test(command)) reads.push(restOfLine());
    else if (/[wW]/.test(command)) writes.push(restOfLine());
    else if (command === "e") {
      const text = restOfLine();
      if (text === "" || /^[;}]/.test(text)) runsInput = true;
      else commands.push(text, ...(text.includes("\\") ? [text.replaceAll(/\\(.)/g, "$1")] : []));
    } else if (/[aic]/.test(command)) restOfLine();
    else if (/[btT:]/.test(command)) skip(/[^\n;}]*/y);
    else if (!/[dDgGhHlnNpPqQxzF=#{}]/.test(command)) break;
    else if (command === "#") restOfLine();
    else skip(/[^\S\n]*\d*/y);
  }
  return { reads, writes, commands, runsInput };
}
