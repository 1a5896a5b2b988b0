import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { shareCompiledCode } from "../support/shared-code.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { hookHere } from "./support/decided-here.ts";
import { CLI, type CliResult, runCli, startCli, userEnvironment } from "./support/run-cli.ts";

/**
 * Black-box tests of the command line, one file each: files, commands and what they say stand together.
 *
 *     -- path --        the lines that follow become this file; its path starts at the project
 *     $ tenterhook …    runs a command; `< path` gives it a file on stdin
 *     text              a line it must print
 *     ! text            a line it must print on stderr
 *     = 2               its exit code, when that is not 0
 *     == path ==        the lines that follow must be what this file holds
 *     rm path           removes a file
 *     ## text           a remark
 *
 * `[..]` in an expected line stands for anything; a line `...` for any lines. The folder that holds everything is shown
 * as `[FOLDER]`.
 */
export type Step =
  | { readonly kind: "write" | "expect"; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "remark"; readonly line: string }
  | { readonly kind: "run"; readonly command: string; readonly said: readonly string[] };

/** Reads a script. */
export function parseScript(script: string): readonly Step[] {
  const steps: { kind: Step["kind"]; head: string; lines: string[] }[] = [];
  for (const line of script.trimEnd().split("\n")) {
    const kind = kindOf(line);
    if (kind === undefined) steps.at(-1)?.lines.push(line);
    else steps.push({ kind: kind[0], head: kind[1], lines: [] });
  }
  return steps.map(({ kind, head, lines }): Step => {
    const kept = trimmed(lines);
    if (kind === "run") return { kind, command: head, said: kept };
    if (kind === "remove") return { kind, path: head };
    if (kind === "remark") return { kind, line: head };
    return { kind, path: head, lines: kept };
  });
}

function kindOf(line: string): readonly [Step["kind"], string] | undefined {
  const [, written] = /^-- (.+) --$/.exec(line) ?? [];
  if (written !== undefined) return ["write", written];
  const [, expected] = /^== (.+) ==$/.exec(line) ?? [];
  if (expected !== undefined) return ["expect", expected];
  if (line.startsWith("$ ")) return ["run", line.slice(2)];
  if (line.startsWith("rm ")) return ["remove", line.slice(3)];
  return line.startsWith("## ") ? ["remark", line] : undefined;
}

/** What differed, or what a script should say. */
export interface Result {
  readonly expected: readonly string[];
  readonly actual: readonly string[];
}

/** Runs a script in a folder of its own; answers for each step what was expected and what came. */
export async function runScript(steps: readonly Step[]): Promise<readonly Result[]> {
  const folder = temporaryFolder();
  const project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(folder, "home"));
  mkdirSync(join(folder, "bin"));
  // Nothing else of this machine, such as an agent, is to be found.
  for (const [name, program] of Object.entries({ node: process.execPath, sh: "/bin/sh", tenterhook: CLI }))
    symlinkSync(program, join(folder, "bin", name));
  shareCompiledCode(join(folder, "cache"));
  const results: Result[] = [];
  for (const step of steps) {
    const { kind } = step;
    if (kind === "write") {
      const file = join(project, step.path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, step.lines.map((line) => `${line.replaceAll("[FOLDER]", folder)}\n`).join(""));
    } else if (kind === "expect") {
      const actual = trimmed(readFileSync(join(project, step.path), "utf8").split("\n"));
      results.push(compared(step.lines, actual));
    } else if (kind === "remove") {
      rmSync(join(project, step.path));
    } else if (kind === "run") {
      const said = await run(step.command, folder);
      results.push(compared(step.said, said));
    }
  }
  return results;
}

async function run(command: string, folder: string): Promise<readonly string[]> {
  const [line = "", input] = command.split(" < ");
  const cwd = join(folder, "project");
  const [program = "", ...args] = Array.from(
    line.matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  if (program !== "tenterhook") throw new Error(`A script runs tenterhook, not ${program}.`);
  const environment = userEnvironment(folder, { NO_COLOR: "1", PATH: join(folder, "bin") });
  const given = input === undefined ? undefined : readFileSync(join(cwd, input), "utf8");
  const { code, stdout, stderr } = await said(args, { cwd, environment }, given);
  const shown = (text: string): readonly string[] =>
    text.replaceAll(folder, "[FOLDER]").replace(/\n$/, "").split("\n");
  return trimmed([
    ...(stdout === "" ? [] : shown(stdout)),
    ...(stderr === "" ? [] : shown(stderr).map((one) => `! ${one}`.trimEnd())),
    ...(code === 0 ? [] : [`= ${code}`]),
  ]);
}

/** What a command says. All but what reads stdin runs in this process, and so does `hook`, which is given its payload. */
async function said(
  args: readonly string[],
  place: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
  given: string | undefined,
): Promise<CliResult> {
  if (given === undefined) return runCli(place.cwd, place.environment, ...args);
  if (args[0] === "hook") return hookHere(place, given);
  return startCli(place.cwd, place.environment, args, given);
}

/** What came, written the way it was expected where the two fit. */
function compared(expected: readonly string[], actual: readonly string[]): Result {
  return fits(expected, unhurried(actual, expected)) ? { expected, actual: expected } : { expected, actual };
}

/** What came, without what a run says only on a busy machine: how long things took, and which silent hooks were slow. */
function unhurried(actual: readonly string[], expected: readonly string[]): readonly string[] {
  const lines = actual.map(withoutDuration);
  const isSlowHook = (line: string | undefined, at: number): boolean =>
    line !== undefined &&
    /^⚑ Hook\(\w+\) \S+$/.test(line) &&
    !/^ /.test(lines[at + 1] ?? "") &&
    !expected.includes(line);
  return lines.filter(
    (line, at) =>
      !isSlowHook(line, at) && !(line === "" && lines[at + 2] === "" && isSlowHook(lines[at + 1], at + 1)),
  );
}

/** A line of a call or a hook without how long it took, which is shown from one second on. */
export function withoutDuration(line: string): string {
  return line.replace(/^( *[●✗↻⚑] .*?) {2,}\d+ (?:s|min)$/, "$1");
}

function fits([first, ...rest]: readonly string[], actual: readonly string[]): boolean {
  if (first === undefined) return actual.length === 0;
  if (first === "...") return actual.some((_, at) => fits(rest, actual.slice(at))) || rest.length === 0;
  const [line, ...others] = actual;
  return line !== undefined && fitsLine(first, line) && fits(rest, others);
}

function fitsLine(expected: string, actual: string): boolean {
  const [start = "", ...parts] = expected.split("[..]");
  if (parts.length === 0) return expected === actual;
  if (!actual.startsWith(start)) return false;
  let at = start.length;
  for (const [index, part] of parts.entries()) {
    const found =
      index === parts.length - 1 ? Math.max(at, actual.length - part.length) : actual.indexOf(part, at);
    if (found === -1 || !actual.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return true;
}

function trimmed(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => line !== "") + 1;
  return lines.slice(0, end);
}

/** The script with what really came, for whoever has changed what commands say and has looked at it. */
export function updatedScript(steps: readonly Step[], results: readonly Result[]): string {
  const rest = [...results];
  const parts = steps.map((step) => {
    if (step.kind === "remark") return step.line;
    if (step.kind === "remove") return `rm ${step.path}`;
    if (step.kind === "write") return [`-- ${step.path} --`, ...step.lines, ""].join("\n");
    const { expected = [], actual = [] } = rest.shift() ?? {};
    const wild = expected.filter((line) => line.includes("[..]"));
    const lines = actual.map((line) => wild.find((one) => fitsLine(one, line)) ?? line);
    return [step.kind === "run" ? `$ ${step.command}` : `== ${step.path} ==`, ...lines, ""].join("\n");
  });
  return `${parts.join("\n").trimEnd()}\n`;
}
