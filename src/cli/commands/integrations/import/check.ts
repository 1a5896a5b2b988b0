import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Adapter, DecodedEvent } from "../../../../adapters/adapter.ts";
import { payloadOf } from "../../../../adapters/agents.ts";
import { rowOf } from "../../../../adapters/codec/agent-table.ts";
import { declareEvents } from "../../../../adapters/declare-events.ts";
import type { HookReply, ImportedHook, ImportedIntegration } from "../../../../adapters/integration.ts";
import { siteOf } from "../../../../config/combine/apply.ts";
import type { ConfigDefinition } from "../../../../config/config.ts";
import { type Config, loadConfig } from "../../../../config.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { withoutUndefined } from "../../../../core/base/json.ts";
import type { Decision } from "../../../../core/decide/decision.ts";
import type { Effect } from "../../../../core/events/effects.ts";
import { HookFailureError } from "../../../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../../../core/events/outcomes.ts";
import type { AnyEvent } from "../../../../core/events/payloads.ts";
import { type HookInternals, internals } from "../../../../core/internals.ts";
import { definitionParts } from "../../../../core/registration/prepare-hook.ts";
import type { PreparedHook } from "../../../../core/registration/registered-hook.ts";
import { readyDefinition } from "../../../../handlers/definition.ts";
import { readNativeExit } from "../../../../handlers/reply/read-native.ts";
import { createHooks } from "../../../../index.ts";
import { writeAtomically } from "../../../../node/files/atomic-write.ts";
import { makePrivateFolder } from "../../../../node/files/folders.ts";
import { nodeRulePorts } from "../../../../node/ports.ts";
import { startDeadline } from "../../../../node/process/deadline.ts";
import { runProgram } from "../../../../node/process/run-program.ts";
import { shellLine } from "../../../../node/process/start-program.ts";
import type { Invocation } from "../../../command-line/command.ts";

type Payload = Readonly<Record<string, unknown>>;

export interface Trial {
  readonly hook: ImportedHook;
  readonly payloads: readonly Payload[];
}

/** What a hook brings about: only what the agent listens to is here. */
export type Effects = Readonly<
  Partial<
    Record<"verdict" | "reason" | "context" | "input" | "output" | "answer" | "ends" | "message", string>
  >
>;

/** What the agent does after the original and after the imported hook. */
interface Comparison {
  readonly payload: Payload;
  readonly original: Effects;
  readonly imported: Effects;
  /** The keys that differ; empty when the agent does the same. */
  readonly differs: readonly string[];
}

export interface ComparedHook {
  readonly name: string;
  readonly about: string;
  readonly comparisons: readonly Comparison[];
}

const MOST_BYTES = 1_000_000;
const MOST_SECONDS = 60;

/** Runs the original and the imported hook on each payload. Their commands really run. */
export async function compareHooks(
  integration: ImportedIntegration,
  trials: readonly Trial[],
  root: string,
  invocation: Invocation,
): Promise<readonly ComparedHook[]> {
  const environment = { ...invocation.environment, ...integration.importing.compared.variables(root) };
  const config = await loaded(trials, invocation);
  const place = { root, environment, signal: invocation.signal };
  const compared: ComparedHook[] = [];
  for (const { hook, payloads } of trials) {
    const definition = config.definitions.find(({ name }) => name === hook.definition?.name);
    if (definition === undefined) continue;
    const comparisons: Comparison[] = [];
    for (const payload of payloads) {
      const imported = await decideImported(integration, definition, config, payload, place);
      // Only the agent could say whether a condition holds; ours is the same or wider.
      const hasCondition = hook.original.handler.if !== undefined;
      const isRun = isAsked(integration, hook, payload) && (!hasCondition || imported !== undefined);
      const original = isRun ? await decideOriginal(integration, hook, definition, payload, place) : {};
      comparisons.push({
        payload,
        original,
        imported: imported ?? {},
        differs: differing(original, imported ?? {}),
      });
    }
    compared.push({ name: hook.name, about: hook.about, comparisons });
  }
  return compared;
}

/** True when the agent runs the original for a payload, as far as its matcher says. */
function isAsked(
  { importing }: ImportedIntegration,
  { original: { event, matcher, agent } }: ImportedHook,
  payload: Payload,
): boolean {
  return (
    (agent === undefined || payload.agent_type === agent) && importing.compared.runs(event, matcher, payload)
  );
}

/** The definitions as a user's own configuration has them, which needs no trust. */
async function loaded(trials: readonly Trial[], { environment, signal }: Invocation): Promise<Config> {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-check-"));
  try {
    const definitions = trials.map(({ hook }) => hook.definition);
    const own = join(folder, "tenterhook");
    makePrivateFolder(own);
    await writeAtomically(join(own, "hooks.json"), JSON.stringify({ hooks: { definitions } }));
    return await loadConfig({
      cwd: folder,
      environment: { ...environment, XDG_CONFIG_HOME: folder },
      signal,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface RunPlace {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** As the agent runs it: its line in a shell, all variables, the payload on stdin. */
async function runOriginal(
  { original: { handler, folder }, definition }: ImportedHook,
  payload: Payload,
  { root, environment, signal }: RunPlace,
): Promise<HookReply> {
  const { command, args, timeout, shell } = handler;
  const set = definition?.set_env;
  const seconds = Math.min(typeof timeout === "number" ? timeout : MOST_SECONDS, MOST_SECONDS);
  const call = Array.isArray(args)
    ? { file: String(command), args: args.map(String) }
    : shell === "bash"
      ? { file: "bash", args: ["-c", String(command)] }
      : shellLine(folder === undefined ? String(command) : `cd ${folder} || exit 1\n${String(command)}`);
  const deadline = startDeadline(signal, seconds * 1000);
  try {
    const { stdout, stderr, exit_code, aborted } = await runProgram({
      ...call,
      cwd: root,
      environment: { ...environment, ...(typeof set === "object" ? set : {}) },
      input: `${JSON.stringify(payload)}\n`,
      signal: deadline.signal,
      maxOutputBytes: MOST_BYTES,
    });
    signal.throwIfAborted();
    return { stdout: stdout.toString(), stderr: stderr.toString(), exit_code: aborted ? null : exit_code };
  } catch (error) {
    signal.throwIfAborted();
    return { stdout: "", stderr: errorMessage(error), exit_code: null };
  } finally {
    deadline.end();
  }
}

/** What the agent does after the original: its reply is read as that of an imported hook, and counts as the agent's table says. */
async function decideOriginal(
  { adapter, table, importing }: ImportedIntegration,
  hook: ImportedHook,
  { name, definition }: ConfigDefinition,
  payload: Payload,
  place: RunPlace,
): Promise<Effects> {
  const exit = await runOriginal(hook, payload, place);
  const { on_failure = "closed" } = definitionParts(definition).options;
  const read = (event: AnyEvent): readonly Outcome[] => {
    const { exit_code, ...output } = exit;
    if (exit_code === null) throw new HookFailureError("timeout", "It took too long.");
    if (importing.compared.fails?.(hook.original, exit) === true)
      throw new HookFailureError("bad_output", "It is not a reply.");
    try {
      return readNativeExit({ exit_code, ...output }, event);
    } catch (error) {
      // What a faulty reply refuses all the same counts only with us.
      if (!(error instanceof HookFailureError)) throw error;
      throw new HookFailureError(error.kind, error.message, { outcomes: error.outcomes });
    }
  };
  const { hook_event_name: asked } = adapter.decode(payload);
  const { decision } = await decide(adapter, payload, place.signal, (set) =>
    set.prepare(asked, { name, on_failure }, { type: "command", run: read }),
  );
  const { eventOf = () => String(payload.hook_event_name) } = table;
  const { says } = rowOf(table, eventOf(payload) ?? "");
  return effectsOf(decision, (effect) => says[effect] !== undefined);
}

/** What the agent does after the imported hook; `undefined` when it does not run. */
async function decideImported(
  { adapter }: ImportedIntegration,
  hook: ConfigDefinition,
  config: Config,
  payload: Payload,
  { root, environment, signal }: RunPlace,
): Promise<Effects | undefined> {
  const site = { ...siteOf(hook, config), root, project: root };
  const ports = { rules: nodeRulePorts, payloadOf, environment };
  const prepare = await readyDefinition(hook.definition, site, ports);
  const { decision, event } = await decide(adapter, payload, signal, prepare);
  if (decision.runs.length === 0) return undefined;
  const { losses } = adapter.encode(decision, event, config.settings.degrade);
  const effects = effectsOf(decision, (effect) => losses.every((loss) => loss.effect !== effect));
  return losses.some(({ became }) => became === "deny") ? { ...effects, verdict: "deny" } : effects;
}

/** What one hook decides by our engine. */
async function decide(
  adapter: Adapter,
  payload: Payload,
  signal: AbortSignal,
  prepare: (set: HookInternals) => PreparedHook,
): Promise<{ readonly decision: Decision; readonly event: DecodedEvent }> {
  const hooks = createHooks();
  declareEvents(hooks, [adapter]);
  try {
    const set = internals(hooks);
    set.replace([], [prepare(set)]);
    const event = adapter.decode(payload);
    const decision = await hooks.fireUntyped(event, { signal, payload: `${JSON.stringify(payload)}\n` });
    return { decision, event };
  } finally {
    await hooks.close();
  }
}

/** What a decision of one hook brings about, as far as the agent listens. What we say about a failure is not the hook's. */
function effectsOf(
  { action, keep_going, input, prompt, output, answer, runs }: Decision,
  isHeard: (effect: Effect) => boolean,
): Effects {
  const { context, reason = keep_going?.reason, abort, user_messages } = { ...runs[0]?.outcome };
  const verdict = keep_going !== undefined ? "keep_going" : action;
  const isVerdict = verdict !== "continue" && isHeard(verdict);
  return withoutUndefined({
    verdict: isVerdict ? verdict.replace("keep_going", "keeps going") : undefined,
    reason: isVerdict ? reason : undefined,
    context: isHeard("context") ? context?.join("\n") : undefined,
    input: isHeard("rewrite") ? JSON.stringify(input ?? prompt) : undefined,
    output: isHeard("rewrite") ? JSON.stringify(output) : undefined,
    answer: isHeard("answer") ? JSON.stringify(answer) : undefined,
    ends: abort === true && isHeard("abort") ? "yes" : undefined,
    message: user_messages?.join("\n"),
  });
}

function differing(original: Effects, imported: Effects): readonly string[] {
  const keys = new Set([...Object.keys(original), ...Object.keys(imported)]);
  return [...keys].filter((key) => Reflect.get(original, key) !== Reflect.get(imported, key));
}
