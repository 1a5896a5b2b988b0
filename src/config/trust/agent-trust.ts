import { join } from "node:path";
import { discover } from "../discover.ts";
import type { AgentHooks } from "../hook-toml.ts";
import { Inputs } from "../inputs.ts";
import { claimsOf } from "./claims.ts";
import { readTrust } from "./store.ts";
import { whyNot } from "./verdict.ts";

/** True when this user trusts every program of a workspace's `.agent/hook.toml` as it is. */
export async function isTrustedAgent(workspace: string, hooks: AgentHooks): Promise<boolean> {
  const inputs = new Inputs();
  const { cwd, project } = await discover({ cwd: workspace }, { problems: [], warnings: [], inputs });
  const file = join(cwd, ".agent", "hook.toml");
  const root = project === undefined ? {} : { project: { root: project.root } };
  const claims = claimsOf({ cwd, ...root, layers: [], warnings: [], agent: { file, hooks } }, inputs);
  const why = whyNot(claims, readTrust(claims.root));
  return Object.keys(hooks).every((name) => why(claims.ofAgentHook(file, name)) === undefined);
}
