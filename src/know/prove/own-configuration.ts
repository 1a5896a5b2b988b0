import { type Config, grantTrust, reviewTrust } from "../../config.ts";
import { needsOf } from "../../install/needs.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { finalAction, saidBy } from "../../journal/verdict.ts";
import { asksAboutShell, shellEvent, whyUnreached } from "./diagnose.ts";
import type { Proof, Proven } from "./proof.ts";
import { type ProofRun, recordOf, runAgent } from "./run-agent.ts";
import { copyConfiguration, inThrowaway } from "./throwaway.ts";

const OWN = "own";
const FILE = "canary-own";
const LINE = `touch ${FILE}`;

/** Tries the person's own configuration: the call that the agent really sends, decided by all rules in force. */
export async function triedOwn(proven: Proven, config: Config): Promise<readonly Proof[]> {
  const { integration, onRun } = proven;
  const isNeeded = needsOf(config, integration).events.some(
    (one) =>
      one.gate &&
      one.native === shellEvent(integration) &&
      asksAboutShell(integration, { event: one.native, matcher: one.matcher }),
  );
  if (!isNeeded) return [];
  onRun(OWN);
  return callUnderOwn(proven, LINE, (run) => {
    const record = recordOf(run.records, "PreToolUse", FILE);
    if (record === undefined)
      return [{ name: OWN, result: "not_reached", ...whyUnreached({ ...proven, run }) }];
    return [judgedOwn(record, run)];
  });
}

/** Why the agent was kept from running a line, as its model reads it; `undefined` when it was not. */
export async function refusedUnderOwn(proven: Proven, line: string): Promise<string | undefined> {
  return callUnderOwn(proven, line, ({ records, sent }) => {
    const record = recordOf(records, "PreToolUse", line);
    const reason =
      record !== undefined && finalAction(record) === "deny" ? record.decision?.reason : undefined;
    return reason !== undefined && sent.includes(reason) ? reason : undefined;
  });
}

/** Has the agent run a line under the person's own configuration. */
async function callUnderOwn<Result>(
  proven: Proven,
  line: string,
  judge: (run: ProofRun) => Result,
): Promise<Result> {
  const { driver, real, signal } = proven;
  return inThrowaway(proven, async (folder) => {
    copyConfiguration(real, folder);
    const { places, environment } = folder;
    const reviewed = await reviewTrust({ cwd: real.root, environment: { ...real.environment }, signal });
    if (reviewed.state === "trusted")
      await grantTrust(await reviewTrust({ cwd: places.root, environment, signal }), { environment });
    return judge(await runAgent(proven, { prompt: "begin", steps: [driver.shell(line)] }, folder));
  });
}

/** Compares what was decided about the canary with what became of its file. */
function judgedOwn(record: JournalRecord, run: ProofRun): Proof {
  const action = finalAction(record);
  const isMade = run.made(FILE);
  const by = record.runs.find(
    ({ outcome }) => outcome !== undefined && saidBy(outcome)[0]?.[0] !== "continue",
  )?.name;
  const who = by === undefined ? `, asked of ${record.runs.length}` : ` by ${by}`;
  const runs = action === "continue" || action === "allow";
  const rewritten = runs ? record.decision?.input : undefined;
  if (rewritten === undefined)
    return { name: OWN, result: isMade === runs ? "obeyed" : "ignored", why: `${LINE}: ${action}${who}` };
  // The line as it was makes the file. Where the new one may make it too, the file does not tell which of them ran.
  const mayMake = JSON.stringify(rewritten).includes(FILE);
  const unseen = isMade && mayMake ? "; which of the two lines ran can't be seen" : "";
  return {
    name: OWN,
    result: isMade && !mayMake ? "ignored" : "obeyed",
    why: `${LINE}: rewritten${who}${unseen}`,
  };
}
