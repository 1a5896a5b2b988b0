import { Inputs } from "../inputs/inputs.ts";
import type { LoadOptions } from "../load.ts";
import type { TrustReview } from "./review.ts";
import { changeTrust, readTrust } from "./store.ts";
import { idOf } from "./trustable.ts";

/** Options of grantTrust. */
export interface GrantOptions {
  /** The environment with HOME and XDG_STATE_HOME. Default: this process's. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Only these, by id. Default: all. */
  readonly only?: readonly string[];
}

/** The longest text that is stored for a later review, and the longest of all together. */
const MOST_KEPT = 200_000;
const MOST_KEPT_OF_ALL = 10_000_000;

/**
 * Trusts what a review has shown, exactly as it was then: what has changed since stays untrusted. Files with a problem
 * are left out. That removed ones are gone is accepted; should they come back as they were, they are trusted. Takes effect at the next event, in running processes too.
 *
 * @throws TenterhookError `state_unwritable` when the state folder can't be written.
 */
export async function grantTrust(review: TrustReview, options: GrantOptions = {}): Promise<void> {
  const { environment, only } = options;
  const chosen = review.items.filter(({ id }) => only?.includes(id) ?? true);
  const at = new Date().toISOString();
  for (const root of new Set(chosen.map((item) => item.root))) {
    await changeTrust(root, environment, (files) => {
      let stored = [...files.values()].reduce((sum, { text = "" }) => sum + text.length, 0);
      for (const { key, hash, text, guards, state, problem } of chosen.filter((item) => item.root === root)) {
        if (state !== "removed" && problem === undefined) {
          const fits = text.length <= MOST_KEPT && stored + text.length <= MOST_KEPT_OF_ALL;
          stored += fits ? text.length : 0;
          files.set(key, { hash, at, guards, ...(fits ? { text } : {}) });
        }
        const known = files.get(key);
        // Unless somebody has trusted it again since.
        if (state === "removed" && known?.hash === hash) files.set(key, { ...known, gone: true });
      }
    });
  }
}

/**
 * Takes back everything this user has trusted of the projects around the working folder, or only some files of it. Works with files that can't be
 * read, too.
 *
 * @returns how many files are no longer trusted.
 * @throws TenterhookError `state_unwritable` when the state folder can't be written.
 */
export async function revokeTrust(options: LoadOptions & Pick<GrantOptions, "only">): Promise<number> {
  const { discover } = await import("../find/discover.ts");
  const { folders, root: nearest } = await discover(options, new Inputs());
  let revoked = 0;
  for (const root of folders) {
    const { files: trusted } = readTrust(root, options.environment);
    const keys = [...trusted.keys()].filter(
      (key) => options.only?.includes(idOf(key, root, nearest)) ?? true,
    );
    if (keys.length === 0 && root !== nearest) continue;
    await changeTrust(root, options.environment, (files) => {
      for (const key of keys) files.delete(key);
    });
    revoked += keys.length;
  }
  return revoked;
}
