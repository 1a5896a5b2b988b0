import type { AnswerTime } from "../../core/contracts/approval.ts";
import { cutOff, endedRun } from "../cells/reduce.ts";
import { showChat } from "../chat/show-chat.tsx";
import { NEW_CHAT } from "../chat/state.ts";
import { Watched } from "../chat/watched.ts";
import type { OpenedRun, RunPlace, RunView } from "./run-view.ts";

export interface WatchedPlace extends RunPlace {
  readonly signal: AbortSignal;
  /** Ends what the agent does, as Ctrl-C would. */
  interrupt(): void;
}

/** A run on a terminal: as a conversation is shown, without an input line. */
export function watchedRun(place: WatchedPlace): RunView {
  const run = new WatchedRun(place);
  const shown = showChat(run, { paint: place.paint, signal: place.signal });
  return {
    onItem: run.onItem,
    asks: { approval: run.approval, askUser: run.askUser },
    report: run.report,
    add: (...cells) => run.add(...cells),
    opened: (agent) => run.opened(agent),
    cutOff: () => run.change((state) => ({ ...state, cells: cutOff(state.cells) })),
    lose: (lost) => run.change((state) => ({ ...state, cells: { ...state.cells, lost } })),
    end: async () => {
      run.change((state) => ({ ...state, cells: endedRun(state.cells) }));
      run.leave();
      await shown;
      await run.close();
    },
  };
}

class WatchedRun extends Watched {
  #answer_time: AnswerTime | undefined;
  readonly #interrupt: () => void;

  constructor(place: WatchedPlace) {
    super(place, { ...NEW_CHAT, watches: true, busySince: place.now() });
    this.#interrupt = place.interrupt;
  }

  override get answer_time(): AnswerTime | undefined {
    return this.#answer_time;
  }

  override interrupt(): void {
    this.#interrupt();
  }

  opened({ model, hookCount, answer_time }: OpenedRun): void {
    this.#answer_time = answer_time;
    this.change((state) => ({ ...state, model, hookCount }));
  }
}
