import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { monitorClient } from "../../src/monitor/client.ts";
import { receiptOf } from "../../src/monitor/decisions/receipt.ts";
import { allSpooled } from "../../src/monitor/report/spool.ts";
import type { HumanRequest } from "../../src/shared/monitor/monitor.ts";
import type { Receipt } from "../../src/shared/monitor/receipt.ts";
import { newProject } from "../cli/support/project.ts";
import { CLI } from "../cli/support/run-cli.ts";
import { QUESTION } from "../cli/support/watched-project.ts";
import { kill } from "../support/faults/kill.ts";
import { runs } from "../support/long.ts";
import { endAfterTest, eventually } from "../support/processes.ts";
import { holding } from "./support/holding.ts";

const AT_ONCE = 6;
const ANSWERS = runs(18);
const LABELS = ["Blue", "Red"] as const;

/** Hooks are programs that start at once, on a busy machine. */
const START_MILLISECONDS = 240_000;

/** What becomes of a hook: it waits, it is killed while it is answered, or it was killed before. */
const HOOKS = ["waits", "waits", "waits", "is killed", "was killed"] as const;

/** A browser that has logged in, and whose answers may be cut off by the end of the daemon. */
async function browser(environment: NodeJS.ProcessEnv) {
  const link = new URL(await monitorClient(environment).dashboard());
  const login = await fetch(new URL("/api/login", link), {
    method: "POST",
    body: JSON.stringify({ code: link.hash.slice("#login=".length) }),
  });
  const { token }: { token: string } = JSON.parse(await login.text());
  return async (id: string, label: string): Promise<Receipt | undefined> => {
    const reply = await fetch(new URL(`/api/decisions/${id}/answer`, link), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ choices: [label] }),
    });
    const { receipt }: { receipt?: Receipt } = JSON.parse(await reply.text());
    return receipt;
  };
}

/** Which answer a hook has taken for its own. */
function takenBy({ id }: HumanRequest, environment: NodeJS.ProcessEnv): string | undefined {
  const taken = allSpooled(environment).filter(
    ({ prompt, given_at }) => prompt === id && given_at !== undefined,
  );
  expect(taken.length).toBeLessThanOrEqual(1);
  return LABELS.find((label) => JSON.stringify(taken[0]?.answer)?.includes(`"${label}"`));
}

it("an answer is never shown as taken that was not, and none is taken twice, whatever is killed meanwhile", {
  timeout: 120_000 + ANSWERS * 5000,
}, async () => {
  const project = newProject({ cached: true });
  const { environment } = project;
  project.write(
    "../config/tenterhook/hooks.yaml",
    stringify({ monitor: { on_prompt: { action: "answer", wait: "10m" } } }),
  );
  const client = monitorClient(environment);
  const startDaemon = async (): Promise<ChildProcess> => {
    const daemon = spawn(process.execPath, [CLI, "daemon", "start", "--foreground"], {
      env: environment,
      stdio: "ignore",
    });
    endAfterTest(daemon);
    await eventually(
      async () => expect(await client.info()).toMatchObject({ pid: daemon.pid }),
      START_MILLISECONDS,
    );
    return daemon;
  };
  let daemon = await startDaemon();
  const inPage = await browser(environment);
  const inTerminal = async (id: string, label: string): Promise<Receipt> =>
    receiptOf(await client.resolve(id, { choices: [label] }));
  const shown: { readonly id: string; readonly label: string; readonly receipt: Receipt }[] = [];
  /** An answer from one of two places. One that is cut off or refused is none. */
  const give = async (id: string, label: string, from: number): Promise<void> => {
    const receipt = await (from === 0 ? inPage : inTerminal)(id, label).catch(() => undefined);
    if (receipt !== undefined) shown.push({ id, label, receipt });
  };
  for (let answered = 0; answered < ANSWERS; answered += 2 * AT_ONCE) {
    const hooks = Array.from({ length: AT_ONCE }, (_, at) => {
      const session_id = `s${answered}-${at}`;
      const hook = holding(project, { ...QUESTION, session_id });
      onTestFinished(() => void killed(hook.pid));
      // One that is killed prints nothing.
      return { ...hook, session_id, done: hook.done.catch(() => undefined) };
    });
    const asked = new Map<string, HumanRequest>();
    await eventually(async () => {
      for (const one of await client.decisions("open")) asked.set(one.session_id ?? "", one);
      expect(hooks.every(({ session_id }) => asked.has(session_id))).toBe(true);
    }, START_MILLISECONDS);
    const given = hooks.map(async ({ session_id, pid, done }, at) => {
      const decision = asked.get(session_id);
      if (decision === undefined) return;
      const fate = HOOKS[(at + answered / 2) % HOOKS.length];
      if (fate === "was killed") killed(pid);
      const [first, second] = at % 2 === 0 ? LABELS : LABELS.toReversed();
      const answers = [give(decision.id, first ?? "", 0), give(decision.id, second ?? "", 1)];
      if (fate === "is killed") await wait((at * 37) % 120).then(() => killed(pid));
      await Promise.all(answers);
      // The daemon may have ended before it heard of them.
      while (fate === "waits" && takenBy(decision, environment) === undefined) {
        await give(decision.id, "Blue", 1);
        await wait(100);
      }
      const reply = JSON.stringify(fate === "waits" ? await done : undefined);
      if (fate === "waits") expect(reply).toContain(`"${takenBy(decision, environment)}"`);
    });
    if ((answered / (2 * AT_ONCE)) % 3 === 1) {
      await wait(answered % 90);
      kill(daemon);
      await once(daemon, "exit");
      daemon = await startDaemon();
    }
    await Promise.all(given);
  }
  const decisions = await client.decisions("all", 10_000);
  for (const { id, label, receipt } of shown)
    if (receipt.kind === "taken")
      expect([id, label]).toEqual([
        id,
        decisions.filter((one) => one.id === id).map((one) => takenBy(one, environment))[0],
      ]);
  for (const decision of decisions) {
    const { resolved } = decision;
    if (resolved?.fate === "given") expect(resolved.answer).toBe(takenBy(decision, environment));
    const taken = shown.filter(({ id, receipt }) => id === decision.id && receipt.kind === "taken");
    expect(taken.length).toBeLessThanOrEqual(1);
  }
});

function killed(pid: number): void {
  try {
    kill(pid);
  } catch {
    // It has ended.
  }
}
