import { execFile } from "node:child_process";
import { relative } from "node:path";
import { Inputs } from "../../config/inputs/inputs.ts";
import type { InspectedDefinition } from "../../config/parse/inspect.ts";
import { problemAt } from "../../config/parse/issues.ts";
import type { Problem } from "../../config/parse/problem.ts";
import { handlersOf } from "../../config/schema/definition.ts";
import { filesOfDefinition } from "../../config/trust/named-files.ts";
import { isRecord } from "../../core/base/json.ts";
import { regularText } from "../../node/files/regular-file.ts";

const MOST_BYTES = 1_000_000;
const MOST_MILLISECONDS = 10_000;

/** Syntax errors of shell lines and shell scripts, found by the shell itself, which does not run them (`-n`). */
export async function shellProblems(
  { definition, path, parsed, root }: InspectedDefinition,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [part, at] of handlersOf(definition, path)) {
    if (part.type !== "command") continue;
    const { command, args } = part;
    const add = (key: string, text: string): void => {
      problems.push(problemAt(parsed, [...at, key], `Hook ${JSON.stringify(definition.name)}: ${text}`));
    };
    if (typeof command === "string" && args === undefined) {
      const wrong = await syntaxError("/bin/sh", ["-c", command], signal);
      if (wrong !== undefined) add("command", `the shell can't read the command: ${wrong}`);
    }
    const key = typeof part.script === "string" ? "script" : "command";
    for (const file of filesOfDefinition(part, { root, inputs: new Inputs() })) {
      const script = relative(root, file);
      const text = regularText(file, MOST_BYTES);
      const shell = text === undefined ? undefined : shellOf(script, text);
      if (text === undefined || shell === undefined) continue;
      if (/\r\n/.test(text))
        add(
          key,
          `${script} has Windows line ends (CRLF), which the shell takes for parts of its commands. Save it with LF.`,
        );
      else {
        const wrong = await syntaxError(shell, [file], signal);
        if (wrong !== undefined) add(key, `the shell can't read ${script}: ${wrong}`);
      }
    }
  }
  return problems;
}

/** The shell that runs a script; `undefined` when something else does. */
function shellOf(name: string, text: string): string | undefined {
  const first = /^#!\s*(?:\S*\/env\s+)?(?:\S*\/)?([\w.-]+)/.exec(text)?.[1];
  if (first === undefined) return name.endsWith(".sh") ? "/bin/sh" : undefined;
  return ["sh", "bash", "dash", "ksh", "zsh"].includes(first) ? first : undefined;
}

/** What the shell says about a text that it can't read; `undefined` also when there is no such shell. */
function syntaxError(
  shell: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolved) => {
    const options = { timeout: MOST_MILLISECONDS, signal, env: { PATH: process.env.PATH, LC_ALL: "C" } };
    execFile(shell, ["-n", ...args], options, (error, _, stderr) => {
      const isMissing = isRecord(error) && error.code === "ENOENT";
      const [line = ""] = stderr.trim().split("\n");
      resolved(error === null || isMissing || line === "" ? undefined : line);
    }).stdin?.end();
  });
}
