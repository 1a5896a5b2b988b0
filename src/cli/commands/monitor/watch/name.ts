import { basename, join } from "node:path";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { claimFile } from "../../../../node/files/claim-file.ts";
import { makePrivateFolder } from "../../../../node/files/folders.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import { usageError } from "../../../command-line/usage-error.ts";

const MOST_AGENTS = 1000;

export function agentFolder(agent: string, environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "agents", agent);
}

/**
 * Takes the wanted name, or the first free one of `claude-1`, `claude-2` and so on, until it is released.
 *
 * @param running the agents that the monitor knows to run, with or without `tenterhook run`.
 * @throws TenterhookError `usage_error` for an invalid name, or one that another running agent has;
 * `state_unwritable`.
 */
export function takeName(
  wanted: string | undefined,
  program: string,
  environment: NodeJS.ProcessEnv,
  running: ReadonlySet<string>,
) {
  if (wanted !== undefined) {
    const taken = running.has(wanted) ? undefined : tryName(agentId(wanted), environment);
    if (taken !== undefined) return taken;
    throw usageError(
      `An agent with the name ${JSON.stringify(wanted)} is running.`,
      "Choose another name. tenterhook agents shows those that are taken.",
    );
  }
  const base =
    basename(program)
      .replaceAll(/[^\w.-]/g, "")
      .replace(/^[^A-Za-z0-9]+/, "") || "agent";
  for (let number = 1; number < MOST_AGENTS; number += 1) {
    const name = `${base.slice(0, 80)}-${number}`;
    const taken = running.has(name) ? undefined : tryName(name, environment);
    if (taken !== undefined) return taken;
  }
  throw usageError(`Too many agents of ${base} are running.`, "Name this one: --name NAME.");
}

function tryName(agent: string, environment: NodeJS.ProcessEnv) {
  const folder = agentFolder(agent, environment);
  try {
    makePrivateFolder(folder);
    const claim = claimFile(join(folder, "lock"));
    return claim && { agent, release: () => claim.release() };
  } catch (cause) {
    throw new TenterhookError("state_unwritable", `${folder} can't be written.`, { cause });
  }
}

/**
 * Checks an agent's id, which becomes part of commands and file names.
 *
 * @throws TenterhookError `usage_error`.
 */
export function agentId(given: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,99}$/.test(given)) return given;
  if (given === "")
    throw usageError("Which agent?", "Give its id; where --agent takes it, TENTERHOOK_AGENT_ID does too.");
  throw usageError(
    `${JSON.stringify(given)} is not an agent id.`,
    "An id has letters, digits, dots, dashes and underscores, at most 100.",
  );
}
