import { expect, it } from "vitest";
import { monitorPort } from "../../src/cli/commands/monitor/top/monitor-port.ts";
import { TenterhookError } from "../../src/core/base/errors.ts";
import { monitorClient } from "../../src/monitor/client.ts";
import { MIGRATION } from "../terminal/support/seen.ts";

it("an answer that comes too late says so in a few words", async () => {
  const late = new TenterhookError(
    "decision_closed",
    "mh3kq1 was closed at 2026-03-09T10:06:12Z: dismissed.",
  );
  const client = { ...monitorClient({}), resolve: () => Promise.reject(late) };
  const list = async () => ({ agents: [], warnings: [] });
  const port = monitorPort({ client, list, whatOf: () => "", environment: {} });
  expect(await port.answer(MIGRATION, ["1"])).toEqual({ problem: "Too late: codex in api went on." });
});
