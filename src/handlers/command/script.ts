import { extname, resolve } from "node:path";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { readBytes, withRegularFile } from "../../node/files/regular-file.ts";
import { findProgram, isFile } from "../../node/process/find-program.ts";
import { LOADER, type LoaderData, MARK } from "../module-loader.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface Argv {
  readonly file: string;
  readonly args: readonly string[];
}

interface Interpreter {
  readonly file: string;
  readonly flags?: () => readonly string[];
}

const NODE: readonly Interpreter[] = [{ file: process.execPath }];
const TYPESCRIPT: readonly Interpreter[] = [{ file: process.execPath, flags: typescriptFlags }];
const POWERSHELL = () => ["-NoProfile", "-NonInteractive", "-File"];

/** What runs a script without a #! line, by suffix; the first that exists. */
const INTERPRETERS: Readonly<Record<string, readonly Interpreter[]>> = {
  ".sh": [{ file: "/bin/sh" }],
  ".py": [{ file: "python3" }, { file: "python" }],
  ".js": NODE,
  ".mjs": NODE,
  ".cjs": NODE,
  ".ts": TYPESCRIPT,
  ".mts": TYPESCRIPT,
  ".ps1": [
    { file: "pwsh", flags: POWERSHELL },
    { file: "powershell", flags: POWERSHELL },
  ],
};

/**
 * How a script is run: as its first line says (`#!/usr/bin/env python3`), executable or not, else by its suffix. Reads
 * the file again each time, so that a script can be changed while hooks are in force.
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
    const file = findProgram(interpreter.file, root, variables);
    if (file !== undefined) return { file, args: [...(interpreter.flags?.() ?? []), path, ...args] };
  }
  const names = interpreters.map(({ file }) => file).join(", ");
  throw new HookFailureError("missing", `There is no program for ${suffix} files; looked for ${names}.`);
}

const LONGEST_FIRST_LINE = 256;

function firstLine(path: string): string {
  if (!isFile(path)) throw new HookFailureError("missing", `There is no script ${path}.`);
  try {
    return withRegularFile(path, Number.POSITIVE_INFINITY, (descriptor) => {
      const [line = ""] = readBytes(descriptor, LONGEST_FIRST_LINE).toString("utf8").split("\n", 1);
      return line;
    });
  } catch (cause) {
    throw new HookFailureError("missing", `The script ${path} can't be read: check its permissions.`, {
      cause,
    });
  }
}

/** Node 22.6 and later. */
const STRIP_TYPES = "--experimental-strip-types";

/** Marks the main file, so that the module loader strips its types. */
const ENTRY = `
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (context.parentURL !== undefined || !/\\.[mc]?ts$/.test(found.url)) return found;
  return { ...found, format: "module", url: found.url + "?${MARK}=1" };
}`;

let flags: readonly string[] | undefined;

/** The flags that let Node run a TypeScript file: its own flag, or our module loader. */
function typescriptFlags(): readonly string[] {
  flags ??= process.allowedNodeEnvironmentFlags.has(STRIP_TYPES)
    ? [STRIP_TYPES, "--disable-warning=ExperimentalWarning"]
    : ["--import", address(registering())];
  return flags;
}

function registering(): string {
  const data: LoaderData = { own: import.meta.url };
  return `import { register } from "node:module";
register(${JSON.stringify(address(LOADER))}, { data: ${JSON.stringify(data)} });
register(${JSON.stringify(address(ENTRY))});`;
}

function address(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
