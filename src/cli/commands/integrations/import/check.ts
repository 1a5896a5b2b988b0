import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { payloadOf } from "../../../../adapters/agents.ts";
import { declareEvents } from "../../../../adapters/declare-events.ts";
import type {
  HookReply,
  ImportedHook,
  ImportedIntegration,
  UnderstoodReply,
} from "../../../../adapters/integration.ts";
import { siteOf } from "../../../../config/combine/apply.ts";
import type { ConfigDefinition } from "../../../../config/config.ts";
import { type Config, loadConfig } from "../../../../config.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { internals } from "../../../../core/internals.ts";
import { readyDefinition } from "../../../../handlers/definition.ts";
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

/** What the agent does after the original and after the imported hook. */
interface Comparison {
  readonly payload: Payload;
  readonly original: UnderstoodReply;
  readonly imported: UnderstoodReply;
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
  const compared: ComparedHook[] = [];
  for (const { hook, payloads } of trials) {
    const definition = config.definitions.find(({ name }) => name === hook.definition?.name);
    const comparisons: Comparison[] = [];
    for (const payload of payloads) {
      const place = { root, environment, signal: invocation.signal };
      const { runs, understood } = integration.importing.compared;
      const ours =
        definition === undefined
          ? undefined
          : await runImported(integration, definition, config, payload, place);
      // Only the agent could say whether a condition holds; ours is the same or wider.
      const isRun =
        runs(hook.original, payload) && (hook.original.handler.if === undefined || ours?.ran === true);
      const original = isRun ? understood(hook.original, await runOriginal(hook, payload, place)) : {};
      const imported = ours === undefined ? {} : understood(hook.original, ours.reply);
      comparisons.push({ payload, original, imported, differs: differing(original, imported) });
    }
    compared.push({ name: hook.name, about: hook.about, comparisons });
  }
  return compared;
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

/** By our engine, with the reply that the agent gets. */
async function runImported(
  { adapter }: ImportedIntegration,
  hook: ConfigDefinition,
  config: Config,
  payload: Payload,
  { root, environment, signal }: RunPlace,
): Promise<{ readonly reply: HookReply; readonly ran: boolean }> {
  const hooks = createHooks();
  declareEvents(hooks, [adapter]);
  try {
    const site = { ...siteOf(hook, config), root, project: root };
    const prepare = await readyDefinition(hook.definition, site, {
      rules: nodeRulePorts,
      payloadOf,
      environment,
    });
    const set = internals(hooks);
    set.replace([], [prepare(set)]);
    const event = adapter.decode(payload);
    const decision = await hooks.fireUntyped(event, { signal, payload: `${JSON.stringify(payload)}\n` });
    const reply = adapter.encode(decision, event, config.settings.degrade);
    return { reply, ran: decision.runs.length > 0 };
  } finally {
    await hooks.close();
  }
}

/** Where the original gave no reason or message, ours may: which hook it was, or why it failed. */
const MAY_SAY_MORE: readonly string[] = ["reason", "message"];

function differing(original: UnderstoodReply, imported: UnderstoodReply): readonly string[] {
  const keys = new Set([...Object.keys(original), ...Object.keys(imported)]);
  return [...keys].filter((key) => {
    const [there, here] = [original, imported].map((one) => Reflect.get(one, key));
    if (MAY_SAY_MORE.includes(key) && (there === undefined || there === "")) return false;
    if (key === "message") return !String(here).includes(String(there));
    return there !== here;
  });
}
