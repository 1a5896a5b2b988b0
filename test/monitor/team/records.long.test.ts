import { mkdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { createHooks } from "../../../src/core/create-hooks.ts";
import { deny } from "../../../src/core/events/outcomes.ts";
import { sqliteActivity } from "../../../src/journal/activity/sqlite-activity.ts";
import { appendToJournal, journalFolder } from "../../../src/journal/files.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import { MACHINE_HEADER } from "../../../src/monitor/team/client.ts";
import { sharedRecords } from "../../../src/monitor/team/records.ts";
import { runCli } from "../../cli/support/run-cli.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { openStore } from "../support/open-store.ts";
import { machine } from "./support/team.ts";
import { twoMonitors } from "./support/two-monitors.ts";

const server = await postgresServer();

/** A hook refuses a command on a machine, and its journal says so. */
async function refuse(environment: NodeJS.ProcessEnv, command: string, cwd: string): Promise<void> {
  mkdirSync(cwd, { recursive: true });
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "no-force" }, () => deny("Not on main."));
  const stop = new Journal({ environment }).follow(hooks);
  await hooks.fire({
    hook_event_name: "PreToolUse",
    session_id: `session of ${command}`,
    cwd,
    host: "claude",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: command,
  });
  stop();
}

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

it("what hooks decided on any machine is in the history of every monitor, once, with its machine, also after one was away", async () => {
  const { a, b, c, database } = await twoMonitors(server);
  const folders = { a: temporaryFolder(), b: temporaryFolder(), c: temporaryFolder() };
  await refuse(a.environment, "push a", folders.a);
  await refuse(b.environment, "push b", folders.b);
  await refuse(c.environment, "push c", folders.c);
  const seenBy = (own: "a" | "b", ...names: readonly ("a" | "b" | "c")[]) =>
    names.map((name) => [`push ${name}`, name === own ? folders[name] : `${name}:${folders[name]}`]);
  const agree = async (one: { readonly environment: NodeJS.ProcessEnv }, own: "a" | "b", calls: number) =>
    eventually(async () =>
      expect(await historyOf(one.environment)).toEqual({
        calls: expect.arrayContaining(seenBy(own, "a", "b", "c")),
        denials: [["no-force", calls]],
      }),
    );
  await agree(a, "a", 3);
  await agree(b, "b", 3);
  const { stdout } = await runCli(folders.a, a.environment, "log", "--everywhere");
  expect(stdout).toContain(`claude in ${basename(folders.a)} session of push a`);
  for (const name of ["b", "c"] as const)
    expect(stdout).toContain(`claude in ${basename(folders[name])} on ${name} session of push ${name}`);
  // The machine that joined sends its own, and is told of no others.
  expect((await historyOf(c.environment)).calls).toEqual([["push c", folders.c]]);

  await b.close();
  await refuse(c.environment, "push again", folders.c);
  await refuse(b.environment, "push alone", folders.b);
  const back = await machine({ ...database("b"), environment: b.environment });
  await agree(back, "b", 5);
  await agree(a, "a", 5);
  expect((await historyOf(a.environment)).calls).toHaveLength(5);

  const person = await a.token({ role: "viewer" });
  const page = await fetch(`${a.url}/api/calls`, { headers: { authorization: `Bearer ${person}` } });
  const { calls } = (await page.json()) as { calls: readonly { summary: string; project?: string }[] };
  expect(calls.map(({ summary }) => summary).sort()).toEqual([
    "push a",
    "push again",
    "push alone",
    "push b",
    "push c",
  ]);
});

it("a machine on its own keeps its records to itself, and a history that is begun anew adds nothing twice", async () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const file = `${environment.XDG_STATE_HOME}/store`;
  const store = await openStore(file);
  let isHeard = false;
  const share = sharedRecords({ store, file, isHeard: () => isHeard });
  const told = async () => (await store.eventsAfter(0, 100)).map(({ event }) => event.type);
  const look = async () => {
    const activity = await sqliteActivity(environment);
    await activity.refresh(10_000);
    await share(activity);
    activity.close();
  };
  await refuse(environment, "one", temporaryFolder());
  await look();
  expect(await told()).toEqual([]);
  isHeard = true;
  await look();
  await look();
  expect(await told()).toEqual(["hooks:recorded"]);
  // The same line in another file, as after its history was deleted.
  const [first] = await store.eventsAfter(0, 1);
  appendToJournal(journalFolder(environment), "copy", [JSON.stringify(first?.event.record)]);
  await look();
  expect(await told()).toEqual(["hooks:recorded"]);
  if (first !== undefined) await takeIn(store, [{ ...first.event, id: "other" }], { machine: "laptop" });
  await look();
  expect((await historyOf(environment)).calls).toHaveLength(3);
  await look();
  expect((await historyOf(environment)).calls).toHaveLength(3);
});

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
