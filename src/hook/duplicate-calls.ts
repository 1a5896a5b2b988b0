import {
  closeSync,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { DecodedEvent } from "../adapters/adapter.ts";
import { canonicalJson, sha256 } from "../config/cache/digest.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import { isRecord } from "../core/base/json.ts";
import type { Decision } from "../core/decide/decision.ts";
import { canonicalToolName } from "../core/match/tool-names.ts";
import { checksum } from "../node/checksum.ts";
import { makePrivateFolder } from "../node/files/make-folders.ts";
import { openOwnFile } from "../node/files/own-file.ts";
import { isRunning } from "../node/process/signals.ts";
import { systemCode } from "../node/system-code.ts";
import { cacheFolder } from "../node/user-folders.ts";
import type { HookCall } from "./call.ts";

/*
 * An agent that has us in its settings twice, or reads another agent's settings too, calls us twice for one event. The
 * first call claims the event with a file that holds its process id and the event's key, and in a second line the
 * decision. The second call waits for that line.
 */

/** A call that the agent makes this long after the decision is the same call. */
const SAME_CALL_MILLISECONDS = 2000;
const POLL_MILLISECONDS = 10;
/** How often a process that decides renews the time of its file, and how long others believe an old time. */
const HEARTBEAT_MILLISECONDS = 1000;
const LOST_MILLISECONDS = 15_000;
/** Longer than any agent waits for us. */
const MOST_MILLISECONDS = 60 * 60 * 1000;
/** A longer decision is not shared: the second call decides by itself. */
const MOST_CHARACTERS = 1_000_000;

/** The event is this process's to decide. Its functions never throw. */
export interface Claim {
  /**
   * Shares the decision with calls that wait, and unless `waitingOnly` for two seconds with later ones; also with those
   * for the event as the agent's next hook gets it.
   */
  publish(decision: Decision, waitingOnly: boolean, next?: DecodedEvent): void;
  /** Leaves the event to others: nothing was decided. */
  release(): void;
}

/**
 * Claims an event, or returns what another process decided about the same one. When no claim can be written, the event
 * is decided anyway. Never rejects.
 */
export async function claimEvent(
  event: DecodedEvent,
  config: EventConfig,
  { environment, time: called }: Pick<HookCall, "environment" | "time">,
): Promise<{ readonly claim: Claim } | { readonly decision: Decision }> {
  try {
    const folder = join(cacheFolder(environment), "claims");
    makePrivateFolder(folder);
    removeOld(folder, called);
    const keyFor = await keysOf(config);
    const key = keyFor(event);
    const fileOf = (name: string): string => join(folder, checksum(name));
    const file = fileOf(key);
    const latest = Date.now() + MOST_MILLISECONDS;
    while (Date.now() < latest) {
      const claim = tryClaim(file, key);
      if (claim !== undefined) {
        const publish: Claim["publish"] = (decision, waitingOnly, next) => {
          claim.publish(decision, waitingOnly);
          if (next === undefined) return;
          quietly(() => tryClaim(fileOf(keyFor(next)), keyFor(next))?.publish(decision, false));
        };
        return { claim: { ...claim, publish } };
      }
      const decision = await decidedElsewhere(file, key, called, latest);
      if (decision === "other event") break;
      if (decision !== undefined) return { decision };
      remove(file);
    }
  } catch {
    // Deciding twice is better than not at all.
  }
  return { claim: { publish: () => undefined, release: () => undefined } };
}

function tryClaim(file: string, key: string): Claim | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, "wx", 0o600);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return undefined;
    throw error;
  }
  writeSync(descriptor, `${JSON.stringify({ pid: process.pid, key })}\n`);
  // The time of the file shows that its process is alive, because process ids are used again.
  const heartbeat = setInterval(() => {
    const now = new Date();
    quietly(() => futimesSync(descriptor, now, now));
  }, HEARTBEAT_MILLISECONDS).unref();
  const end = (line: string, removed: boolean): void => {
    clearInterval(heartbeat);
    const tooLong = line.length > MOST_CHARACTERS;
    quietly(() => {
      if (!tooLong) writeSync(descriptor, line);
      closeSync(descriptor);
      if (removed || tooLong) remove(file);
    });
  };
  return {
    publish: (decision, waitingOnly) =>
      end(`${JSON.stringify({ time: Date.now(), decision: { ...decision, runs: [] } })}\n`, waitingOnly),
    release: () => end("", true),
  };
}

/** When this fails, a second call finds the claim lost and decides by itself. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // See above.
  }
}

/**
 * What the process that claimed the event decides; `undefined` when it is gone, or decided too long ago. The name of the
 * file is only a checksum, so another event may have it.
 */
async function decidedElsewhere(
  file: string,
  key: string,
  called: number,
  latest: number,
): Promise<Decision | "other event" | undefined> {
  // It stays open, because the file may be removed while we wait for its second line.
  const descriptor = openOwnFile(file)?.descriptor;
  if (descriptor === undefined) return undefined;
  try {
    for (;;) {
      const { size, mtimeMs } = fstatSync(descriptor);
      const bytes = Buffer.alloc(size);
      const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, size, 0));
      const state = claimState(text, mtimeMs, called);
      if (state === "over") return undefined;
      const [head = ""] = text.split("\n", 1);
      if (text.length > head.length && parsed(head).key !== key) return "other event";
      if (state !== "open") return state;
      if (Date.now() > latest) return undefined;
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A recent decision; `open` while the event is being decided; `over` for anything that no longer counts. */
function claimState(text: string, written: number, called: number): Decision | "open" | "over" {
  const [head = "", line, end] = text.split("\n");
  // Its process may have been ended before it could write its id.
  if (line === undefined) return isRecent(written) ? "open" : "over";
  if (end === undefined)
    return isRunning(Number(parsed(head).pid)) && isRecent(written, LOST_MILLISECONDS) ? "open" : "over";
  const { time, decision } = parsed(line);
  const isSameCall =
    typeof time === "number" &&
    called <= time + SAME_CALL_MILLISECONDS &&
    time <= Date.now() + SAME_CALL_MILLISECONDS;
  return isSameCall && isDecision(decision) ? decision : "over";
}

function isRecent(time: number, milliseconds = SAME_CALL_MILLISECONDS): boolean {
  return Math.abs(Date.now() - time) <= milliseconds;
}

function isDecision(value: unknown): value is Decision {
  return (
    isRecord(value) &&
    ["continue", "allow", "ask", "deny"].some((action) => action === value.action) &&
    [value.context, value.user_messages, value.hook_inputs, value.runs].every(Array.isArray)
  );
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Without `rmSync`, for which Node loads more than for the rest of a claim. */
function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

function removeOld(folder: string, called: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (written === undefined || isRecent(written)) continue;
    if (claimState(readFileSync(file, "utf8"), written, called) === "over") remove(file);
  }
}

/**
 * Names what is decided: a call by the id that the agent gave it, and by a checksum of its content, since ids may be used
 * again; anything else by a digest of its payload, for which `node:crypto` has to be loaded. The configuration has a part
 * in it, so that no decision outlives a change of it.
 */
async function keysOf(config: EventConfig): Promise<(event: DecodedEvent) => string> {
  const { hooks, sites: _, isSame: __, ...rest } = config;
  const known = await Promise.all(hooks.map(async ({ hook, rules }) => [hook, await rules?.lines()]));
  return (event) => {
    const { hook_event_name, session_id, agent_id, tool_use_id, tool_name } = event;
    if (typeof tool_use_id !== "string")
      return sha256(JSON.stringify([hook_event_name, session_id, canonicalJson(event.native), known, rest]));
    const { tool_input, tool_response, error } = event;
    const tool = typeof tool_name === "string" ? canonicalToolName(tool_name) : undefined;
    const content = checksum(JSON.stringify([tool_input, tool_response, error, known, rest]));
    return JSON.stringify([hook_event_name, session_id, agent_id, tool_use_id, tool, content]);
  };
}
