import { grantTrust } from "./grant.ts";
import type { TrustReview } from "./review.ts";
import { changeTrust, readTrust } from "./store.ts";

/**
 * The name under which trust in clones of a repository is stored: each clone has a folder of its own, so what is trusted is the
 * digest of a review, which is the same wherever the files are the same.
 */
function placeOf(repository: string): string {
  return `repository ${withoutUser(repository)}`;
}

/** The address of a repository without who reads it, and with which password: neither makes it another one. */
export function withoutUser(repository: string): string {
  return repository.replace(/^([a-z][\w+.-]*:\/\/)[^/]*@/i, "$1");
}

/**
 * Trusts what a review has shown in every clone of a repository that has exactly these files, beside what was trusted there before.
 *
 * @throws TenterhookError `state_unwritable` when the state folder can't be written.
 */
export async function trustInClones(
  repository: string,
  { digest }: TrustReview,
  environment?: NodeJS.ProcessEnv,
): Promise<void> {
  await changeTrust(placeOf(repository), environment, (digests) => {
    digests.set(digest, { hash: digest, guards: [], at: new Date().toISOString() });
  });
}

/**
 * Takes back all trust in clones of a repository.
 *
 * @returns how many versions of its files are no longer trusted.
 */
export async function revokeInClones(repository: string, environment?: NodeJS.ProcessEnv): Promise<number> {
  const { size } = readTrust(placeOf(repository), environment).files;
  if (size > 0) await changeTrust(placeOf(repository), environment, (digests) => digests.clear());
  return size;
}

/**
 * Trusts a clone if somebody has trusted these files in clones of its repository.
 *
 * @returns whether an agent may begin in it. Where a version is trusted, or was until somebody took that back, no other one is, not
 * even one without hooks: a commit that takes the guards out opens nothing.
 */
export async function trustClone(
  repository: string,
  review: TrustReview,
  environment?: NodeJS.ProcessEnv,
): Promise<boolean> {
  const { files: digests, file, problem } = readTrust(placeOf(repository), environment);
  if (file === undefined && problem === undefined) return review.state !== "untrusted";
  if (!digests.has(review.digest)) return false;
  await grantTrust(review, { environment });
  return true;
}
