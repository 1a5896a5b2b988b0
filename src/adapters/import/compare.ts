import { isRecord, parseJson, withoutUndefined } from "../../core/base/json.ts";
import { type AgentTable, rowOf } from "../codec/agent-table.ts";
import type { HookReply, OriginalHook, UnderstoodReply } from "../integration.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What sample payloads of an agent consist of. */
export interface SampleParts {
  base(event: string, cwd: string): Fields;
  /** Calls of tools: everyday ones, and some that guards are written for. */
  readonly calls: readonly Fields[];
  ofCall?(event: string, at: number): Fields;
  readonly toolEvents: ReadonlySet<string>;
  /** The fields of all other events, a payload each. */
  readonly others: Readonly<Record<string, readonly Fields[]>>;
}

/** Lines of a shell on which hooks are tried: an everyday one, and two that guards are written for. */
export const TRIED_LINES: readonly string[] = [
  "ls -la",
  "git push --force origin main",
  "rm -rf / --no-preserve-root",
];

/** What the payloads of Gemini CLI have, and of agents made from it. */
export const GEMINI_SAMPLES: Pick<SampleParts, "base" | "calls"> = {
  base: (event, cwd) => ({
    session_id: "check",
    transcript_path: "",
    cwd,
    hook_event_name: event,
    timestamp: "2026-01-01T00:00:00.000Z",
  }),
  calls: [
    ...TRIED_LINES.map((command) => ({ tool_name: "run_shell_command", tool_input: { command } })),
    { tool_name: "write_file", tool_input: { file_path: ".env", content: "KEY=1" } },
    { tool_name: "read_file", tool_input: { file_path: "README.md" } },
  ],
};

export function samplesFrom(parts: SampleParts): (original: OriginalHook, cwd: string) => readonly Fields[] {
  const { base, calls, ofCall, toolEvents, others } = parts;
  return ({ event }, cwd) =>
    toolEvents.has(event)
      ? calls.map((call, at) => ({ ...base(event, cwd), ...call, ...ofCall?.(event, at) }))
      : (others[event] ?? [{}]).map((fields) => ({ ...base(event, cwd), ...fields }));
}

/** What a refusal does on an event, by the agent's table. */
export function refusedOn(table: AgentTable, event: string, reason: string): UnderstoodReply {
  const { says } = rowOf(table, event);
  if (says.keep_going !== undefined) return { verdict: "keeps going", reason };
  return says.deny === undefined ? {} : { verdict: "deny", reason };
}

/** The JSON of a reply with its specific part; `undefined` for anything but an object. */
export function replyIn(text: string): { readonly top: Fields; readonly specific: Fields } | undefined {
  const top = parseJson(text);
  if (!isRecord(top)) return undefined;
  return { top, specific: isRecord(top.hookSpecificOutput) ? top.hookSpecificOutput : {} };
}

/** What agents read that read stderr when stdout is empty. */
export function textRead({ stdout, stderr }: HookReply): string {
  return stdout.trim() || stderr.trim();
}

/** Only the parts that are there. */
export function understood(
  parts: Readonly<Partial<Record<keyof UnderstoodReply, string | undefined>>>,
): UnderstoodReply {
  return withoutUndefined(parts);
}
