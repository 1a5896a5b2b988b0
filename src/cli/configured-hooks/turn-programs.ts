import { loadAgentFile } from "../../config/trust/turn-hooks.ts";
import type { Config } from "../../config.ts";
import type { Place } from "./load-hooks.ts";

/** A program of `.agent/hook.toml`, which the built-in agent runs at the start or the end of a turn. */
export interface TurnProgram {
  readonly event: "TurnStart" | "TurnEnd";
  readonly command: readonly string[];
  readonly file: string;
  /** False for one that does not run at the start of a turn which a hook or a program has started. */
  readonly run_on_hook_input?: boolean;
  /** One that is not trusted does not run. */
  readonly trusted: boolean;
}

const TABLES = { TurnStart: "turn_start", TurnEnd: "turn_end" } as const;

/** Its name in records. */
export function recordedName({ event }: Pick<TurnProgram, "event">): string {
  return `Hook(${event})`;
}

/** When it runs, for people. */
export function whenOf({ event, run_on_hook_input }: TurnProgram): string {
  if (event === "TurnEnd") return "runs at the end of each turn of the built-in agent";
  const but = run_on_hook_input === false ? ", but not of those that hooks start" : "";
  return `runs at the start of each turn of the built-in agent${but}`;
}

/** Its name in the file. */
export function tableOf({ event }: Pick<TurnProgram, "event">): string {
  return TABLES[event];
}

/** The one that is meant by `turn_start`, `TurnStart` or `Hook(TurnStart)`. */
export function turnProgramNamed(name: string, programs: readonly TurnProgram[]): TurnProgram | undefined {
  const wanted = name
    .replace(/^Hook\((.*)\)$/, "$1")
    .replace("_", "")
    .toLowerCase();
  return programs.find(({ event }) => event.toLowerCase() === wanted);
}

/** Those that count in the working folder, trusted or not. A file that can't be read has none: `check` says what is wrong with it. */
export async function turnPrograms(
  { cwd, signal }: Place,
  { agent_hooks: trusted }: Config,
): Promise<readonly TurnProgram[]> {
  const agent = await loadAgentFile(cwd, signal).catch(() => undefined);
  if (agent === undefined) return [];
  const { file, hooks } = agent;
  const of = (event: TurnProgram["event"]): readonly TurnProgram[] => {
    const key = TABLES[event];
    const program = hooks[key];
    if (program === undefined) return [];
    const command = [program.command, ...program.args];
    const settings = "run_on_hook_input" in program ? { run_on_hook_input: program.run_on_hook_input } : {};
    return [{ event, command, file, ...settings, trusted: trusted?.hooks[key] !== undefined }];
  };
  return [...of("TurnStart"), ...of("TurnEnd")];
}
