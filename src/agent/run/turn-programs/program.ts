import { resolve } from "node:path";
import { isoTime } from "../../../core/base/clock.ts";
import { errorMessage } from "../../../core/base/error-text.ts";
import { capText } from "../../../core/base/text.ts";
import type { HookFailure, HookInput, HookRun } from "../../../core/decide/decision.ts";
import { internals } from "../../../core/internals.ts";
import { carriedVariables, sandboxWith } from "../../../handlers/command/variables.ts";
import { childEnvironment } from "../../../node/process/environment.ts";
import { type ProgramResult, runProgram } from "../../../node/process/run-program.ts";
import type { HookInputItem } from "../../items.ts";
import { sourceOf } from "../../options.ts";
import type { TurnHookCommand, TurnHookName } from "../../turn-hooks.ts";
import { note } from "../session/activity.ts";
import { recordUnseen } from "../session/append.ts";
import { agentView } from "../session/fire.ts";
import { hookLimit, sandboxOf, type Turn } from "../session/session.ts";

const MOST_OUTPUT_BYTES = 1_000_000;

/**
 * Runs a program of `.agent/hook.toml`: argv, no shell, in the folder of the file and in the sandbox, without a timeout; an
 * interrupt ends it. Begin, output and end are shown and recorded. Returns what it wrote to stderr as text for the
 * agent. Never rejects.
 */
export async function runTurnProgram(
  turn: Turn,
  hook: TurnHookName,
  command: TurnHookCommand,
  folder?: string,
): Promise<HookInput | undefined> {
  const { session } = turn;
  const { clock, toolbox, identity } = session;
  const { session_id } = identity;
  const cwd = folder ?? identity.cwd;
  const { environment } = toolbox;
  const { env_file } = agentView(session);
  const run_id = session.newId();
  const about = { run_id, hook: `Hook(${hook})`, hook_event_name: hook };
  const argv = [command.command, ...command.args];
  const started = clock.monotonic();
  const started_at = isoTime(clock.now());
  const told = { ...about, event_id: run_id, session_id, program: { command: argv, cwd } };
  const hooks = internals(session.hooks);
  hooks.notifyOfRun({ type: "begin", ...told, handler: "command", started_at, recheck: false });
  const telling = [recordUnseen(session, { type: "hook_begin", ...about, command: argv })];
  // Recorded as a whole: a secret that comes in two pieces could not be recognised.
  const written = { stdout: "", stderr: "" };
  let result: ProgramResult | undefined;
  let failure: HookFailure | undefined;
  try {
    const mode = sandboxOf(session);
    result = await runProgram({
      file: command.command.includes("/") ? resolve(cwd, command.command) : command.command,
      args: command.args,
      cwd,
      environment: { ...childEnvironment(environment), ...carriedVariables(env_file, environment) },
      input: JSON.stringify(stdinOf(turn, hook)),
      signal: turn.signal,
      maxOutputBytes: MOST_OUTPUT_BYTES,
      ...(mode === "off" ? {} : { sandbox: sandboxWith(env_file, { mode, workspace: toolbox.workspace }) }),
      onOutput: (text, stream) => {
        written[stream] += text;
        hooks.notifyOfRun({ type: "output", ...told, stream, text });
      },
    });
  } catch (error) {
    const kind = turn.signal.aborted ? "cancelled" : "error";
    failure = { kind, message: errorMessage(error) };
  }
  if (result?.aborted === true) failure = { kind: "cancelled", message: "The run was cancelled." };
  const exit_code = result?.exit_code ?? undefined;
  const said = failure === undefined ? (result?.stderr.toString("utf8").trim() ?? "") : "";
  const text = capText(said, hookLimit(session, "context_characters"));
  const run: HookRun = {
    name: about.hook,
    handler: "command",
    event_id: run_id,
    started_at,
    duration_ms: clock.monotonic() - started,
    exit_code,
    ...(text === "" ? {} : { outcome: { action: "continue", hook_inputs: [text] } }),
    failure,
  };
  for (const stream of ["stdout", "stderr"] as const) {
    const text = written[stream];
    if (text !== "") note(session, { type: "hook_output", ...about, stream, text });
  }
  hooks.notifyOfRun({ type: "end", ...told, run });
  telling.push(recordUnseen(session, { type: "hook_end", ...about, run }));
  await Promise.all(telling);
  if (text === "") return undefined;
  const input = { hook, text };
  facts.set(input, { command: argv, stderr: text, exit_code });
  return input;
}

function stdinOf(turn: Turn, hook: TurnHookName): Readonly<Record<string, unknown>> {
  const { session } = turn;
  return {
    hook,
    timestamp: isoTime(session.clock.now()),
    cwd: session.identity.cwd,
    sub_id: turn.id,
    session_source: sourceOf(session.options),
    is_hook_input_turn: turn.is_hook_input_turn,
  };
}

/** How a program came to write its text. */
type HookInputFacts = Pick<HookInputItem, "command" | "stderr" | "exit_code">;

const facts = new WeakMap<HookInput, HookInputFacts>();

export function factsOf(input: HookInput): HookInputFacts {
  return facts.get(input) ?? {};
}
