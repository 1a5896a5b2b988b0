import { realpath } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Adapter } from "../../adapters/adapter.ts";
import { allAdapters } from "../../adapters/agents.ts";
import { RECORDED_SESSIONS } from "../../adapters/recorded-sessions.ts";
import type { Config } from "../../config.ts";
import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import { createRedactor } from "../../node/records/redact.ts";
import { type TriedHooks, tryHooks } from "../tried-hooks.ts";
import { decidedThen } from "./decided-then.ts";
import type { SessionFile } from "./find-sessions.ts";
import { type Judged, judgedOf } from "./judged.ts";
import { journalSessions, OWN } from "./own-sessions.ts";
import { type ReadHooks, readSession, type TellsOf } from "./read-session.ts";
import { type Replay, Tally } from "./tally.ts";

export interface ReplayOptions {
  readonly config: Config;
  /** Another configuration, with which it is compared. */
  readonly against?: Config;
  readonly files: readonly SessionFile[];
  /** Where sessions worked that do not say so. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly since?: Date;
  /** Only sessions in this folder and below it. */
  readonly project?: string;
  /** Programs, servers and models are asked as well. */
  readonly run?: boolean;
  /** Ends the replay with what was found so far. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly bytes: number;
  readonly events: number;
}

/** Runs recorded events through a configuration and counts what it would do about them. */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { config, against, files, cwd, environment, signal, onProgress, run } = options;
  const tally = new Tally(createRedactor(environment), against !== undefined);
  const eventOf = await eventMaker(cwd);
  const then = await decidedThen({ environment, since: options.since, signal });
  const isChosen = await chooser(options);
  // A module is code like any program.
  const tried = await tryHooks(config, { run: run === true, modules: run === true });
  const other = against === undefined ? undefined : await tryHooks(against, { modules: false });
  /** The sessions that a transcript tells of: the journal has them again. */
  const told = new Set<string>();
  let bytes = 0;
  let paused = performance.now();
  /** Yields to the event loop now and then, so that Ctrl-C and the progress line work. */
  const breathe = async (): Promise<void> => {
    if (performance.now() - paused < TURN_MILLISECONDS) return;
    onProgress?.({ bytes, events: tally.events });
    await setImmediate();
    paused = performance.now();
  };
  const isEnded = (): boolean => signal?.aborted === true;
  const judge = judging(tried, config, signal);
  const judgeOther =
    other === undefined || against === undefined ? undefined : judging(other, against, signal);
  try {
    for (const file of files) {
      if (isEnded()) break;
      const isJournal = file.sessions === journalSessions;
      const hooks: ReadHooks = {
        unreadable: (place) => tally.cannotRead(place),
        bytes: (count) => {
          bytes += count;
        },
      };
      for await (const tells of readSession(file, hooks, signal)) {
        for (const one of tells) {
          await breathe();
          if (isEnded()) break;
          if (!isChosen(one)) continue;
          if (isJournal && told.has(one.session_id)) continue;
          if (!isJournal) told.add(one.session_id);
          const agent = one.host ?? file.agent;
          const event = eventOf(one, isJournal ? "tenterhook" : file.agent);
          if (event === undefined) {
            tally.cannotRead({ agent, file: file.file, why: "a call has no name or no input" });
            continue;
          }
          const judged = await judge(event);
          const compared = judgeOther === undefined ? {} : { against: await judgeOther(event) };
          // What was decided while everything ends counts for nothing.
          if (isEnded()) break;
          const { session_id, at, recorded = then(one) } = one;
          const about = withoutUndefined({ at: typeof at === "string" ? at : undefined, recorded });
          tally.add({ agent, session_id, event, judged, ...about, ...compared });
        }
      }
    }
    return tally.result();
  } finally {
    await tried.close();
    await other?.close();
  }
}

const TURN_MILLISECONDS = 50;
const MOST_REMEMBERED = 10_000;
const LONGEST_REMEMBERED = 2000;
/** What a rule can read of an event that differs between two equal calls. */
const OF_ONE_CALL = /session_id|tool_use_id|agent_|turn_|event_id|timestamp|native|usage|"once"|\bseq\b/;

type Judge = (event: Readonly<Record<string, unknown>>) => Promise<Judged>;

/**
 * Decides events. Agents make the same call again and again: where only rules decide, and none asks which session it
 * was, an equal call is decided once.
 */
function judging(hooks: TriedHooks, { definitions, guards }: Config, signal: AbortSignal | undefined): Judge {
  const isRepeatable = [...definitions, ...guards].every(
    ({ definition, pack }) =>
      definition.type === "inline" && (pack !== undefined || !OF_ONE_CALL.test(JSON.stringify(definition))),
  );
  let recent = new Map<string, Judged>();
  let before = new Map<string, Judged>();
  return async (event) => {
    const { hook_event_name, host, cwd, tool_name, tool_input } = event;
    const key =
      isRepeatable && hook_event_name === "PreToolUse"
        ? JSON.stringify([host, cwd, tool_name, tool_input])
        : "";
    const known = recent.get(key) ?? before.get(key);
    const judged = known ?? judgedOf(await hooks.fire(event, withoutUndefined({ signal })));
    if (key === "" || key.length > LONGEST_REMEMBERED) return judged;
    // What comes again stays; what does not is forgotten with all the others of its time.
    if (recent.size >= MOST_REMEMBERED) [before, recent] = [recent, new Map()];
    recent.set(key, judged);
    return judged;
  };
}

/** Chooses what is asked about: by its time, and by the folder of its session, whatever links lead there. */
async function chooser({ since, project }: ReplayOptions): Promise<(one: TellsOf) => boolean> {
  const real = project === undefined ? undefined : await realpath(project).catch(() => project);
  const folders = [...new Set([project, real])].filter((folder) => folder !== undefined);
  return ({ at, cwd }) => {
    if (since !== undefined && typeof at === "string" && Date.parse(at) < since.getTime()) return false;
    if (folders.length === 0) return true;
    return cwd !== undefined && folders.some((folder) => !relative(folder, resolve(cwd)).startsWith(".."));
  };
}

const OUR_NAMES = { call: "PreToolUse", prompt: "UserPromptSubmit", answer: "Stop" };

/** Makes events of what sessions tell; `undefined` for a call without a name or an input, which no hook was asked about. */
type EventOf = (told: TellsOf, agent: string) => Readonly<Record<string, unknown>> | undefined;

/**
 * Makes of what a session tells the payload that its agent would have sent, and of that our event, as `tenterhook hook`
 * does. `folder` is where sessions worked that do not say so themselves.
 */
export async function eventMaker(folder: string): Promise<EventOf> {
  const adapters = new Map<string, Adapter>((await allAdapters()).map((adapter) => [adapter.name, adapter]));
  return (told, agent) => {
    const { events = OUR_NAMES, payload: form = {} } = RECORDED_SESSIONS.get(agent) ?? {};
    const { session_id, cwd = folder, agent_id } = told;
    const common = { session_id, cwd, ...withoutUndefined({ agent_id, plugin: form.plugin }) };
    const payload = payloadOf(told, { ...common }, events, form.answer ?? "last_assistant_message");
    if (payload === undefined) return undefined;
    // What the journal and our own transcripts tell is one of our events already.
    const adapter = agent === OWN ? undefined : adapters.get(agent);
    return adapter === undefined
      ? { ...payload, ...withoutUndefined({ host: told.host }) }
      : adapter.decode(payload, cwd);
  };
}

function payloadOf(
  told: TellsOf,
  common: Readonly<Record<string, unknown>>,
  { call, prompt, answer }: typeof OUR_NAMES,
  answerField: string,
): Readonly<Record<string, unknown>> | undefined {
  if ("prompt" in told) return { ...common, hook_event_name: prompt, prompt: told.prompt };
  if ("answer" in told) return { ...common, hook_event_name: answer, [answerField]: told.answer };
  const { tool_name, tool_input, tool_use_id } = told;
  if (typeof tool_name !== "string" || tool_name === "" || !isRecord(tool_input)) return undefined;
  const id = typeof tool_use_id === "string" ? { tool_use_id } : {};
  return { ...common, hook_event_name: call, tool_name, tool_input, ...id };
}
