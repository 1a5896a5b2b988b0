import { trace } from "@opentelemetry/api";
import { expect, it, onTestFinished } from "vitest";
import { withDecisionSpans } from "../../src/monitor/daemon/decision-spans.ts";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { recordedSpans } from "../agent/telemetry/recorded-spans.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { monitorEvent, question } from "./support/events.ts";
import { openStore } from "./support/open-store.ts";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

it("a decision is a span from its opening to its end, below the span that its agent names", async () => {
  const { provider, spans } = recordedSpans();
  trace.setGlobalTracerProvider(provider);
  onTestFinished(() => trace.disable());
  const store = await withDecisionSpans(await openStore());
  const asked = question({ traceparent: PARENT, waits_until: "2099-01-01T00:00:00.000Z" });
  await takeIn(store, [asked]);
  expect(spans()).toEqual([]);
  const answered = monitorEvent("agent:answer", { prompt: asked.id, answer: "Blue" });
  await takeIn(store, [answered, answered]);
  await takeIn(store, [question(), monitorEvent("agent:exit")]);
  expect(
    spans().map(({ name, parentSpanContext, attributes, startTime, endTime }) => ({
      name,
      parent: parentSpanContext?.spanId,
      state: attributes["tenterhook.decision.state"],
      channel: attributes["tenterhook.decision.channel"],
      seconds: endTime[0] - startTime[0],
    })),
  ).toEqual([
    { name: "decision question", parent: "b7ad6b7169203331", state: "resolved", channel: "emit", seconds: 1 },
    { name: "decision question", parent: undefined, state: "dismissed", channel: "agent", seconds: 1 },
  ]);
  expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain("Blue");
});

it("an agent passes its span on in what it reports", () => {
  const environment = { HOME: temporaryFolder(), XDG_STATE_HOME: temporaryFolder(), TRACEPARENT: PARENT };
  expect(appendToSpool({ type: "agent:prompt", agent_id: "a" }, environment)).toMatchObject({
    traceparent: PARENT,
  });
});
