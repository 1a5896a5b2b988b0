import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openedBy } from "../../src/monitor/decisions/open.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { reduce } from "../../src/monitor/state/reduce.ts";
import { sendRequest } from "../../src/node/http.ts";
import type { HumanRequest } from "../../src/shared/monitor/monitor.ts";
import { runs } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { monitorEvent, question } from "./support/events.ts";
import { testDaemon } from "./support/test-daemon.ts";
import { ASKER, hookAt } from "./support/waiting-hook.ts";

/** Half of a character. */
const HALF = /\p{Surrogate}/u;

/** The defects seen in other systems, by their number in the specification. */
describe("defects of other systems that must be impossible in the monitor", () => {
  it("15: shortening multi-byte text never splits a character, in the spool and in decisions", () => {
    const environment = { XDG_STATE_HOME: temporaryFolder() };
    const letters = fc.constantFrom("a", "ä", "漢", "😀", "👩‍👩‍👧", "\u{10FFFF}", "\n");
    const long = fc
      .tuple(
        fc.string({ unit: letters, maxLength: 5 }),
        fc.string({ unit: letters, minLength: 1, maxLength: 7 }),
      )
      .map(([start, part]) => start + part.repeat(Math.ceil(70_000 / part.length)));
    fc.assert(
      fc.property(long, (text) => {
        const event = appendToSpool(
          { type: "agent:prompt", agent_id: "a", prompt_type: "question", question: text, context: text },
          environment,
        );
        expect(event.shortened).toBe(true);
        expect(String(event.question)).not.toMatch(HALF);
        const prompt = monitorEvent("agent:prompt", { prompt_type: "plan_approval", question: text });
        const decision = openedBy(prompt, reduce(undefined, prompt));
        expect(decision?.context).not.toMatch(HALF);
        expect(Array.from(decision?.context ?? "").length).toBeLessThanOrEqual(4000);
      }),
      { numRuns: runs(20) },
    );
  });

  it("16: a question is answered by a request, without a key being typed", async () => {
    const { info, token, environment } = await testDaemon();
    const { prompt_type, question: asked } = question();
    const waits_until = new Date(Date.now() + 60_000).toISOString();
    const prompt = appendToSpool(
      { type: "agent:prompt", agent_id: "a", prompt_type, question: asked, waits_until, ...ASKER },
      environment,
    );
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const answer = hookAt(prompt, environment, { signal: controller.signal });
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    };
    const listed = await fetch(`${info.url}/v1/decisions`, { headers });
    const { decisions }: { decisions: readonly HumanRequest[] } = JSON.parse(await listed.text());
    expect(decisions).toMatchObject([{ source: "question", prompt: prompt.id }]);
    const resolved = await sendRequest({
      url: new URL(`/v1/decisions/${prompt.id}/resolve`, info.url),
      socketPath: info.socket,
      method: "POST",
      headers,
      body: JSON.stringify({ choices: ["2"] }),
      signal: controller.signal,
    });
    expect(resolved.statusCode).toBe(200);
    expect(await answer).toMatchObject({ answer: [{ label: "Red" }] });
  });
});
