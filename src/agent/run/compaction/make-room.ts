import { withMarks } from "../../messages/marks.ts";
import { CHARACTERS_PER_TOKEN } from "../../messages/message-tokens.ts";
import { withShortResult } from "../../messages/shorten.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { keptTokens, thresholdOf, tokensNow } from "../session/tokens.ts";
import { compact } from "./compact.ts";

/** How much of what a model refused as too long it probably takes. */
const SHARE_OF_REFUSED = 0.8;

type Step = (turn: Turn) => boolean | Promise<boolean>;

const summary =
  (share: number): Step =>
  (turn) => {
    const keep = keptTokens(turn.session) * share;
    return compact(turn.session, "auto", { turn, signal: turn.signal }, { keep, forced: true });
  };

const results =
  (characters: (session: AgentSession) => number): Step =>
  ({ session }) =>
    session.conversation.shorten((message) => withShortResult(message, characters(session)));

const files: Step = ({ session }) =>
  session.conversation.shorten((message) => withMarks(message, "the context was full"));

/** What is tried in turn, until the model takes the conversation. */
const STEPS: readonly Step[] = [
  summary(1),
  results((session) => (thresholdOf(session) * CHARACTERS_PER_TOKEN) / 4),
  results(() => 20_000),
  files,
  summary(1 / 8),
  results(() => 2000),
  summary(0),
];

/**
 * Shortens a conversation that a model refused as too long: a summary, then shorter results of tools, then no files, then
 * more of these. The transcript keeps everything.
 *
 * @param from the step to begin with.
 * @returns the step to go on with if that was not enough; `undefined` when nothing is left to shorten.
 * @throws TurnEnded when a hook ends the run or the store failed; the reason of the signal.
 */
export async function makeRoom(turn: Turn, from = 0): Promise<number | undefined> {
  const { session } = turn;
  if (session.options.compaction === false || !session.conversation.shownAsIs) return undefined;
  const { compaction } = session;
  if (from === 0)
    compaction.learned = Math.min(compaction.learned, Math.floor(tokensNow(session) * SHARE_OF_REFUSED));
  for (const [at, step] of STEPS.entries()) {
    if (at < from || !(await step(turn))) continue;
    return at + 1;
  }
  return undefined;
}
