import { grantTrust, reviewTrust } from "tenterhook/config";

/**
 * Trusts what the project around a folder asks for, as `tenterhook trust --yes` does, without starting the program.
 *
 * @throws Error when something of it can't be trusted.
 */
export async function trustProject(cwd: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const review = await reviewTrust({ cwd, environment });
  const problems = review.items.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  await grantTrust(review, { environment });
}
