import { statSync } from "node:fs";
import { resolve } from "node:path";
import { readModelName } from "../../../../agent/model/model-name.ts";
import { didYouMean } from "../../../../core/base/suggest.ts";
import { enqueue, withRuns } from "../../../../fleet/open-fleet.ts";
import { RUN_AGENTS, type RunAgentName } from "../../../../fleet/run.ts";
import { submitRun } from "../../../../fleet/submit.ts";
import { type CommandRun, textOption, textsOption } from "../../../command-line/command.ts";
import { usageError } from "../../../command-line/usage-error.ts";

const HELP = "tenterhook fleet --help shows the usage.";

/** `tenterhook fleet submit`: adds a run. */
export const run: CommandRun = async (invocation) => {
  const { names, cwd: here } = invocation;
  const task = names.join(" ").trim();
  if (task === "") throw usageError("The task is empty.", HELP);
  const repo = textOption(invocation, "repo");
  const ref = textOption(invocation, "ref");
  const given = textOption(invocation, "cwd");
  if (repo !== undefined && given !== undefined)
    throw usageError("--cwd and --repo: choose one of them.", HELP);
  if (ref !== undefined && repo === undefined) throw usageError("--ref needs --repo.", HELP);
  if (repo?.startsWith("-") === true || ref?.startsWith("-") === true)
    throw usageError("An address or a revision does not begin with a dash.", HELP);
  const cwd = repo === undefined ? resolve(here, given ?? ".") : undefined;
  if (cwd !== undefined && statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usageError(`--cwd: there is no folder ${cwd}.`, HELP);
  const agent = agentOf(textOption(invocation, "agent"));
  const model = modelOf(textOption(invocation, "model"), here, agent);
  const key = textOption(invocation, "key");
  const priority = priorityOf(textOption(invocation, "priority"));
  const needs = textsOption(invocation, "needs");
  const order = { task, agent, priority, model, cwd, repo, ref, key, needs };
  const queued = await withRuns(invocation.environment, (database) => submitRun(database, order));
  await enqueue(invocation.environment, queued, invocation.screen.tell);
  return { json: { run_id: queued.run }, blocks: [queued.run] };
};

/** The worker may run elsewhere, so the path of a script is absolute. */
function modelOf(name: string | undefined, cwd: string, agent: RunAgentName): string | undefined {
  if (name?.startsWith("-") === true) throw usageError("A model does not begin with a dash.", HELP);
  // A program knows its own models.
  if (name === undefined || agent !== "own") return name;
  const model = readModelName(name);
  return model.type === "scripted" ? `scripted:${resolve(cwd, model.file)}` : name;
}

function agentOf(name = "own"): RunAgentName {
  const agent = RUN_AGENTS.find((one) => one === name);
  if (agent !== undefined) return agent;
  throw usageError(
    `--agent: there is no agent ${JSON.stringify(name)} for runs. ${didYouMean(name, RUN_AGENTS)}`.trim(),
    `It is one of ${RUN_AGENTS.join(", ")}.`,
  );
}

function priorityOf(text = "0"): number {
  if (/^-?\d{1,4}$/.test(text) && Math.abs(Number(text)) <= 1000) return Number(text);
  throw usageError("--priority is a whole number from -1000 to 1000.", HELP);
}
