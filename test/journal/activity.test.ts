import { appendFileSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Activity } from "../../src/journal/activity/activity.ts";
import { activityInFiles, openActivity } from "../../src/journal/activity/open-activity.ts";
import { sqliteActivity } from "../../src/journal/activity/sqlite-activity.ts";
import { keptFor } from "../../src/shared/monitor/history.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LONG = 60_000;
const now = Date.now();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface Fields {
  readonly minutes?: number;
  readonly time?: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly action?: string;
  readonly event?: object;
  readonly id?: string;
  readonly failure?: string;
  readonly text?: string;
}

let count = 0;

/** A decision of one hook, some minutes ago. */
function line(fields: Fields = {}): string {
  count += 1;
  const {
    minutes = 1,
    session = "s1",
    cwd = "/none/project",
    action = "continue",
    id = `e${count}`,
  } = fields;
  const { time = new Date(now - minutes * MINUTE).toISOString(), failure, text = "" } = fields;
  const outcome =
    failure === undefined && action !== "continue" ? { outcome: { action, reason: "No." } } : {};
  const failed = failure === undefined ? {} : { failure: { kind: failure, message: "It failed." } };
  const run = { name: "guard", handler: "inline", event_id: id, started_at: time, duration_ms: count % 7 };
  return JSON.stringify({
    v: 1,
    type: "decision",
    time,
    session_id: session,
    event_id: id,
    event: { hook_event_name: "PreToolUse", host: "claude", cwd, tool_name: "Bash", text, ...fields.event },
    decision: { action },
    runs: [{ ...run, ...outcome, ...failed }],
  });
}

function journal(...lines: readonly string[]) {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const folder = join(environment.XDG_STATE_HOME, "tenterhook/journal");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "s1.jsonl");
  const write = (...more: readonly string[]) => appendFileSync(file, more.map((one) => `${one}\n`).join(""));
  write(...lines);
  const open = async () => {
    const store = await sqliteActivity(environment);
    onTestFinished(() => store.close());
    return store;
  };
  return { environment, folder, file, write, open };
}

const since = new Date(now - 7 * DAY);
const ids = (activity: Activity, query: object = {}) =>
  [...activity.records({ since, ...query })].map(({ record }) => record.event_id);
const counts = (activity: Activity) => {
  const { hooks, days } = activity.stats({ since });
  return [hooks.map(({ name, runs, denials }) => [name, runs, denials]), days.map((day) => day.decisions)];
};

describe("the history of decisions", () => {
  it("has each line once, however many read it, after a rotation and when it is opened again", async () => {
    const { folder, file, write, open } = journal(line({ action: "deny", id: "a" }), line({ id: "b" }));
    const [one, other] = [await open(), await open()];
    await Promise.all([one.refresh(LONG), other.refresh(LONG)]);
    renameSync(file, join(folder, "s1.20260101.jsonl"));
    write(line({ action: "ask", id: "c" }));
    await Promise.all([other.refresh(LONG), one.refresh(LONG)]);
    const third = await open();
    await third.refresh(LONG);
    for (const store of [one, other, third]) {
      expect(ids(store, { all: true }).sort()).toEqual(["a", "b", "c"]);
      expect(ids(store)).toHaveLength(2);
      expect(counts(store)).toEqual([[["guard", 3, 1]], [3]]);
    }
  });

  it("has a call once that a killed daemon and the process after it have recorded", async () => {
    const id = "call00112233445566778899aabb-1";
    const { open } = journal(line({ id, action: "deny" }), line({ id, action: "deny" }));
    const store = await open();
    await store.refresh(LONG);
    expect(counts(store)).toEqual([[["guard", 1, 1]], [1]]);
  });

  it("takes a line in when it is whole, and names one that is damaged", async () => {
    const { file, open } = journal(line({ id: "a" }), "not json");
    const text = line({ id: "b" });
    appendFileSync(file, text.slice(0, 30));
    const store = await open();
    await store.refresh(LONG);
    expect(ids(store, { all: true })).toEqual(["a"]);
    expect(store.damage(since)).toEqual([{ file, line: 2 }]);
    appendFileSync(file, `${text.slice(30)}\n`);
    await store.refresh(LONG);
    expect(ids(store, { all: true }).sort()).toEqual(["a", "b"]);
  });

  it("counts a record with an unreadable time, and one from the year 2099, as one of now", async () => {
    const odd = [line({ time: "soon", id: "a" }), line({ time: "2099-01-01T00:00:00.000Z", id: "b" })];
    const { open, write } = journal(...odd, line({ id: "c" }));
    const store = await open();
    await store.refresh(LONG);
    expect(ids(store, { all: true })).toHaveLength(3);
    const { hooks, days } = store.stats({ since });
    expect(hooks).toMatchObject([{ name: "guard", runs: 3, denials: 0 }]);
    // At midnight they are of two days.
    expect(days.reduce((sum, { decisions }) => sum + decisions, 0)).toBe(3);
    write(line({ minutes: -5, id: "next" }));
    await store.refresh(LONG);
    expect(ids(store, { all: true })[0]).toBe("next");
  });

  it("keeps refusals, questions and failures longer than the rest, and gives room back", async () => {
    const text = "x".repeat(1000);
    const old = Array.from({ length: 2000 }, () => line({ minutes: 40 * 24 * 60, text }));
    const notable = [
      line({ minutes: 40 * 24 * 60, action: "deny", id: "refused" }),
      line({ minutes: 40 * 24 * 60, action: "ask", id: "asked" }),
      line({ minutes: 40 * 24 * 60, failure: "timeout", id: "failed" }),
    ];
    const { environment, open } = journal(...old, ...notable, line({ id: "young" }));
    const store = await open();
    await store.refresh(LONG);
    await store.forget(keptFor());
    const year = { since: new Date(now - 365 * DAY), all: true };
    expect(ids(store, year)[0]).toBe("young");
    expect(ids(store, year).slice(1).sort()).toEqual(["asked", "failed", "refused"]);
    // Numbers stay.
    expect(store.stats({ since: year.since }).hooks[0]?.runs).toBe(2004);
    await store.forget(keptFor({ days: 1, notable_days: 7 }));
    expect(ids(store, year)).toEqual(["young"]);
    const other = await sqliteActivity(environment);
    other.close();
    const file = join(environment.XDG_STATE_HOME, "tenterhook/monitor/activity.sqlite");
    expect(statSync(file).size).toBeLessThan(1_000_000);
  });

  it("stays below its size: the oldest without anything to say goes first", async () => {
    const text = "x".repeat(1000);
    const many = Array.from({ length: 2500 }, (_, at) => line({ minutes: 2500 - at, text }));
    const { open } = journal(line({ minutes: 2501, action: "deny", id: "refused" }), ...many);
    const store = await open();
    await store.refresh(LONG);
    await store.forget(keptFor({ megabytes: 3 }));
    const left = ids(store, { all: true });
    expect(left.length).toBeLessThan(2200);
    expect(left.at(-1)).toBe("refused");
  });

  it("answers from the journals when its database is damaged", async () => {
    const { environment } = journal(line({ action: "deny", id: "a" }));
    const folder = join(environment.XDG_STATE_HOME, "tenterhook/monitor");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "activity.sqlite"), "not a database".repeat(1000));
    const { activity } = await openActivity(environment);
    expect(ids(activity)).toEqual(["a"]);
    expect(readdirSync(folder)).toContain("activity.sqlite");
  });
});

describe("the database and the journals say the same", () => {
  it("of records, numbers, days and sessions", async () => {
    const actions = ["continue", "deny", "ask"];
    const lines = Array.from({ length: 700 }, (_, at) =>
      line({
        // In the middle of hours, since numbers are counted by the hour.
        minutes: 60 * (1 + (at % 100)),
        session: `s${at % 5}`,
        cwd: `/none/project-${at % 3}`,
        action: actions[at % 3] ?? "",
        ...(at % 11 === 0 ? { failure: "timeout" } : {}),
        event: { tool_use_id: `t${at}`, host: at % 2 === 0 ? "claude" : "codex" },
      }),
    );
    const { environment, open } = journal(...lines);
    const [store, files] = [await open(), await activityInFiles(environment)];
    await store.refresh(LONG);
    await files.refresh(LONG);
    const first = Math.floor((now - 7 * DAY) / 3_600_000) * 3_600_000;
    for (const query of [{}, { project: "/none/project-1" }, { session: "s2" }])
      for (const byProject of [false, true]) {
        const asked = { since: new Date(first), ...query };
        const [ours, theirs] = [store, files].map((one) => one.stats(asked, byProject));
        if (!("session" in query)) expect(ours).toEqual(theirs);
        else expect(ours?.days).toEqual(theirs?.days);
        const sorted = (one: Activity) => [...ids(one, { ...asked, all: true })].sort();
        expect(sorted(store)).toEqual(sorted(files));
        expect(ids(store, { ...asked, hook: "none" })).toEqual([]);
      }
    expect([...store.sessions(since)].sort()).toEqual([...files.sessions(since)].sort());
    expect(store.aboutCall("s1", "t1").map(({ event_id }) => event_id)).toEqual(
      files.aboutCall("s1", "t1").map(({ event_id }) => event_id),
    );
  });
});
