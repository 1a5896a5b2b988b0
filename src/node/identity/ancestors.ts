import { builtin } from "../builtin.ts";
import { procStat } from "./process-identity.ts";

/** A process among the ancestors of another one. */
export interface Ancestor {
  readonly pid: number;
  /** The name of its program. */
  readonly name: string;
  /** Its command line, as far as the system shows it. */
  readonly words: readonly string[];
  readonly parent: number;
  readonly hasTerminal: boolean;
  /** True for the shell of a terminal, which began the session that its commands belong to. */
  readonly leadsSession: boolean;
  /** As in `ProcessMark`. */
  readonly started: string;
}

/** More than anybody nests. */
const MOST = 100;

/** A process and its ancestors, up to the one that has none; those that can't be read are missing. Never throws. */
export function ancestorsOf(pid: number): readonly Ancestor[] {
  if (process.platform === "linux") return chainFrom(pid, fromProc);
  const all = readPs();
  return chainFrom(pid, (one) => all.get(one));
}

/** Every process of this machine whose program may be seen. Never throws. */
export function allProcesses(): readonly Ancestor[] {
  if (process.platform !== "linux") return [...readPs().values()];
  return procIds().flatMap((pid) => fromProc(pid) ?? []);
}

function procIds(): readonly number[] {
  try {
    return builtin.fs.readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  } catch {
    return [];
  }
}

/** The same by id and start alone, for every call of a hook: the command lines take more than half of the time. */
export function startsAbove(pid: number): readonly Pick<Ancestor, "pid" | "parent" | "started">[] {
  if (process.platform !== "linux") return ancestorsOf(pid);
  return chainFrom(pid, (one) => {
    const stat = procStat(one);
    return stat && { pid: one, ...stat };
  });
}

function chainFrom<One extends Pick<Ancestor, "parent">>(
  pid: number,
  read: (pid: number) => One | undefined,
): readonly One[] {
  const found: One[] = [];
  for (let next = pid; next > 0 && found.length < MOST; ) {
    const one = read(next);
    if (one === undefined) break;
    found.push(one);
    next = one.parent;
  }
  return found;
}

/** The variables that a process was started with; `undefined` where the system does not show them. Never throws. */
export function variablesOf(pid: number): NodeJS.ProcessEnv | undefined {
  const pairs = procWords(pid, "environ")?.map((text) => {
    const at = text.indexOf("=");
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return pairs && Object.fromEntries(pairs);
}

function fromProc(pid: number): Ancestor | undefined {
  const stat = procStat(pid);
  if (stat === undefined) return undefined;
  const { name, parent, session, terminal, started } = stat;
  return {
    pid,
    name,
    words: procWords(pid, "cmdline") ?? [],
    parent,
    hasTerminal: terminal !== 0,
    leadsSession: session === pid,
    started,
  };
}

function procWords(pid: number, file: "cmdline" | "environ"): readonly string[] | undefined {
  try {
    const text = builtin.fs.readFileSync(`/proc/${pid}/${file}`, "utf8");
    return text.split("\0").filter((word) => word !== "");
  } catch {
    return undefined;
  }
}

const COLUMNS = ["pid", "ppid", "stat", "tty", "lstart", "command"].flatMap((name) => ["-o", `${name}=`]);
const LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+\S+\s+\d+)\s+(.*)$/gm;

/** One `ps` for all processes. Its words are parted at blanks. */
function readPs(): ReadonlyMap<number, Ancestor> {
  const all = new Map<number, Ancestor>();
  for (const [, pid, parent, state = "", terminal = "", started = "", command = ""] of psOutput().matchAll(
    LINE,
  )) {
    const words = command.split(" ");
    all.set(Number(pid), {
      pid: Number(pid),
      name: baseName(words[0] ?? ""),
      words,
      parent: Number(parent),
      hasTerminal: !/^[-?]+$/.test(terminal),
      leadsSession: state.includes("s"),
      started,
    });
  }
  return all;
}

function psOutput(): string {
  try {
    return builtin.childProcess.execFileSync("ps", ["-axww", ...COLUMNS], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      timeout: 2000,
      maxBuffer: 50_000_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}

/** The last part of a path. A login shell has a dash before its name. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/^-/, "");
}
