import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { STOP_REASONS } from "../../../agent/stop-reasons.ts";
import type { AgentItem, AgentResult, AskApproval, ContentPart } from "../../../agent.ts";
import type { TenterhookError } from "../../../core/base/errors.ts";
import { withoutUndefined } from "../../../core/base/json.ts";
import { isLooser, PERMISSION_MODES } from "../../../core/contracts/tool.ts";
import type { Transcript, TranscriptStore } from "../../../core/contracts/transcript.ts";
import { wayOut } from "../../../monitor/person/standing.ts";
import { firstBytes } from "../../../node/files/regular-file.ts";
import { mediaTypeOf } from "../../../shared/contracts/media-type.ts";
import { MOST_FILE_BYTES } from "../../../shared/contracts/read-content.ts";
import {
  type CommandRun,
  flagOption,
  type Invocation,
  numberOption,
  textOption,
  textsOption,
} from "../../command-line/command.ts";
import { showFailure } from "../../command-line/failures.ts";
import { standingFor } from "../../command-line/person.ts";
import { counted, harmless, shortPath } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { chosenModel, chosenName } from "./run/choices.ts";
import { type AgentPlan, type OpenedAgent, openAgent, type Task, workOn } from "./run/open-agent.ts";
import { resultLine, waitingLines } from "./run/result-lines.ts";
import { runViewOn, storedCalls } from "./run/run-view.ts";
import { lostText, sessionStore } from "./sessions/session-store.ts";

type Resumed = Pick<AgentPlan, "resume" | "source">;

type Planned = Omit<AgentPlan, "report">;

/** The task, and what of the session could not be read. */
interface Work {
  readonly task: Task;
  readonly resumed: Resumed;
  readonly lost?: readonly string[];
}

export const run: CommandRun = async (invocation) => {
  const { names, environment, cwd } = invocation;
  const store = sessionStore(environment);
  return runTask(invocation, store, async () => {
    const task = names.join(" ").trim();
    if (task === "") throw wrongUse("The task is empty.");
    const files = textsOption(invocation, "attach").map((name) => attachedFile(name, resolve(cwd, name)));
    return { task: files.length === 0 ? task : [{ type: "text", text: task }, ...files], resumed: {} };
  });
};

/** Runs a task of our agent: finds it, runs it and shows it. Closes the store. */
export async function runTask(
  invocation: Invocation,
  store: TranscriptStore,
  find: () => Promise<Work>,
): Promise<number | undefined> {
  const { json, screen, cwd } = invocation;
  try {
    const work = await find();
    const { stop_reason } = await (json ? runForPrograms : runForPeople)(work, invocation, store);
    return STOP_REASONS[stop_reason].exit_code;
  } catch (error) {
    if (!json || invocation.signal.aborted) throw error;
    // Readers of lines expect one value per line.
    const view = { screen: { ...screen, json: screen.jsonLine }, json, cwd };
    return showFailure(error, view, { debug: flagOption(invocation, "debug") });
  } finally {
    await store.close();
  }
}

async function runForPrograms(
  { task, resumed, lost = [] }: Work,
  invocation: Invocation,
  store: TranscriptStore,
): Promise<AgentResult> {
  const { screen, signal } = invocation;
  const onItem = (item: AgentItem): void => screen.jsonLine(item);
  const report = (text: string): void => onItem({ type: "notice", level: "warning", text });
  for (const place of lost) report(lostText(place));
  const planned = await consented(plan(invocation, resumed.resume), {}, invocation, report);
  const opened = await openAgent({ ...planned, ...resumed, store, report });
  return workOn(opened, task, { signal, onItem });
}

async function runForPeople(
  { task, resumed, lost = [] }: Work,
  invocation: Invocation,
  store: TranscriptStore,
): Promise<AgentResult> {
  const { screen, signal } = invocation;
  const planned = plan(invocation, resumed.resume);
  const view = await runViewOn(screen, planned.folder, signal);
  const add = (...lines: readonly string[]): void => view.add({ type: "lines", lines });
  try {
    const { report, asks } = view;
    view.lose(storedCalls(resumed.resume?.messages ?? []));
    for (const place of lost) report(lostText(place));
    const allowed = await consented(planned, asks, invocation, report);
    const opened = await openAgent({ ...allowed, ...resumed, store, report });
    view.opened({ ...opened, hookCount: hookCount(opened) });
    view.add({ type: "notice", level: "info", text: introduction(opened, planned.folder) });
    const started = performance.now();
    const result = await workOn(opened, task, { signal, onItem: view.onItem });
    add(resultLine(result, performance.now() - started, screen.paint));
    if (result.stop_reason === "suspended" && result.waiting_for !== undefined)
      add(...waitingLines(result.agent_id, result.waiting_for));
    return result;
  } finally {
    await view.end();
  }
}

export function plan(invocation: Invocation, resumed: Transcript | undefined): Planned {
  const { cwd, environment, signal } = invocation;
  const wanted = textOption(invocation, "cwd");
  const folder = resolve(cwd, wanted ?? resumed?.metadata.cwd ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw wrongUse(
      wanted === undefined
        ? `The session worked in ${folder}, which does not exist any more. Name another folder with --cwd.`
        : `--cwd: there is no folder ${folder}.`,
    );
  const given = textOption(invocation, "model");
  const { model: sessionModel, waiting_for } = resumed?.metadata ?? {};
  const sources = { given, fromSession: sessionModel, givenIn: cwd, folder, environment, signal };
  const mode = PERMISSION_MODES.find((name) => name === textOption(invocation, "mode"));
  const iterations = numberOption(invocation, "maxIterations");
  return {
    folder,
    environment,
    signal,
    model: (config) => chosenModel(config, sources),
    model_name: (config) => chosenName(config, sources),
    ...(mode === undefined ? {} : { mode }),
    ...(iterations === undefined ? {} : { limits: { iterations } }),
    ...(flagOption(invocation, "yes") ? { approval: agreed } : {}),
    // A session that waited for an answer may wait for the next one too.
    ...(flagOption(invocation, "suspend") || waiting_for !== undefined ? { suspend: true } : {}),
  };
}

/**
 * What a person has approved with the command line: nothing when an agent may have started it. Then `--yes` and a looser
 * `--mode` count for nothing, and nobody is asked on the terminal, where the agent could type the answer.
 */
export async function consented(
  { approval, mode, ...rest }: Planned,
  asks: Pick<AgentPlan, "approval" | "askUser">,
  invocation: Invocation,
  report: (text: string) => void,
): Promise<Planned> {
  const looser = mode !== undefined && isLooser(mode, "default") ? mode : undefined;
  const decides = approval !== undefined || looser !== undefined || asks.approval !== undefined;
  const standing = decides ? await standingFor(invocation) : undefined;
  if (standing === undefined || standing.is === "person")
    return { ...rest, ...asks, ...withoutUndefined({ approval, mode }) };
  const { why } = standing;
  if (asks.approval !== undefined)
    report(["You are not asked on this terminal.", why, wayOut(standing) ?? []].flat().join(" "));
  if (approval !== undefined) report(`--yes approves nothing here. ${why}`);
  if (looser !== undefined) report(`--mode ${looser} does not apply here. ${why}`);
  return { ...rest, ...(mode === undefined || mode === looser ? {} : { mode }) };
}

/** `--yes` approves everything except untrusted programs. */
const agreed: AskApproval = ({ kind }) => kind !== "turn_hook";

function wrongUse(message: string): TenterhookError {
  return usageError(message, "tenterhook run --help shows the usage.");
}

/** The hooks in force, with the programs of `.agent/hook.toml`. */
export function hookCount({ config }: OpenedAgent): number {
  const inForce = config.definitions.filter(({ enabled, untrusted }) => enabled && untrusted === undefined);
  return inForce.length + Object.keys(config.agent_hooks?.hooks ?? {}).length;
}

function introduction(opened: OpenedAgent, folder: string): string {
  const { model, mode } = opened;
  const hooks = `${counted(hookCount(opened), "hook")} in force`;
  return `${harmless(model)}  ${shortPath(folder, folder)}  mode ${mode}  ${hooks}`;
}

function attachedFile(name: string, path: string): ContentPart {
  const { bytes: data, size } = fileAt(path);
  if (size > MOST_FILE_BYTES)
    throw wrongUse(`--attach: ${name} has ${size} bytes; at most ${MOST_FILE_BYTES} are sent.`);
  const isText = !data.includes(0) && isUtf8(data);
  const media_type = mediaTypeOf(data) ?? (isText ? "text/plain" : undefined);
  if (media_type === undefined)
    throw wrongUse(`--attach: ${name} is neither text nor an image, a PDF document or sound.`);
  return { type: "file", data, media_type, filename: basename(path) };
}

function fileAt(path: string) {
  try {
    return firstBytes(path, MOST_FILE_BYTES);
  } catch {
    throw wrongUse(`--attach: there is no file ${path}.`);
  }
}
