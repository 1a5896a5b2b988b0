import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentItem, AgentResult, Approve } from "../agent.ts";
import { TenterhookError } from "../core/errors.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "./command.ts";
import { showFailure } from "./failures.ts";
import { approveOn, askUserOn } from "./run-task/ask-human.ts";
import { chosenModel, MODES } from "./run-task/choices.ts";
import { type AgentPlan, type OpenedAgent, openAgent } from "./run-task/open-agent.ts";
import { resultLine } from "./run-task/view/result-line.ts";
import { humanView } from "./run-task/view/view.ts";
import { workOn } from "./run-task/work-on.ts";
import { counted, harmless, shortPath, wrapped } from "./screen/text.ts";

/** `tenterhook run`. */
export const run: CommandRun = async (invocation) => {
  const { json, screen, cwd, names } = invocation;
  const task = names.join(" ").trim();
  try {
    if (task === "") throw usageError("There is no task: it is empty.");
    const { stop_reason } = await (json ? runForPrograms : runForPeople)(task, invocation);
    return stop_reason === "complete" ? undefined : 1;
  } catch (error) {
    if (!json || invocation.signal.aborted) throw error;
    // Whoever reads lines must not get one value on many of them.
    const view = { screen: { ...screen, json: screen.jsonLine }, json, cwd };
    return showFailure(error, { ...view, debug: flagOption(invocation, "debug") });
  }
};

async function runForPrograms(task: string, invocation: Invocation): Promise<AgentResult> {
  const { screen, signal } = invocation;
  const onItem = (item: AgentItem): void => screen.jsonLine(item);
  const report = (text: string): void => onItem({ type: "notice", level: "warning", text });
  const opened = await openAgent({ ...plan(invocation), report });
  return workOn(opened, task, { signal, onItem });
}

async function runForPeople(task: string, invocation: Invocation): Promise<AgentResult> {
  const { screen, signal } = invocation;
  const planned = plan(invocation);
  const view = humanView(screen, planned.folder);
  const desk = { paper: view.paper, screen, folder: planned.folder };
  const report = (text: string): void => {
    view.paper.add();
    screen.tell(screen.paintError.yellow(wrapped(harmless(text), screen.width)));
  };
  const asks = screen.interactive ? { approve: approveOn(desk), askUser: askUserOn(desk) } : {};
  // The terminal shows ^C where the cursor is.
  if (screen.interactive) signal.addEventListener("abort", () => screen.write("\n"), { once: true });
  const opened = await openAgent({ ...asks, ...planned, report });
  view.paper.block(screen.paint.dim(introduction(opened, planned.folder)));
  const started = performance.now();
  const result = await workOn(opened, task, { signal, onItem: view.show });
  view.paper.block(resultLine(result, performance.now() - started, screen.paint));
  return result;
}

/** What the command line says of the agent. */
function plan(invocation: Invocation): Omit<AgentPlan, "report"> {
  const { cwd, environment, signal } = invocation;
  const folder = resolve(cwd, textOption(invocation, "cwd") ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usageError(`--cwd: there is no folder ${folder}.`);
  const given = textOption(invocation, "model");
  const mode = MODES.find((name) => name === textOption(invocation, "mode"));
  const iterations = iterationLimit(textOption(invocation, "maxIterations"));
  return {
    folder,
    environment,
    signal,
    model: (config) => chosenModel(config, { given, givenIn: cwd, folder, environment, signal }),
    ...(mode === undefined ? {} : { mode }),
    ...(iterations === undefined ? {} : { limits: { iterations } }),
    ...(flagOption(invocation, "yes") ? { approve: agreed } : {}),
  };
}

/** `--yes`: every question is answered, but what is not trusted stays so. */
const agreed: Approve = ({ kind }) =>
  kind === "turn_hook"
    ? { decision: "refuse", feedback: "The file that names it is not trusted: tenterhook trust." }
    : { decision: "once" };

function iterationLimit(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw usageError(`--max-iterations must be a whole number of 1 or more, not ${given}.`);
}

function usageError(message: string): TenterhookError {
  return new TenterhookError("usage_error", message, {
    hint: "tenterhook run --help shows what can be written here.",
  });
}

function introduction({ model, config, mode }: OpenedAgent, folder: string): string {
  const inForce = config.definitions.filter(({ enabled, untrusted }) => enabled && untrusted === undefined);
  const hooks = `${counted(inForce.length, "hook")} in force`;
  return `${harmless(model)}  ${shortPath(folder, folder)}  mode ${mode}  ${hooks}`;
}
