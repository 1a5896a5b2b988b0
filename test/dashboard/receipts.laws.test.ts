import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { closePrompt, waitForGivenAnswer } from "../../src/monitor/report/answers.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import type { Receipt } from "../../src/shared/monitor/monitor.ts";
import { testDaemon } from "../monitor/support/test-daemon.ts";
import { eventually } from "../support/processes.ts";
import { runs } from "../support/soak.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const AT_ONCE = 10;

/** What a hook does: it waits, it gives up as if somebody had answered in the terminal, or it is killed. */
const HOOKS = ["waits", "waits", "gives up", "is killed"] as const;

/** A browser that has logged in. */
async function browser(environment: NodeJS.ProcessEnv) {
  const link = new URL(await monitorClient(environment).dashboard());
  const { headers } = await fetch(link, { redirect: "manual" });
  const cookie = (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return async (id: string, label: string): Promise<Receipt | undefined> => {
    try {
      const reply = await fetch(new URL(`/api/decisions/${id}/answer`, link), {
        method: "POST",
        headers: { cookie, origin: link.origin, "content-type": "application/json" },
        body: JSON.stringify({ choices: [label] }),
      });
      const { receipt }: { receipt?: Receipt } = JSON.parse(await reply.text());
      return receipt;
    } catch {
      // The daemon has ended meanwhile.
      return undefined;
    }
  };
}

it("an answer is never shown as taken that was not, and none is taken twice, whatever ends meanwhile", async () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  let daemon = await testDaemon({ environment });
  const answer = await browser(environment);
  const { signal } = new AbortController();
  const rounds = Math.ceil(runs(30, 1000) / AT_ONCE);
  for (let round = 0; round < rounds; round += 1) {
    const prompts = Array.from({ length: AT_ONCE }, (_, at) =>
      appendToSpool(
        {
          type: "agent:prompt",
          agent_id: `agent-${round}-${at}`,
          prompt_type: "question",
          question: [{ question: "Which?", options: [{ label: "Blue" }, { label: "Red" }] }],
          waits_until: new Date(Date.now() + 60_000).toISOString(),
        },
        environment,
      ),
    );
    await eventually(async () =>
      expect((await monitorClient(environment).decisions("open")).length).toBeGreaterThanOrEqual(AT_ONCE),
    );
    const given = prompts.map(async ({ id }, at) => {
      const hook = HOOKS[(at + round) % HOOKS.length] ?? "waits";
      const held =
        hook === "waits"
          ? waitForGivenAnswer(id, 3000, environment, signal)
          : hook === "gives up"
            ? wait((at * 7) % 40).then(async () => ({ answer: await closePrompt(id, environment, signal) }))
            : Promise.resolve(undefined);
      const both = await Promise.all([answer(id, "Blue"), wait(at % 3).then(() => answer(id, "Red"))]);
      return { hook, taken: (await held)?.answer, receipts: both };
    });
    if (round % 3 === 2) {
      await daemon.close();
      daemon = await testDaemon({ environment });
    }
    for (const { taken, receipts } of await Promise.all(given)) {
      const shown = receipts.flatMap((receipt, at) =>
        receipt?.kind === "taken" ? [["Blue", "Red"][at]] : [],
      );
      expect(shown.length).toBeLessThanOrEqual(1);
      if (shown.length === 1) expect(JSON.stringify(taken)).toContain(shown[0]);
    }
    for (const { id } of await monitorClient(environment).decisions("open"))
      await closePrompt(id, environment, signal);
  }
});
