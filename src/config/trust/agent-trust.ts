import { realpath } from "node:fs/promises";
import type { AgentFile } from "../find/hook-toml.ts";
import type { OwnedHooks } from "../find/owned-hooks.ts";
import { fileValue, Inputs } from "../inputs/inputs.ts";
import { readTrust } from "./store.ts";
import { trustablesOf } from "./trustables.ts";
import { whyNot } from "./verdict.ts";

/** True when the user trusts an `.agent/hook.toml` as it was read, and every program of it. */
export function isTrustedAgent(agent: AgentFile): boolean {
  const { folder } = agent;
  const read = { cwd: folder, root: folder, folders: [], units: [], warnings: [], agent };
  const trustables = trustablesOf(read, new Inputs());
  const why = whyNot(trustables, new Map([[folder, readTrust(folder)]]));
  return Object.keys(agent.hooks).every((name) => why(trustables.ofAgentHook(name)) === undefined);
}

/**
 * Whether the user trusts a skill or a kind of subagent of a workspace as it is, with everything its hooks run.
 *
 * @returns why not; or a function that says right before a hook runs what has changed since.
 */
export async function trustOfOwned(
  workspace: string,
  owned: OwnedHooks,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly untrusted: string } | { readonly refusal: () => string | undefined }> {
  const cwd = await realpath(workspace);
  const read = { cwd, root: cwd, folders: [], units: [], warnings: [], owned: [owned] };
  const trustables = trustablesOf(read, new Inputs());
  const ids = trustables.ofOwned(owned.file);
  const untrusted = whyNot(trustables, new Map([[cwd, readTrust(cwd, environment)]]))(ids);
  if (untrusted !== undefined) return { untrusted };
  const files = ids.flatMap((id) => trustables.all.get(id)?.file ?? []);
  const values = files.map((file) => [file, file === owned.file ? owned.value : fileValue(file)] as const);
  return {
    refusal: () => {
      const changed = values.find(([file, value]) => fileValue(file) !== value);
      return changed && `${changed[0]} has changed since it was trusted.`;
    },
  };
}
