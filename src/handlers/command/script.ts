import { closeSync, openSync, readSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { HookFailureError } from "../../core/hook-failure-error.ts";
import { findProgram, isFile } from "../../node/process/find-program.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A program to start, without a shell. */
export interface Argv {
  readonly file: string;
  readonly args: readonly string[];
}

const STRIP_TYPES = "--experimental-strip-types";

/** Node itself where it runs TypeScript; before version 22.6 it does not. */
const NODE_FOR_TYPESCRIPT: readonly Argv[] = process.allowedNodeEnvironmentFlags.has(STRIP_TYPES)
  ? [{ file: process.execPath, args: [STRIP_TYPES, "--disable-warning=ExperimentalWarning"] }]
  : [];

const NODE: readonly Argv[] = [{ file: process.execPath, args: [] }];
const TYPESCRIPT: readonly Argv[] = [
  ...NODE_FOR_TYPESCRIPT,
  { file: "tsx", args: [] },
  { file: "bun", args: ["run"] },
];

/** What runs a script that does not say so in its first line, by suffix; the first that is there. */
const INTERPRETERS: Readonly<Record<string, readonly Argv[]>> = {
  ".sh": [{ file: "/bin/sh", args: [] }],
  ".py": [
    { file: "python3", args: [] },
    { file: "python", args: [] },
  ],
  ".js": NODE,
  ".mjs": NODE,
  ".cjs": NODE,
  ".ts": TYPESCRIPT,
  ".mts": TYPESCRIPT,
  ".ps1": [
    { file: "pwsh", args: ["-NoProfile", "-NonInteractive", "-File"] },
    { file: "powershell", args: ["-NoProfile", "-NonInteractive", "-File"] },
  ],
};

/**
 * How a script is run: as its first line says (`#!/usr/bin/env python3`), executable or not, else by its suffix. Reads
 * the file anew each time, so that a script can be changed while hooks are in force.
 *
 * @throws HookFailureError `missing` when the script, or what runs it, is not there.
 */
export function scriptCall(
  script: string,
  args: readonly string[],
  root: string,
  variables: Variables,
): Argv {
  const path = resolve(root, script);
  const first = firstLine(path);
  const own = /^#!\s*(\S+)[ \t]*(.*?)\s*$/.exec(first);
  if (own !== null) {
    const [, file = "", argument = ""] = own;
    return { file, args: [...(argument === "" ? [] : [argument]), path, ...args] };
  }
  const suffix = extname(path).toLowerCase();
  const interpreters = INTERPRETERS[suffix];
  if (interpreters === undefined) {
    throw new HookFailureError(
      "missing",
      `Nothing says how to run ${path}: its name must end in ${Object.keys(INTERPRETERS).join(", ")}, or its first line be #! and a program.`,
    );
  }
  for (const interpreter of interpreters) {
    const file = findProgram(interpreter.file, root, withLocalPrograms(variables, root));
    if (file !== undefined) return { file, args: [...interpreter.args, path, ...args] };
  }
  const names = interpreters.map(({ file }) => file).join(", ");
  throw new HookFailureError("missing", `There is no program for ${suffix} files; looked for ${names}.`);
}

/** Programs that the project installed count too. */
function withLocalPrograms(variables: Variables, root: string): Variables {
  return {
    PATH: `${join(root, "node_modules", ".bin")}:${variables.PATH ?? "/usr/local/bin:/usr/bin:/bin"}`,
  };
}

/** As long as the system reads. */
const LONGEST_FIRST_LINE = 256;

function firstLine(path: string): string {
  if (!isFile(path)) throw new HookFailureError("missing", `There is no script ${path}.`);
  const buffer = Buffer.alloc(LONGEST_FIRST_LINE);
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (cause) {
    throw new HookFailureError("missing", `The script ${path} can't be read: check its permissions.`, {
      cause,
    });
  }
  try {
    const length = readSync(descriptor, buffer, 0, LONGEST_FIRST_LINE, 0);
    return buffer.toString("utf8", 0, length).split("\n", 1)[0] ?? "";
  } finally {
    closeSync(descriptor);
  }
}
