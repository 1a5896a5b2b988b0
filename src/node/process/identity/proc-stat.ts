import { builtin } from "../../builtin.ts";

/** A process as Linux describes it. */
export interface ProcStat {
  readonly name: string;
  /** `R` running, `S` sleeping, `Z` ended and not yet collected by its parent. */
  readonly state: string;
  readonly parent: number;
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
    const [state = "", parent = "0", ...rest] = text.slice(end + 2).split(" ");
    return {
      name: text.slice(text.indexOf("(") + 1, end),
      state,
      parent: Number(parent),
      started: rest[17] ?? "",
    };
  } catch {
    return undefined;
  }
}
