import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DecodedEvent } from "../adapters/adapter.ts";
import { decidingParts } from "../config/cache/config-digest.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import { canonicalJson, sha256 } from "../config/inputs/digest.ts";
import { isRecord, parseJson } from "../core/base/json.ts";
import type { Decision } from "../core/decide/decision.ts";
import { canonicalToolName } from "../core/match/tool-names.ts";
import { checksum } from "../node/checksum.ts";
import { type Claimed, claimedBy, claimFile, type Claim as FileClaim } from "../node/files/claim-file.ts";
import { makePrivateFolder } from "../node/files/folders.ts";
import { cacheFolder } from "../node/user-folders.ts";
import type { HookCall } from "./call.ts";

/*
 * An agent that has us in its settings twice, or reads another agent's settings too, calls us twice for one event. The
 * first call claims the event with a file, and leaves its decision there. The second call waits for that.
 */

/** A call that the agent makes this long after the decision is the same call. */
const SAME_CALL_MILLISECONDS = 2000;
/** How often a call that waits looks, at first and after a while. */
const FIRST_PAUSE_MILLISECONDS = 10;
const LONGEST_PAUSE_MILLISECONDS = 200;
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
    const isOver = ({ text = "" }: Claimed) => sharedIn(text, called) === undefined;
    removeOld(folder, isOver);
    const keyFor = keysOf(config);
    const key = keyFor(event);
    const fileOf = (name: string): string => join(folder, checksum(name));
    const file = fileOf(key);
    const latest = Date.now() + MOST_MILLISECONDS;
    for (let pause = FIRST_PAUSE_MILLISECONDS; Date.now() < latest; pause *= 1.2) {
      const claim = claimFile(file, isOver);
      if (claim !== undefined) {
        const publish: Claim["publish"] = (decision, waitingOnly, next) => {
          share(claim, { key, decision, waitingOnly });
          if (next === undefined) return;
          const nextKey = keyFor(next);
          quietly(() => share(claimFile(fileOf(nextKey), isOver), { key: nextKey, decision }));
        };
        return { claim: { publish, release: () => quietly(() => claim.release()) } };
      }
      const shared = sharedIn(claimedBy(file)?.text ?? "", called);
      // The name of the file is only a checksum, so another event may have it.
      if (shared !== undefined && shared.key !== key) break;
      if (shared !== undefined) return { decision: shared.decision };
      await new Promise((resolve) => setTimeout(resolve, Math.min(pause, LONGEST_PAUSE_MILLISECONDS)));
    }
  } catch {
    // Deciding twice is better than not at all.
  }
  return { claim: { publish: () => undefined, release: () => undefined } };
}

/** What the first call leaves for the second. */
interface Shared {
  readonly key: string;
  readonly decision: Decision;
  /** True when a call that is made after the decision is another one. */
  readonly waitingOnly?: boolean;
}

function share(claim: FileClaim | undefined, { decision, ...facts }: Shared): void {
  const text = JSON.stringify({ ...facts, time: Date.now(), decision: { ...decision, runs: [] } });
  quietly(() => (text.length > MOST_CHARACTERS ? claim?.release() : claim?.write(`${text}\n`)));
}

/** When this fails, a second call finds the claim lost and decides by itself. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // See above.
  }
}

/** What a text shares with a call that was made at this time; `undefined` when it no longer counts, or is not ours. */
function sharedIn(text: string, called: number): Shared | undefined {
  const shared = parseJson(text);
  if (!isRecord(shared)) return undefined;
  const { key, time, decision, waitingOnly } = shared;
  if (typeof key !== "string" || typeof time !== "number" || !isDecision(decision)) return undefined;
  const isSameCall =
    called < (waitingOnly === true ? time : time + SAME_CALL_MILLISECONDS) &&
    time <= Date.now() + SAME_CALL_MILLISECONDS;
  return isSameCall ? { key, decision } : undefined;
}

function isDecision(value: unknown): value is Decision {
  return (
    isRecord(value) &&
    ["continue", "allow", "ask", "deny"].some((action) => action === value.action) &&
    [value.context, value.user_messages, value.hook_inputs, value.runs].every(Array.isArray)
  );
}

function removeOld(folder: string, isOver: (left: Claimed) => boolean): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (written === undefined || Math.abs(Date.now() - written) <= SAME_CALL_MILLISECONDS) continue;
    claimFile(file, isOver)?.release();
  }
}

/**
 * Names what is decided: a call by the id that the agent gave it, and by a checksum of its content, since ids may be used
 * again; anything else by a digest of its payload, for which `node:crypto` has to be loaded. The configuration has a part
 * in it, so that no decision outlives a change of it.
 */
function keysOf(config: EventConfig): (event: DecodedEvent) => string {
  const parts = decidingParts(config);
  return (event) => {
    const { hook_event_name, session_id, agent_id, tool_use_id, tool_name } = event;
    if (typeof tool_use_id !== "string")
      return sha256(JSON.stringify([hook_event_name, session_id, canonicalJson(event.native), ...parts]));
    const { tool_input, tool_response, error } = event;
    const tool = typeof tool_name === "string" ? canonicalToolName(tool_name) : undefined;
    const content = checksum(JSON.stringify([tool_input, tool_response, error, ...parts]));
    return JSON.stringify([hook_event_name, session_id, agent_id, tool_use_id, tool, content]);
  };
}
