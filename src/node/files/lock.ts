import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { Lock } from "../../core/ports.ts";
import { stateFolder } from "../user-folders.ts";
import { claimedBy, claimFile } from "./claim-file.ts";
import { makeFolders } from "./make-folders.ts";
import { tidy } from "./tidy.ts";

const KEPT = { milliseconds: 24 * 60 * 60 * 1000, bytes: Number.POSITIVE_INFINITY, concerns: () => true };
const PAUSE_MILLISECONDS = 15;

/**
 * The file that stands for a lock which all processes of this user share.
 *
 * @throws the file system's error.
 */
export function lockFile(key: string): string {
  const folder = join(stateFolder(), "locks");
  makeFolders(folder);
  tidy(folder, KEPT);
  return join(folder, createHash("sha256").update(key).digest("hex").slice(0, 32));
}

/** A lock between all agents of this user, in whichever process. One whose process has ended is free. */
export const userLock: Lock = async ({ key, who, milliseconds, signal }) => {
  const file = lockFile(`hook ${key}`);
  const latest = performance.now() + milliseconds;
  for (;;) {
    const claim = claimFile(file, ({ holder }) => holder === "gone");
    if (claim !== undefined) {
      claim.write(who);
      return () => claim.release();
    }
    if (performance.now() > latest)
      throw new Error(`${claimedBy(file)?.text ?? "Another agent"} holds it. Try again later.`);
    await after(PAUSE_MILLISECONDS, undefined, { signal });
  }
};
