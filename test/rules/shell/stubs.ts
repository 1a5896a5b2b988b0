import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HELPERS, VICTIMS } from "./generated-lines.ts";

/** A call that really happened: a program and its arguments. */
export type Call = readonly [name: string, ...args: string[]];

/** Runs lines where `PATH` leads to nothing but programs that log how they were called. */
export function stubbedShell(folder: string): (line: string) => readonly Call[] {
  const bin = join(folder, "bin");
  const home = join(folder, "home");
  const log = join(folder, "log");
  mkdirSync(bin);
  for (const name of VICTIMS) writeStub(join(bin, name), `${logs(name, log)}`);
  for (const name of HELPERS) writeStub(join(bin, name), `${logs(name, log)}\nexec ${realPath(name)} "$@"`);
  return (line) => {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home);
    writeFileSync(log, "");
    const { signal } = spawnSync(realPath("bash"), ["--norc", "--noprofile", "-c", line], {
      cwd: home,
      env: { PATH: bin, HOME: home },
      stdio: ["ignore", "ignore", "ignore"],
      timeout: 60_000,
      killSignal: "SIGKILL",
    });
    if (signal !== null) throw new Error(`${line} did not end by itself.`);
    return readCalls(readFileSync(log, "utf8"));
  };
}

const END = "end of call";

/** A record is the name and the arguments, each ended by a NUL. It is written at once, since calls may be concurrent. */
function logs(name: string, log: string): string {
  return `printf '%s\\0' ${name} "$@" '${END}' >> '${log}'`;
}

function readCalls(text: string): readonly Call[] {
  return text
    .split(`${END}\0`)
    .filter((record) => record !== "")
    .map((record) => {
      const [name = "", ...args] = record.split("\0").slice(0, -1);
      return [name, ...args];
    });
}

/** The stub's own shell is the system's, named by its path: no stub starts another. */
function writeStub(path: string, script: string): void {
  writeFileSync(path, `#!${realPath("dash")}\n${script}\n`);
  chmodSync(path, 0o755);
}

const known = new Map<string, string>();

function realPath(name: string): string {
  let path = known.get(name);
  if (path === undefined) {
    path =
      spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim() || "/bin/sh";
    known.set(name, path);
  }
  return path;
}
