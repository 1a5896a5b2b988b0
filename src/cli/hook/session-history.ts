import type { DecodedEvent } from "../../adapters/adapter.ts";
import { builtin } from "../../node/builtin.ts";
import { endOfFile } from "../../node/files/end-of-file.ts";
import { makePrivateFolder } from "../../node/files/make-folders.ts";
import { tidy } from "../../node/files/tidy.ts";
import { systemCode } from "../../node/system-code.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { journalFile, journalFolder, lastRotated } from "../../stores/journal/files.ts";
import { readRecord, recordedId } from "../../stores/journal/record.ts";

/*
 * What a process that sees one event must know of the session's earlier events: which `once` hooks have run, and how
 * often a turn was continued.
 */

type Turn = Pick<DecodedEvent, "session_id" | "hook_event_name">;

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;
const TIDIED = {
  milliseconds: THIRTY_DAYS,
  bytes: Number.POSITIVE_INFINITY,
  concerns: (name: string) => /^[0-9a-f]{64}$/.test(name),
};

/** True when a `once` hook has run at such an event of this session. Never throws. */
export function hasRunOnce(hook: string, event: Turn, environment: NodeJS.ProcessEnv): boolean {
  return builtin.fs.existsSync(onceFile(hook, event, environment));
}

/**
 * Claims the one run of a `once` hook at such an event of this session, with an empty file that only one process can
 * create. False when it has run. Where nothing can be written, the hook runs each time. Never throws.
 */
export function claimOnce(hook: string, event: Turn, environment: NodeJS.ProcessEnv): boolean {
  const file = onceFile(hook, event, environment);
  try {
    const folder = builtin.path.dirname(file);
    makePrivateFolder(folder);
    tidy(folder, TIDIED);
    builtin.fs.writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    return systemCode(error) !== "EEXIST";
  }
}

function onceFile(hook: string, event: Turn, environment: NodeJS.ProcessEnv): string {
  const key = JSON.stringify([event.session_id, event.hook_event_name, hook]);
  const name = builtin.crypto.createHash("sha256").update(key).digest("hex");
  return builtin.path.join(stateFolder(environment), "once", name);
}

/** No more of a session's journal is read. */
const MOST_BYTES = 4_000_000;

/**
 * How often hooks have continued this turn. For an agent that says whether it was continued (`stop_hook_active`), a turn
 * begins with a prompt or with a stop for which that is false; for others, after the last stop that no hook prevented.
 * Never throws.
 */
export function continuationsBefore(event: DecodedEvent, environment: NodeJS.ProcessEnv): number {
  if (event.stop_hook_active === false) return 0;
  const agent = event.agent_id ?? event.session_id;
  let count = 0;
  for (const { event: earlier, decision } of sessionRecords(event.session_id, environment).toReversed()) {
    if ((earlier.agent_id ?? event.session_id) !== agent) continue;
    if (earlier.hook_event_name === "UserPromptSubmit") break;
    if (earlier.hook_event_name !== event.hook_event_name) continue;
    if (decision?.keep_going !== undefined) count += 1;
    else if (event.stop_hook_active !== true) break;
    // What was counted then need not be counted again, and may be too long ago to be read.
    if (typeof earlier.continuations === "number") return count + earlier.continuations;
    if (earlier.stop_hook_active === false) break;
  }
  return count;
}

/** The session's records in the current journal file and in the one before it. */
function sessionRecords(sessionId: string, environment: NodeJS.ProcessEnv) {
  const session = recordedId(sessionId);
  const folder = journalFolder(environment);
  const rotated = lastRotated(folder, session);
  return [...(rotated === undefined ? [] : [rotated]), journalFile(folder, session)]
    .flatMap((file) => endOfFile(file, MOST_BYTES).split("\n"))
    .flatMap((line) => {
      const record = readRecord(line);
      return record?.session_id === session ? [record] : [];
    });
}
