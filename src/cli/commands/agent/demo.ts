import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scriptedModel } from "../../../agent.ts";
import { readJournal, recordedStats } from "../../../project.ts";
import type { RunView } from "../../../terminal/run/run-view.ts";
import { type CommandRun, flagOption } from "../../command-line/command.ts";
import type { Screen } from "../../command-line/screen/screen.ts";
import { counted, padded, wrapped } from "../../command-line/screen/text.ts";
import { COMMAND, killedRelease, published, resumedRelease } from "./demo/release.ts";
import { makeScratch, type Scratch } from "./demo/scratch.ts";
import { CHAPTERS, type Chapter, LAST_WORDS, TASK } from "./demo/story.ts";
import { type AgentPlan, openAgent, workOn } from "./run/open-agent.ts";
import { resultLine } from "./run/result-lines.ts";
import { runViewOn } from "./run/run-view.ts";

export const run: CommandRun = async (invocation) => {
  const { json, environment, signal } = invocation;
  const silent = { interactive: false, print: () => {}, write: () => {} };
  const screen = json ? { ...invocation.screen, ...silent } : invocation.screen;
  const keep = flagOption(invocation, "keep");
  const scratch = await makeScratch(environment, { keep, signal });
  const { workspace, managedFile } = scratch;
  const view = await runViewOn(screen, workspace, signal);
  const add = (...lines: readonly string[]): void => view.add({ type: "lines", lines });
  const story = narrator(view, screen, signal);
  const plan: AgentPlan = {
    folder: workspace,
    environment: scratch.environment,
    managedFile,
    signal,
    mode: "accept-edits",
    model: async () => scriptedModel(story.steps, "demo"),
    report: view.report,
  };
  try {
    add(...introduction(scratch, screen));
    const opened = await openAgent(plan);
    view.opened({ ...opened, hookCount: opened.hooks.list().length });
    const started = performance.now();
    const watching = { signal, onItem: json ? screen.jsonLine : view.onItem };
    const result = await workOn(opened, TASK, watching);
    add(resultLine(result, performance.now() - started, screen.paint));
    if (signal.aborted) return 1;
    const goesOn = await killAndResume(scratch, story, watching, { screen, view });
    add(...(await whatHooksDid(scratch, screen, signal)));
    add(...whatNext(scratch, keep, screen));
    return result.text === LAST_WORDS && goesOn ? undefined : 1;
  } finally {
    await view.end();
    if (!keep) scratch.remove();
  }
};

/** Kills one process and resumes its session in another one. Returns whether all went as the story tells. */
async function killAndResume(
  scratch: Scratch,
  story: ReturnType<typeof narrator>,
  watching: Parameters<typeof workOn>[2],
  { screen, view }: { readonly screen: Screen; readonly view: RunView },
): Promise<boolean> {
  const { dim, red } = screen.paint;
  const say = (line: string): void => view.add({ type: "lines", lines: [line] });
  await scratch.addTurnProgram();
  await story.process("killed");
  say(dim(`$ ${COMMAND.run}`));
  const killed = await killedRelease(scratch, watching);
  view.cutOff();
  if ("problem" in killed) {
    view.report(killed.problem);
    return false;
  }
  const { pid, session_id } = killed;
  say(red(`SIGKILL: process ${pid} is gone.`));
  await story.process("resumed");
  say(dim(`$ ${COMMAND.resume(session_id)}`));
  const failed = await resumedRelease(scratch, session_id, watching);
  if (failed !== undefined) view.report(failed.problem);
  return failed === undefined;
}

function introduction({ workspace }: Scratch, { paint }: Screen): readonly string[] {
  return [
    "A scripted agent works in a scratch folder, with real tools and real hooks.",
    "Every hook is in .tenterhook/hooks.yaml there; your own files are not touched.",
    paint.dim(workspace),
    "",
    `${paint.bold("Task:")} ${TASK}`,
  ];
}

/** The same numbers that `tenterhook log --stats` shows. */
async function whatHooksDid(
  scratch: Scratch,
  { paint }: Screen,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { home, environment } = scratch;
  const all = await recordedStats(readJournal({ environment, signal }));
  // Packs have many hooks, most of which did nothing.
  const stats = all.filter(({ name, denials }) => denials > 0 || !name.startsWith("safe-shell-"));
  const width = Math.max(0, ...stats.map(({ name }) => name.length));
  const once = published(scratch).length === 1;
  const safe = existsSync(join(home, "years-of-work.txt"));
  return [
    paint.bold("What the hooks did"),
    ...stats.map(
      ({ name, runs, denials }) =>
        `  ${padded(name, width)}  ${counted(runs, "run")}${denials === 0 ? "" : `, ${counted(denials, "denial")}`}`,
    ),
    ...(safe ? ["", paint.green("~/years-of-work.txt is still there.")] : []),
    ...(once ? [paint.green("published.log has one line.")] : []),
  ];
}

function whatNext({ root }: Scratch, keep: boolean, { paint }: Screen): readonly string[] {
  return [
    keep ? `The scratch folder is ${root}.` : "The scratch folder was removed.",
    "",
    paint.bold("Try it yourself"),
    "  npx tenterhook                     guard the agents you have",
    '  npx tenterhook explain "rm -rf ~"  why a command would be denied, or not',
    '  npx tenterhook run "a task"        this agent with a model of yours',
  ];
}

/** Time to read the head of a chapter on a terminal. */
const READING_MILLISECONDS = 1200;

const WIDEST = 80;

/** Tells the chapters: each with its first step, and those of other processes. */
function narrator(view: RunView, screen: Screen, signal: AbortSignal) {
  const tell = async (chapter: Chapter): Promise<void> => {
    const { bold, cyan, dim } = screen.paint;
    const number = `${CHAPTERS.indexOf(chapter) + 1}/${CHAPTERS.length}`;
    const text = wrapped(chapter.explains, Math.min(WIDEST, screen.width - 4), " ".repeat(number.length + 2));
    const lines = [`${cyan(`${number}  `)}${bold(chapter.title)}`, ...text.split("\n").map(dim)];
    view.add({ type: "lines", lines });
    if (screen.interactive) await sleep(READING_MILLISECONDS, undefined, { signal });
  };
  return {
    process: async (which: NonNullable<Chapter["process"]>) => {
      for (const chapter of CHAPTERS) if (chapter.process === which) await tell(chapter);
    },
    steps: CHAPTERS.flatMap((chapter) =>
      chapter.steps.map((step, at) =>
        at > 0
          ? step
          : async () => {
              await tell(chapter);
              return step;
            },
      ),
    ),
  };
}
