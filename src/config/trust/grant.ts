import { Inputs } from "../inputs.ts";
import type { LoadOptions } from "../load.ts";
import type { TrustReview } from "./review.ts";
import { changeTrust } from "./store.ts";

/** Which of the items, and where the state is kept. */
export interface GrantOptions {
  /** Where HOME and XDG_STATE_HOME are looked up. Default: this process's. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Only these, by id. Default: all. */
  readonly only?: readonly string[];
}

/**
 * Trusts what a review has shown, exactly as it was then: what has changed since stays untrusted. Items with a problem
 * are left out; removed ones are forgotten. Takes effect at the next event, in running processes too.
 *
 * @throws TenterhookError `state_unwritable` when the state folder can't be written.
 */
export async function grantTrust(review: TrustReview, options: GrantOptions = {}): Promise<void> {
  const { environment, only } = options;
  const chosen = review.items.filter(({ id }) => only?.includes(id) ?? true);
  const at = new Date().toISOString();
  await changeTrust(review.root, environment, (items) => {
    for (const { id, hash, text, state, problem } of chosen) {
      if (state !== "removed" && problem === undefined) items.set(id, { hash, text, at });
      // Unless somebody has trusted it anew since.
      else if (state === "removed" && items.get(id)?.hash === hash) items.delete(id);
    }
  });
}

/**
 * Takes back everything this user has trusted of the project, or only some items of it. Works with files that can't be
 * read, too.
 *
 * @returns how many items are no longer trusted.
 * @throws TenterhookError `state_unwritable` when the state folder can't be written.
 */
export async function revokeTrust(options: LoadOptions & Pick<GrantOptions, "only">): Promise<number> {
  const { discover } = await import("../discover.ts");
  const findings = { problems: [], warnings: [], inputs: new Inputs() };
  const { project, cwd } = await discover(options, findings);
  let revoked = 0;
  await changeTrust(project?.root ?? cwd, options.environment, (items) => {
    const ids = [...items.keys()].filter((id) => options.only?.includes(id) ?? true);
    revoked = ids.length;
    for (const id of ids) items.delete(id);
  });
  return revoked;
}
