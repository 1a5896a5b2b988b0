import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { context, createHooks, deny, userMessage } from "tenterhook";
import { describe, expect, it } from "vitest";
import { Journal, type JournalOptions } from "../../src/journal/journal.ts";
import { type ReadOptions, readJournal } from "../../src/journal/read-journal.ts";
import { recordedStats } from "../../src/journal/stats.ts";
import { collected } from "../support/collected.ts";
import { bashCall, HERE } from "../support/events.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Hooks whose decisions go to a journal of their own. */
function journalled(options: JournalOptions = {}) {
  const folder = join(temporaryFolder(), "journal");
  const reports: string[] = [];
  const hooks = createHooks();
  const journal = new Journal({
    folder,
    environment: {},
    report: (message) => reports.push(message),
    ...options,
  });
  const stop = journal.follow(hooks);
  const read = async (more: ReadOptions = {}) => collected(readJournal({ folder, ...more }));
  return { folder, hooks, journal, stop, read, reports };
}

describe("a journal", () => {
  it("listens for the end of the process together with all others", () => {
    const first = journalled();
    const listeners = process.listenerCount("exit");
    const more = Array.from({ length: 20 }, () => journalled());
    expect(process.listenerCount("exit")).toBe(listeners);
    for (const { stop } of [first, ...more]) stop();
  });

  it("has a line for each decision: the event, what was decided, and every run", async () => {
    const { hooks, stop, read } = journalled();
    hooks.on("PreToolUse", { name: "guard", tools: ["Bash"] }, () => deny("no"));
    const refused = await hooks.fire(bashCall("ls", { tool_use_id: "call-1", native: { long: "payload" } }));
    await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "hello" });
    stop();
    const event = { agent_id: "s1", agent_type: "main", cwd: "/project", host: "tenterhook" };
    expect(await read()).toEqual([
      {
        v: 1,
        type: "decision",
        time: expect.any(String),
        session_id: "s1",
        event_id: refused.runs[0]?.event_id,
        event: {
          ...event,
          hook_event_name: "PreToolUse",
          tool_name: "Bash",
          tool_input: { command: "ls" },
          tool_use_id: "call-1",
        },
        decision: { action: "deny", reason: "no" },
        runs: refused.runs,
      },
      {
        v: 1,
        type: "decision",
        time: expect.any(String),
        session_id: "s1",
        event_id: expect.any(String),
        event: { ...event, hook_event_name: "Notification", message: "hello" },
        decision: { action: "continue" },
        runs: [],
      },
    ]);
  });

  it("records how an async hook ended, and leaves out text deltas nobody looked at", async () => {
    const { hooks, stop, read } = journalled();
    hooks.on("Notification", { name: "later", async: true }, () => {
      throw new Error("broken");
    });
    await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "hello" });
    await hooks.fire({ ...HERE, hook_event_name: "StreamDelta", text: "a" });
    await hooks.settled();
    stop();
    const records = await read();
    expect(records.map(({ type, event }) => [type, event.hook_event_name])).toEqual([
      ["decision", "Notification"],
      ["run", "Notification"],
      ["decision", "Error"],
    ]);
    expect(await recordedStats(records)).toMatchObject([
      { name: "later", runs: 1, failures: 1, failures_by_kind: { error: 1 } },
    ]);
  });

  it("is for this user alone, in files whose names no session id can bend", async () => {
    const { folder, hooks, stop, read } = journalled();
    const ids = ["plain-1", "../../escape", "a/b", "A", "a", "x".repeat(500), ".hidden", "dot.ted", "ümlaut"];
    for (const session_id of ids)
      await hooks.fire({ ...HERE, session_id, hook_event_name: "Notification", message: "m" });
    stop();
    const names = readdirSync(folder).filter((name) => name !== ".tidied");
    expect(names).toHaveLength(ids.length);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
    expect(names.filter((name) => !/^[\w+=-]{1,80}\.jsonl$/.test(name))).toEqual([]);
    expect([
      statSync(folder).mode & 0o777,
      ...names.map((name) => statSync(join(folder, name)).mode & 0o777),
    ]).toEqual([0o700, ...names.map(() => 0o600)]);
    for (const session of ids)
      expect((await read({ session })).map(({ session_id }) => session_id)).toEqual([session]);
  });

  it("holds no secret and no line beyond its cap, whatever the event", async () => {
    const environment = { SERVICE_TOKEN: "very-plain-value" };
    const { folder, hooks, stop, read } = journalled({ environment });
    const deep = Array.from({ length: 300 }, (_, number) => ({ number, text: "é".repeat(3000) }));
    await hooks.fire(
      bashCall(`${"a".repeat(3990)}very-plain-value${"b".repeat(2_000_000)}`, {
        tool_name: "Write",
        more: deep,
        headers: { authorization: "x" },
      }),
    );
    stop();
    const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
    const text = readFileSync(join(folder, name), "utf8");
    expect([Buffer.byteLength(text) <= 64_001, text.includes("very-pl"), text.split("\n").length]).toEqual([
      true,
      false,
      2,
    ]);
    const [record] = await read();
    expect(record?.event).toMatchObject({ tool_name: "Write", headers: { authorization: "[redacted]" } });
  });

  it("holds no secret that a hook says: in its reason, its context, its messages or its failure", async () => {
    const { folder, hooks, stop } = journalled({ environment: { SERVICE_TOKEN: "very-plain-value" } });
    const secrets = ["ghp_abcdefghijklmnopqrstuvwxyz", "very-plain-value", "hunter2hunter2", "pw12345"];
    const [token, value, password, part] = secrets;
    const logged = `${token} ${value} password=${password} postgres://u:${part}@db`;
    hooks.on("PreToolUse", { name: "says" }, () => [context(logged), userMessage(logged), deny(logged)]);
    hooks.on("PreToolUse", { name: "fails" }, () => {
      throw new Error(logged);
    });
    await hooks.fire(bashCall("ls"));
    stop();
    const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
    const text = readFileSync(join(folder, name), "utf8");
    expect(text).toContain("password=[redacted]");
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it("loses no run, however many hooks an event has and however much each says", async () => {
    const { folder, hooks, stop, read } = journalled();
    for (let number = 0; number < 260; number += 1)
      hooks.on("PreToolUse", { name: `hook-${number}`, on_failure: "open" }, () => {
        if (number % 2 === 0) throw new Error("é".repeat(3000));
        return deny("no ".repeat(500));
      });
    hooks.on("PreToolUse", { name: "later", async: true }, () => undefined);
    await hooks.fire(bashCall("x".repeat(100_000)));
    await hooks.settled();
    stop();
    const records = await read();
    const stats = await recordedStats(records);
    const sum = (key: "runs" | "denials" | "failures") => stats.reduce((total, one) => total + one[key], 0);
    const ofHooks = stats.filter(({ runs }) => runs !== 1).map(({ name, runs }) => [name, runs]);
    expect([sum("runs"), sum("denials"), sum("failures"), ofHooks]).toEqual([261, 130, 130, []]);
    expect(records.filter(({ decision }) => decision?.action === "deny")).toHaveLength(1);
    const text = readFileSync(join(folder, "s1.jsonl"), "utf8");
    expect(text.split("\n").filter((line) => Buffer.byteLength(line) > 64_000)).toEqual([]);
  });

  it("keeps short what names the session, and finds it all the same", async () => {
    const { folder, hooks, stop, read } = journalled();
    const session = "x".repeat(200_000);
    for (const session_id of [session, `${session}y`])
      await hooks.fire({ ...HERE, session_id, hook_event_name: "Notification", message: "m" });
    stop();
    const sizes = readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => statSync(join(folder, name)).size < 64_000);
    expect(sizes).toEqual([true, true]);
    const [record, ...others] = await read({ session });
    expect([record?.event.message, others]).toEqual(["m", []]);
    expect(await read({ session: record?.session_id ?? "" })).toEqual([record]);
  });

  it("is read by time, session and hook", async () => {
    const { hooks, stop, read } = journalled();
    hooks.on("PreToolUse", { name: "guard" }, () => undefined);
    await hooks.fire(bashCall("one"));
    await hooks.fire(bashCall("two", { session_id: "s2" }));
    await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" });
    stop();
    const seen = async (options: ReadOptions) =>
      (await read(options)).map(({ session_id, event }) => `${session_id} ${event.hook_event_name}`);
    expect(await seen({ session: "s2" })).toEqual(["s2 PreToolUse"]);
    expect((await seen({ hook: "guard" })).sort()).toEqual(["s1 PreToolUse", "s2 PreToolUse"]);
    expect(await seen({ hook: "other" })).toEqual([]);
    expect(await seen({ since: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await seen({ since: new Date(Date.now() - 60_000) })).toHaveLength(3);
  });

  it("stays readable when its last line was cut off, and tells of damage in the middle", async () => {
    const { folder, hooks, journal, read } = journalled();
    const fire = async (): Promise<void> => {
      await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" });
      journal.flush();
    };
    await fire();
    const file = join(folder, "s1.jsonl");
    const [line = ""] = readFileSync(file, "utf8").split("\n");
    const damage: unknown[] = [];
    const onDamage = (found: unknown) => damage.push(found);
    writeFileSync(file, `${line}\n${line.slice(0, 40)}`);
    expect([(await read({ onDamage })).length, damage]).toEqual([1, []]);
    await fire();
    expect([(await read({ onDamage })).length, damage]).toEqual([2, [{ file, line: 2 }]]);
  });

  it("is read on when a file of it is removed meanwhile", async () => {
    const { folder, hooks, journal, stop } = journalled();
    for (const session_id of ["s1", "s2", "s3"]) {
      await hooks.fire({ ...HERE, session_id, hook_event_name: "Notification", message: "m" });
      journal.flush();
    }
    stop();
    const seen: string[] = [];
    for await (const { session_id } of readJournal({ folder })) {
      seen.push(session_id);
      rmSync(join(folder, "s2.jsonl"), { force: true });
    }
    expect(seen).toEqual(["s1", "s3"]);
  });

  it("is begun anew when it has grown, and nothing is lost by that", async () => {
    const { folder, hooks, journal, read } = journalled({ fileBytes: 2000 });
    for (let number = 0; number < 40; number += 1) {
      await hooks.fire({ ...HERE, hook_event_name: "Notification", message: `${number}` });
      journal.flush();
    }
    const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    expect(names.length).toBeGreaterThan(2);
    expect((await read({ session: "s1" })).map(({ event }) => Number(event.message))).toEqual(
      Array.from({ length: 40 }, (_, at) => at),
    );
    expect(readdirSync(folder).filter((name) => name.includes("lock"))).toEqual([]);
  });

  it("removes what is a month old, and leaves what is none of its own", async () => {
    const { folder, hooks, stop } = journalled();
    mkdirSync(folder);
    const past = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
    for (const name of ["old.jsonl", "old.txt"]) {
      writeFileSync(join(folder, name), "");
      utimesSync(join(folder, name), past, past);
    }
    await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" });
    stop();
    expect(readdirSync(folder).sort()).toEqual([".tidied", "old.txt", "s1.jsonl"]);
  });

  it("that can't be written is reported once, and no decision fails or waits for it", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const { hooks, journal, reports } = journalled({ folder: join(file, "journal") });
    for (let number = 0; number < 3; number += 1) {
      expect((await hooks.fire(bashCall())).action).toBe("continue");
      journal.flush();
    }
    expect(reports).toEqual([
      expect.stringMatching(/^Could not write decisions to the journal in .*\/file\/journal: ENOTDIR/),
    ]);
  });
});
