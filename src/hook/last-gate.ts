import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DecodedEvent } from "../adapters/adapter.ts";
import { modId } from "../adapters/claude/acting-mods.ts";
import { GUARDED_FILE, TOPIC } from "../adapters/claude/mod/wire.js";
import { configDigest } from "../config/cache/config-digest.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import type { Places } from "../config/find/discover.ts";
import { canonicalJson, sha256 } from "../config/inputs/digest.ts";
import { isRecord, parseJson } from "../core/base/json.ts";
import type { ToolInput } from "../core/contracts/tool-types.ts";
import type { Decision } from "../core/decide/decision.ts";
import type { Action } from "../core/events/effects.ts";
import { appendLines } from "../node/files/append.ts";
import { quickFileName } from "../node/files/file-name.ts";
import { makePrivateFolder, tidy } from "../node/files/folders.ts";
import { readOwnFile } from "../node/files/own-file.ts";
import { isInside, realPath } from "../node/files/real-path.ts";
import { stateFolder } from "../node/user-folders.ts";
import type { HookCall } from "./call.ts";
import type { CallReply } from "./daemon/protocol.ts";

/*
 * The last gate is our module inside an agent, which asks about a call right before it runs. What was decided about the call
 * until then is kept in a file, wherever it was decided, so that the same input is judged once.
 */

type Environment = NodeJS.ProcessEnv;

/** A session whose agent has loaded our module. */
export interface LoadedGate {
  /** The agent's version. */
  readonly version?: string;
  /** ISO time. */
  readonly time: string;
}

const MOST_BYTES = 10_000_000;
const DAY = 24 * 60 * 60 * 1000;
/** A call that waits for somebody is asked about before that. */
const VERDICTS = { milliseconds: DAY, bytes: 20_000_000 };
const SESSIONS = { milliseconds: 30 * DAY, bytes: 1_000_000 };

function folderOf(name: "sessions" | "verdicts", environment: Environment): string {
  return join(stateFolder(environment), "last-gate", name);
}

/** Answers what the module tells or asks besides its questions about calls; `undefined` for such a question. Never rejects. */
export async function answerBesides({
  text,
  environment,
}: Pick<HookCall, "text" | "environment">): Promise<CallReply | undefined> {
  const asked = parseJson(text);
  if (!isRecord(asked)) return undefined;
  const { [TOPIC]: topic, session_id, version, name, root, cwd } = asked;
  if (topic === "loaded" && typeof session_id === "string" && typeof version === "string")
    noteLoaded(session_id, { version }, environment);
  if (topic === "state") return { ...NOTHING, stdout: stateFolder(environment) };
  if (topic !== "plugin") return topic === undefined ? undefined : NOTHING;
  const id = typeof name === "string" && typeof root === "string" ? modId(name, root) : undefined;
  const allowed = await allowedMods({ cwd: typeof cwd === "string" ? cwd : "/", environment }).catch(
    (): readonly string[] => [],
  );
  const is_allowed = id !== undefined && allowed.includes(id);
  return { ...NOTHING, stdout: JSON.stringify({ is_allowed, id }) };
}

const NOTHING: CallReply = { stdout: "", stderr: "", exit_code: 0 };

/** The plug-ins that the configuration allows to act by themselves. */
async function allowedMods(places: Places): Promise<readonly string[]> {
  return (await import("./read-config.ts")).readAllowedMods(places);
}

/** Remembers that the agent of a session has loaded the module. Never throws. */
function noteLoaded(session_id: string, about: Omit<LoadedGate, "time">, environment: Environment): void {
  quietly(() => {
    const folder = folderOf("sessions", environment);
    makePrivateFolder(folder);
    tidy(folder, SESSIONS);
    const time = new Date().toISOString();
    appendLines(join(folder, quickFileName(session_id)), [JSON.stringify({ ...about, time })]);
  });
}

/** What the module reported last, in any session; `undefined` when none did. Never throws. */
export function lastLoaded(environment: Environment): LoadedGate | undefined {
  const folder = folderOf("sessions", environment);
  return namesIn(folder)
    .flatMap((name) => (readOwnFile(join(folder, name), MOST_BYTES).text ?? "").split("\n"))
    .map(parseJson)
    .filter((one): one is LoadedGate => isRecord(one) && typeof one.time === "string" && "version" in one)
    .sort((a, b) => (a.time < b.time ? -1 : 1))
    .at(-1);
}

/** What was decided about one call, whatever its inputs. */
export interface CallVerdicts {
  /** The decision about the same input. */
  readonly same?: Decision;
  /** True when another input of the call was decided about. */
  readonly isChanged: boolean;
  /** Keeps a decision about this input, and about what it was rewritten to. Never throws. */
  keep(decision: Decision): void;
}

interface KeptVerdict {
  /** A digest of the input, and of where and by what it is judged. */
  readonly input: string;
  readonly action: Action;
  readonly reason?: string;
  readonly rewritten?: ToolInput;
}

/** `undefined` for what no last gate asks about. Never throws. */
export function callVerdicts(
  { hook_event_name, session_id, tool_use_id, tool_input, cwd }: DecodedEvent,
  config: EventConfig,
  { environment, isLastGate }: Pick<HookCall, "environment" | "isLastGate">,
): CallVerdicts | undefined {
  if (hook_event_name !== "PreToolUse" || typeof tool_use_id !== "string") return undefined;
  if (readLines(join(folderOf("sessions", environment), quickFileName(session_id))).length === 0) {
    if (isLastGate !== true) return undefined;
    noteLoaded(session_id, {}, environment);
  }
  const folder = folderOf("verdicts", environment);
  const file = join(folder, sha256(JSON.stringify([session_id, tool_use_id])));
  const kept = readLines(file).filter(isVerdict);
  const place = [cwd, configDigest(config)];
  // The same input is another one in another folder, or by another configuration.
  const digestOf = (one: unknown): string => sha256(canonicalJson([one, ...place]));
  const input = digestOf(tool_input);
  const same = kept.findLast((one) => one.input === input);
  return {
    ...(same === undefined ? {} : { same: decisionOf(same) }),
    isChanged: same === undefined && kept.length > 0,
    keep: ({ action, reason, input: rewritten, abort }) => {
      const verdict = abort === undefined ? { action, reason } : { action: "deny", reason: abort.reason };
      const verdicts = [
        { input, ...verdict, rewritten },
        ...(rewritten === undefined ? [] : [{ input: digestOf(rewritten), ...verdict }]),
      ];
      quietly(() => {
        makePrivateFolder(folder);
        tidy(folder, VERDICTS);
        appendLines(
          file,
          verdicts.map((one) => JSON.stringify(one)),
        );
      });
    },
  };
}

function decisionOf({ action, reason, rewritten }: KeptVerdict): Decision {
  const nothing = { context: [], user_messages: [], hook_inputs: [], runs: [] };
  return { action, reason, input: rewritten, ...nothing };
}

function isVerdict(value: unknown): value is KeptVerdict {
  return (
    isRecord(value) &&
    typeof value.input === "string" &&
    ["continue", "allow", "ask", "deny"].some((action) => action === value.action)
  );
}

/** Remembers that calls in a project and a folder are guarded, for a module that can't ask us. Never throws. */
export function noteGuarded({ project, cwd }: Places, environment: Environment): void {
  const file = join(stateFolder(environment), GUARDED_FILE);
  const named = [project, cwd].filter((folder) => folder !== undefined);
  const known = readLines(file);
  const folders = new Set([...named, ...named.map((folder) => realPath(folder) ?? folder)]);
  const isKnown = (folder: string) => known.some((one) => typeof one === "string" && isInside(folder, one));
  const lines = [...folders].filter((folder) => !isKnown(folder)).map((one) => JSON.stringify(one));
  if (lines.length === 0) return;
  quietly(() => {
    makePrivateFolder(join(stateFolder(environment), "last-gate"));
    appendLines(file, lines);
  });
}

function readLines(file: string): readonly unknown[] {
  try {
    return readFileSync(file, "utf8").split("\n").map(parseJson).filter(Boolean);
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The call is judged once more, which is better than not at all.
  }
}
