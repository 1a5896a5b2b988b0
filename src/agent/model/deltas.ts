import { decide, endedBy, show } from "../session/fire.ts";
import type { AgentSession, Turn } from "../session/session.ts";

const MILLISECONDS = 100;
const CHARACTERS = 4000;

/** Tells hooks of text while it comes: in batches, and without ever holding the stream up. */
export class StreamDeltas {
  private readonly session: AgentSession;
  private readonly turn: Turn;
  private text = "";
  private told: number;

  constructor(session: AgentSession, turn: Turn) {
    this.session = session;
    this.turn = turn;
    this.told = session.clock.monotonic();
  }

  add(text: string): void {
    this.text += text;
    if (this.text.length >= CHARACTERS || this.session.clock.monotonic() - this.told >= MILLISECONDS)
      this.flush();
  }

  /** Tells what has not been told yet. */
  flush(): void {
    if (this.text === "") return;
    const { session, turn, text } = this;
    this.text = "";
    this.told = session.clock.monotonic();
    const deciding = decide(session, "StreamDelta", { text, usage: turn.usage }, turn.firing);
    if (!(deciding instanceof Promise)) return;
    deciding.then(
      (decision) => {
        show(session, decision);
        if (decision.abort !== undefined) turn.controller.abort(endedBy(decision.abort, "StreamDelta"));
      },
      () => {},
    );
  }
}
