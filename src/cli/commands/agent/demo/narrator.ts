import { setTimeout as sleep } from "node:timers/promises";
import type { ScriptStep } from "../../../../agent/models/script-step.ts";
import type { RunView } from "../../../../terminal/run/run-view.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";
import { wrapped } from "../../../command-line/screen/text.ts";
import { CHAPTERS, type Chapter } from "./story.ts";

/** Time to read the head of a chapter on a terminal. */
const READING_MILLISECONDS = 1200;

const WIDEST = 80;

export interface Narrator {
  /** Tells the chapters before the first call of the model. */
  begin(): Promise<void>;
  /** Tells the chapter that a separate process shows. */
  process(which: NonNullable<Chapter["process"]>): Promise<void>;
  /** The steps of the script; the first of each chapter tells its head. */
  readonly steps: readonly (ScriptStep | (() => Promise<ScriptStep>))[];
}

export function narrator(view: RunView, screen: Screen, signal: AbortSignal): Narrator {
  const tell = async (chapter: Chapter): Promise<void> => {
    const { bold, cyan, dim } = screen.paint;
    const number = `${CHAPTERS.indexOf(chapter) + 1}/${CHAPTERS.length}`;
    const text = wrapped(chapter.explains, Math.min(WIDEST, screen.width - 4), " ".repeat(number.length + 2));
    const lines = [`${cyan(`${number}  `)}${bold(chapter.title)}`, ...text.split("\n").map(dim)];
    view.add({ type: "lines", lines });
    if (screen.interactive) await sleep(READING_MILLISECONDS, undefined, { signal });
  };
  return {
    begin: async () => {
      for (const chapter of CHAPTERS) {
        if (chapter.steps.length > 0) break;
        await tell(chapter);
      }
    },
    process: async (which) => {
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
