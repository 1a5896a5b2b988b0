import type { DecodedEvent } from "../adapters/adapter.ts";
import { builtin } from "../node/builtin.ts";
import { makePrivateFolder } from "../node/files/make-folders.ts";
import { tidy } from "../node/files/tidy.ts";
import { systemCode } from "../node/system-code.ts";
import { stateFolder } from "../node/user-folders.ts";

/** The events at which a hook runs once. */
type Where = Pick<DecodedEvent, "session_id" | "hook_event_name">;

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;
const TIDIED = {
  milliseconds: THIRTY_DAYS,
  bytes: Number.POSITIVE_INFINITY,
  concerns: (name: string) => /^[0-9a-f]{64}$/.test(name),
};

/** True when a `once` hook has run at such an event of this session. Never throws. */
export function hasRunOnce(hook: string, event: Where, environment: NodeJS.ProcessEnv): boolean {
  return builtin.fs.existsSync(onceFile(hook, event, environment));
}

/**
 * Claims the one run of a `once` hook at such an event of this session, with an empty file that only one process can
 * create. False when it has run. Where nothing can be written, the hook runs each time. Never throws.
 */
export function claimOnce(hook: string, event: Where, environment: NodeJS.ProcessEnv): boolean {
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

function onceFile(hook: string, event: Where, environment: NodeJS.ProcessEnv): string {
  const key = JSON.stringify([event.session_id, event.hook_event_name, hook]);
  const name = builtin.crypto.createHash("sha256").update(key).digest("hex");
  return builtin.path.join(stateFolder(environment), "once", name);
}
