import { isTenterhookError } from "../../core/base/errors.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { Choice } from "../decisions/resolve.ts";
import { isTaken } from "../report/answers.ts";
import type { Receipt } from "./wire.ts";

/** A hook looks for its answer ten times a second. */
const TAKEN_MILLISECONDS = 3000;

/** What refuses an answer because another one was faster, or nobody waits. */
const LATE: ReadonlySet<string> = new Set(["decision_closed", "no_prompt", "unknown_decision"]);

/** Gives an answer and says what came of it. @throws what makes the choice itself wrong. */
export async function answerWithReceipt(
  resolve: (id: string, choice: Choice) => Promise<HumanRequest>,
  id: string,
  choice: Choice,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Receipt> {
  const began = performance.now();
  try {
    const { prompt, state } = await resolve(id, choice);
    if (state === "dismissed") return { kind: "given", text: "Taken off the list." };
    if (prompt === undefined) return { kind: "given", text: "Given to the agent." };
    if (!(await isTaken(prompt, TAKEN_MILLISECONDS, environment, signal)))
      return { kind: "given", text: "Given, but no hook has taken it yet." };
    const seconds = Math.max(0.1, (performance.now() - began) / 1000);
    return { kind: "taken", text: `Taken by the waiting hook after ${seconds.toFixed(1)} s.` };
  } catch (error) {
    if (isTenterhookError(error) && LATE.has(error.code))
      return { kind: "late", text: `Too late: ${error.message}` };
    throw error;
  }
}
