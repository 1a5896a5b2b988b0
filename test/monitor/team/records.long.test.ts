import { expect, it } from "vitest";
import { sqliteActivity } from "../../../src/journal/activity/sqlite-activity.ts";
import { MACHINE_HEADER } from "../../../src/monitor/team/client.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { twoMonitors } from "./support/two-monitors.ts";

const server = await postgresServer();

/** What the history of a machine has: each call with its project. */
async function historyOf(environment: NodeJS.ProcessEnv) {
  const activity = await sqliteActivity(environment);
  try {
    const found = [...activity.records({ since: new Date(0), all: true })];
    const { hooks } = activity.stats({ since: new Date(0) });
    return {
      calls: found.map(({ record, project }) => [record.event.tool_use_id, project]).sort(),
      denials: hooks.map(({ name, denials }) => [name, denials]),
    };
  } finally {
    activity.close();
  }
}

it("records that a machine has made up stop nothing, and are never another machine's", async () => {
  const { a, b, membership } = await twoMonitors(server);
  const record = {
    v: 1,
    type: "decision",
    time: new Date().toISOString(),
    session_id: "s1",
    event_id: "e1",
    event: { hook_event_name: "PreToolUse", tool_use_id: "made up" },
    machine: "b",
    runs: [],
  };
  const broken = [{ ...record, runs: [null] }, { ...record, event: null }, "none", { v: 2 }];
  const events = [...broken, record].map((one, at) => ({
    v: 1,
    id: `made-up-${at}`,
    time: record.time,
    type: "hooks:recorded",
    agent_id: "journal",
    project: "/home/anna",
    record: one,
  }));
  const { token, id } = membership;
  const reply = await fetch(`${a.url}/v1/team/events`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      [MACHINE_HEADER]: id,
      "content-type": "application/json",
    },
    body: JSON.stringify({ events }),
  });
  expect(reply.status).toBe(200);
  for (const one of [a, b])
    await eventually(async () =>
      expect((await historyOf(one.environment)).calls).toEqual([["made up", "c:/home/anna"]]),
    );
  expect(await a.client.agents()).toEqual([]);
});
