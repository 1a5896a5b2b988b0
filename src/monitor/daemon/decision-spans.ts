import { importOptional } from "../../node/optional-package.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import type { HumanRequest, MonitorStore, MonitorTables } from "../../shared/monitor/monitor.ts";

type Api = typeof import("@opentelemetry/api");

/** `00-<trace>-<span>-<flags>`, as the W3C writes it. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * A store that makes an OpenTelemetry span of each decision when it is closed, from when it was opened. They go to the
 * provider that the process has registered; without one, or without the package, the store is as it was.
 */
export async function withDecisionSpans(store: MonitorStore): Promise<MonitorStore> {
  const api = await importOptional("@opentelemetry/api").catch(() => undefined);
  if (api === undefined) return store;
  return {
    ...store,
    async update(work) {
      const closed: HumanRequest[] = [];
      const result = await store.update((tables) => work(noting(tables, closed)));
      for (const decision of closed) spanOf(decision, api);
      return result;
    },
  };
}

function noting(tables: MonitorTables, closed: HumanRequest[]): MonitorTables {
  return {
    ...tables,
    putDecision(decision) {
      const isOpen = tables.decision(decision.id)?.state !== decision.state;
      tables.putDecision(decision);
      if (isOpen && decision.state !== "open") closed.push(decision);
    },
  };
}

/** Has nothing of what was asked or answered in it. */
function spanOf(decision: HumanRequest, { trace, ROOT_CONTEXT }: Api): void {
  const { id, agent_id, source, state, created_at, resolved, traceparent = "" } = decision;
  const [, traceId = "", spanId = "", flags = "0"] = TRACEPARENT.exec(traceparent) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  const attributes = {
    "tenterhook.decision.id": id,
    "tenterhook.decision.source": source,
    "tenterhook.decision.state": state,
    "gen_ai.agent.id": agent_id,
    ...(resolved === undefined ? {} : { "tenterhook.decision.channel": resolved.channel }),
  };
  trace
    .getTracer("tenterhook", PACKAGE_VERSION)
    .startSpan(
      `decision ${source}`,
      { startTime: new Date(created_at), attributes },
      traceId === "" ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    )
    .end(resolved === undefined ? new Date() : new Date(resolved.at));
}
