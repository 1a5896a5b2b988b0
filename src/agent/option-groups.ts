import { checkKeys } from "../core/base/check-options.ts";
import { invalidOption, TenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import type { AgentOptions, AgentParts } from "./options.ts";

/** The groups of options, with the names in each. */
const GROUPS = {
  models: [
    "model_name",
    "fallback",
    "model_settings",
    "prompt_caching",
    "rate_limit",
    "price",
    "contextWindow",
    "resolveModel",
  ],
  session: [
    "session_id",
    "agent_id",
    "agent_type",
    "parent_agent_id",
    "resume",
    "transcript",
    "transcript_path",
    "source",
    "profile",
    "config",
    "checkpoint_messages",
  ],
  context: ["compaction", "memory_files", "findSkills"],
  subagents: ["findAgents", "childStore", "own_hooks", "hookSite"],
  ports: ["clock", "newId", "turnHooks"],
} as const satisfies { readonly [Group in GroupName]: readonly (keyof NonNullable<AgentOptions[Group]>)[] };

type GroupName = "models" | "session" | "context" | "subagents" | "ports";

/**
 * The options of an agent without their groups.
 *
 * @throws TenterhookError `unknown_option` for a name that belongs to a group or to none, `invalid_option` for a group that is
 *   no object.
 */
export function partsOf(options: AgentOptions): AgentParts {
  const { models, session, context, subagents, ports, approval, ...common } = options;
  const groups = { models, session, context, subagents, ports };
  for (const name of Object.keys(GROUPS) as readonly GroupName[]) {
    for (const key of GROUPS[name]) mustBeGrouped(options, key, name);
    const group: unknown = groups[name];
    if (group === undefined) continue;
    if (!isRecord(group)) throw invalidOption(`new Agent: ${name} must be an object.`);
    checkKeys(group, GROUPS[name], `new Agent: ${name}`);
  }
  if (approval !== undefined && typeof approval !== "function" && !isRecord(approval))
    throw invalidOption(
      `new Agent: approval is ${JSON.stringify(approval)}; it must be a function, or an object with ask, timeout, default or answers.`,
    );
  return {
    ...common,
    ...models,
    ...session,
    ...context,
    ...subagents,
    ...ports,
    ...(approval === undefined
      ? {}
      : { approval: typeof approval === "function" ? { ask: approval } : approval }),
  };
}

/** @throws TenterhookError `unknown_option` */
function mustBeGrouped(options: object, key: string, group: GroupName): void {
  if (!Object.hasOwn(options, key)) return;
  throw new TenterhookError(
    "unknown_option",
    `new Agent has no option ${JSON.stringify(key)}: it belongs to ${JSON.stringify(group)}.`,
    { hint: `Write ${group}: { ${key}: … }.` },
  );
}
