import type { DecodedEvent } from "../../adapters/adapter.ts";
import { builtin } from "../../node/builtin.ts";
import { makePrivateFolder } from "../../node/files/make-folders.ts";
import { tidy } from "../../node/files/tidy.ts";
import { systemCode } from "../../node/system-code.ts";
import { stateFolder } from "../../node/user-folders.ts";

/*
 * A process sees one event of a session, and several decide at the same time. So each turn of a `once` hook is an empty
 * file, which only one of them can make.
 */

type Turn = Pick<DecodedEvent, "session_id" | "hook_event_name">;

const NAME = /^[0-9a-f]{64}$/;
const KEPT = {
  milliseconds: 30 * 24 * 60 * 60 * 1000,
  bytes: Number.POSITIVE_INFINITY,
  concerns: (name: string) => NAME.test(name),
};

/** True when a `once` hook has had its turn at such an event in this session. Never throws. */
export function hasHadTurn(hook: string, event: Turn, environment: NodeJS.ProcessEnv): boolean {
  return builtin.fs.existsSync(fileOf(hook, event, environment));
}

/**
 * Takes the turn of a `once` hook at such an event of this session. False when it has been taken, be it a moment ago by
 * another process. Where nothing can be written the hook is asked each time. Never throws.
 */
export function takeTurn(hook: string, event: Turn, environment: NodeJS.ProcessEnv): boolean {
  try {
    const folder = folderOf(environment);
    makePrivateFolder(folder);
    tidy(folder, KEPT);
    builtin.fs.writeFileSync(fileOf(hook, event, environment), "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    return systemCode(error) !== "EEXIST";
  }
}

function folderOf(environment: NodeJS.ProcessEnv): string {
  return builtin.path.join(stateFolder(environment), "once");
}

function fileOf(hook: string, event: Turn, environment: NodeJS.ProcessEnv): string {
  const whole = JSON.stringify([event.session_id, event.hook_event_name, hook]);
  return builtin.path.join(
    folderOf(environment),
    builtin.crypto.createHash("sha256").update(whole).digest("hex"),
  );
}
