import { existsSync } from "node:fs";
import { join } from "node:path";
import { scriptedModel } from "../agent.ts";
import { readJournal, recordedStats } from "../open.ts";
import { type CommandRun, flagOption } from "./command.ts";
import { narrator } from "./demo/narrator.ts";
import { makeScratch, type Scratch } from "./demo/scratch.ts";
import { LAST_WORDS, TASK } from "./demo/story.ts";
import { type AgentPlan, openAgent } from "./run-task/open-agent.ts";
import { resultLine } from "./run-task/view/result-line.ts";
import { humanView } from "./run-task/view/view.ts";
import { workOn } from "./run-task/work-on.ts";
import type { Screen } from "./screen/screen.ts";
import { counted, harmless, padded } from "./screen/text.ts";

/** `tenterhook demo`. */
export const run: CommandRun = async (invocation) => {
  const { json, environment, signal } = invocation;
  const screen = json ? withoutWords(invocation.screen) : invocation.screen;
  const keep = flagOption(invocation, "keep");
  const scratch = await makeScratch(environment, { keep, signal });
  const { workspace, managedFile } = scratch;
  const view = humanView(screen, workspace);
  const { begin, steps } = narrator(view.paper, screen, signal);
  const plan: AgentPlan = {
    folder: workspace,
    environment: scratch.environment,
    managedFile,
    signal,
    mode: "accept-edits",
    model: async () => scriptedModel(steps, "demo"),
    report: (text) => view.paper.block(screen.paint.yellow(harmless(text))),
  };
  try {
    view.paper.block(...introduction(scratch, screen));
    await begin();
    const opened = await openAgent(plan);
    const started = performance.now();
    const result = await workOn(opened, TASK, { signal, onItem: json ? screen.jsonLine : view.show });
    view.paper.block(resultLine(result, performance.now() - started, screen.paint));
    if (signal.aborted) return 1;
    view.paper.block(...(await whatHooksDid(scratch, screen, signal)));
    view.paper.block(...whatNext(scratch, keep, screen));
    return result.text === LAST_WORDS ? undefined : 1;
  } finally {
    if (!keep) scratch.remove();
  }
};

/** A screen on which nothing is told: a program reads the items. */
function withoutWords(screen: Screen): Screen {
  return { ...screen, interactive: false, print: () => {}, write: () => {} };
}

function introduction({ workspace }: Scratch, { paint }: Screen): readonly string[] {
  return [
    "A scripted agent works in a scratch folder, with real tools and real hooks.",
    "Every hook is in .tenterhook/hooks.yaml there; nothing of yours is touched.",
    paint.dim(workspace),
    "",
    `${paint.bold("Task:")} ${TASK}`,
  ];
}

/** What the journal holds of the run: the same that `tenterhook stats` shows. */
async function whatHooksDid(
  { home, environment }: Scratch,
  { paint }: Screen,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const all = await recordedStats(readJournal({ environment, signal }));
  // Packs have many hooks, most of which had nothing to say.
  const stats = all.filter(({ name, denials }) => denials > 0 || !name.startsWith("safe-shell-"));
  const width = Math.max(0, ...stats.map(({ name }) => name.length));
  const safe = existsSync(join(home, "years-of-work.txt"));
  return [
    paint.bold("What the hooks did"),
    ...stats.map(
      ({ name, runs, denials }) =>
        `  ${padded(name, width)}  ${counted(runs, "run")}${denials === 0 ? "" : `, ${counted(denials, "denial")}`}`,
    ),
    ...(safe ? ["", paint.green("~/years-of-work.txt is still there.")] : []),
  ];
}

function whatNext({ root }: Scratch, keep: boolean, { paint }: Screen): readonly string[] {
  return [
    keep ? `The scratch folder is ${root}.` : "The scratch folder is gone.",
    "",
    paint.bold("Try it yourself"),
    "  tenterhook init              a first configuration for your project",
    "  tenterhook explain -         why a call would be denied, or not",
    "  tenterhook install claude    the same hooks for an agent you have already",
    '  tenterhook run "a task"      this agent with a model of yours',
  ];
}
