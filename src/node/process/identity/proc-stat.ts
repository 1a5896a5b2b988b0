import { builtin } from "../../builtin.ts";

/** A process as Linux describes it. */
export interface ProcStat {
  readonly name: string;
  /** `R` running, `S` sleeping, `Z` ended and not yet collected by its parent. */
  readonly state: string;
  readonly parent: number;
  /** The process that began its session: a shell, for what is typed in a terminal. */
  readonly session: number;
  /** The terminal of its session; 0 without one. */
  readonly terminal: number;
  /** When it was started, in ticks since the machine was. */
  readonly started: string;
}

/** Reads `/proc/PID/stat`. `undefined` when there is no such process, or the system is not Linux. Never throws. */
export function procStat(pid: number): ProcStat | undefined {
  if (process.platform !== "linux" || pid <= 0) return undefined;
  try {
    const text = builtin.fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in parentheses and may contain some.
    const end = text.lastIndexOf(")");
    const [state = "", parent, , session, terminal, ...rest] = text.slice(end + 2).split(" ");
    return {
      name: text.slice(text.indexOf("(") + 1, end),
      state,
      parent: Number(parent ?? 0),
      session: Number(session ?? 0),
      terminal: Number(terminal ?? 0),
      started: rest[14] ?? "",
    };
  } catch {
    return undefined;
  }
}
