import { setTimeout as sleep } from "node:timers/promises";
import type { ScriptStep } from "../../../../models/script-step.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";
import { wrapped } from "../../../command-line/screen/text.ts";
import type { Paragraphs } from "../run/view/paragraphs.ts";
import { CHAPTERS, type Chapter } from "./story.ts";

/** Time to read a chapter's head; in a pipe nobody waits. */
const READING_MILLISECONDS = 1200;

const WIDEST = 80;

/** Tells what each chapter shows. */
export interface Narrator {
  /** The chapters that begin before the model is asked for the first time. */
  begin(): Promise<void>;
  /** The chapter that a process of its own shows. */
  process(which: NonNullable<Chapter["process"]>): Promise<void>;
  /** The steps of the script; the first of each chapter tells its head when it is reached. */
  readonly steps: readonly (ScriptStep | (() => Promise<ScriptStep>))[];
}

/** A narrator for a screen. */
export function narrator(paragraphs: Paragraphs, screen: Screen, signal: AbortSignal): Narrator {
  const tell = async (chapter: Chapter): Promise<void> => {
    const { bold, cyan, dim } = screen.paint;
    const number = `${CHAPTERS.indexOf(chapter) + 1}/${CHAPTERS.length}`;
    const text = wrapped(chapter.explains, Math.min(WIDEST, screen.width), " ".repeat(number.length + 2));
    paragraphs.block(`${cyan(`${number}  `)}${bold(chapter.title)}`, ...text.split("\n").map(dim));
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
