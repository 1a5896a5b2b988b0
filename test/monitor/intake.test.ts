import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openIntake, spoolReader, tidySpool } from "../../src/monitor/intake/intake.ts";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { spoolFolder } from "../../src/monitor/report/spool.ts";
import { spoolFiles } from "../../src/monitor/report/spool-files.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import type { MonitorTables } from "../../src/shared/monitor/monitor.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { monitorEvent, question, storedEvents } from "./support/events.ts";
import { openStore } from "./support/open-store.ts";

const before = (time: Date) => ({ since: time, notableSince: time, bytes: 1e9 });
const line = (event: MonitorEvent): string => `${JSON.stringify(event)}\n`;

/** A spool and a function that returns the ids of all that is new in it. */
function spool() {
  const folder = temporaryFolder();
  const reader = spoolReader(folder);
  const ids = (): readonly string[] => {
    const found: string[] = [];
    for (let events = reader.next(); events.length > 0; events = reader.next())
      found.push(...events.map(({ id }) => id));
    return found;
  };
  const write = (text: string, name = "spool.jsonl") =>
    appendFileSync(join(folder, name), text, { mode: 0o600 });
  return { folder, ids, write };
}

describe("the spool is read", () => {
  it("as it grows, each event once", () => {
    const { ids, write } = spool();
    const events = [monitorEvent("agent:turn"), monitorEvent("agent:turn"), monitorEvent("agent:turn")];
    const [first, second, third] = events.map(line);
    write(`${first}${second}`);
    expect(ids()).toEqual(events.slice(0, 2).map(({ id }) => id));
    expect(ids()).toEqual([]);
    write(String(third));
    expect(ids()).toEqual([events[2]?.id]);
  });

  it("on where it stood after the file was renamed, with what a slow writer adds to the old one", () => {
    const { folder, ids, write } = spool();
    const [one, two, three] = [
      monitorEvent("agent:turn"),
      monitorEvent("agent:turn"),
      monitorEvent("agent:turn"),
    ];
    write(line(one));
    expect(ids()).toEqual([one.id]);
    renameSync(join(folder, "spool.jsonl"), join(folder, "spool-1.jsonl"));
    write(line(two), "spool-1.jsonl");
    write(line(three));
    expect(ids()).toEqual([two.id, three.id]);
  });

  it("on where an earlier reader stood, and from the start when it is another file", () => {
    const { folder, write } = spool();
    const [one, two] = [monitorEvent("agent:turn"), monitorEvent("agent:turn")];
    write(line(one));
    const first = spoolReader(folder);
    expect(first.next().map(({ id }) => id)).toEqual([one.id]);
    write(line(two));
    const positions = first.positions();
    expect(spoolReader(folder, positions).next()).toEqual([two]);
    // Another file may have the same number.
    const others = Object.entries(positions).map(([key, at]) => [key.replace(/-[^-]+$/, "-1"), at]);
    expect(spoolReader(folder, Object.fromEntries(others)).next()).toEqual([one, two]);
    rmSync(join(folder, "spool.jsonl"));
    expect(first.positions()).toEqual({});
  });

  it("without the line that is being written, until it is whole", () => {
    const { ids, write } = spool();
    const event = monitorEvent("agent:turn");
    const text = line(event);
    write(text.slice(0, 20));
    expect(ids()).toEqual([]);
    write(text.slice(20));
    expect(ids()).toEqual([event.id]);
  });

  it("past damaged lines, and past a file of another kind or without end", () => {
    const { folder, ids, write } = spool();
    const event = monitorEvent("agent:turn");
    write(`not json\n{"v":2}\n[]\n${line(event)}`);
    writeFileSync(join(folder, "a.jsonl"), "", { mode: 0o600 });
    truncateSync(join(folder, "a.jsonl"), 5_000_000);
    expect(ids()).toEqual([event.id]);
  });

  it("only from files that nobody else can write", () => {
    const { folder, ids, write } = spool();
    write(line(monitorEvent("agent:turn")));
    chmodSync(join(folder, "spool.jsonl"), 0o666);
    expect(ids()).toEqual([]);
  });
});

describe("the spool is tidied", () => {
  it("when it is taken in: of full files, eight are left, and those of a day", () => {
    const { folder, write } = spool();
    const now = Date.now();
    const old = (now - 25 * 60 * 60 * 1000) / 1000;
    for (const name of ["taken-1", "spool-9", "spool-10", "spool"]) write("", `${name}.jsonl`);
    utimesSync(join(folder, "taken-1.jsonl"), old, old);
    const tidied = () => tidySpool(folder, now, spoolReader(folder).written());
    tidied();
    expect(spoolFiles(folder)).toEqual(["spool-9.jsonl", "spool-10.jsonl", "spool.jsonl"]);
    for (let number = 11; number < 20; number += 1) write("", `spool-${number}.jsonl`);
    tidySpool(folder, now, {});
    expect(spoolFiles(folder)).toHaveLength(12);
    tidied();
    expect(spoolFiles(folder).slice(0, 2)).toEqual(["spool-12.jsonl", "spool-13.jsonl"]);
  });
});

describe("what is taken in", () => {
  it("is stored with the states and the decisions that follow from it", async () => {
    const store = await openStore();
    const asked = question();
    await takeIn(store, [monitorEvent("agent:start", { host: "claude" }), asked]);
    expect(await store.agents()).toEqual([
      expect.objectContaining({ agent_id: "worker", host: "claude", state: "prompting", since: asked.time }),
    ]);
    expect(await store.decisions("open")).toEqual([expect.objectContaining({ id: asked.id })]);
    await takeIn(store, [monitorEvent("agent:turn")]);
    expect(await store.decisions("open")).toEqual([]);
    expect(await store.decisions("all")).toEqual([
      expect.objectContaining({ id: asked.id, state: "dismissed" }),
    ]);
  });

  it("counts once, also when it is read again after everything went on", async () => {
    const store = await openStore();
    const events = [question(), monitorEvent("agent:turn")];
    expect(await takeIn(store, events)).toHaveLength(2);
    expect(await takeIn(store, events)).toEqual([]);
    expect(await store.agents()).toEqual([expect.objectContaining({ state: "working" })]);
  });

  it("is forgotten after a time, but for open decisions and agents", async () => {
    const store = await openStore();
    const asked = question();
    await takeIn(store, [monitorEvent("agent:turn"), asked]);
    await store.forget(before(new Date("2027-01-01")));
    const events: MonitorEvent[] = [];
    for (const event of await storedEvents(store)) events.push(event);
    expect(events).toEqual([]);
    expect(await store.decisions("all")).toHaveLength(1);
    expect(await store.agents()).toHaveLength(1);
  });
});

describe("the daemon takes a long spool in", () => {
  /** More than is read at once. */
  const time = new Date().toISOString();
  const now = (type: string) => ({ ...monitorEvent(type), time });
  const many = Array.from({ length: 2600 }, () => now("agent:turn"));
  const spoolOf = (environment: NodeJS.ProcessEnv) => join(spoolFolder(environment), "spool.jsonl");
  const world = () => {
    const environment = { XDG_STATE_HOME: temporaryFolder() };
    mkdirSync(spoolFolder(environment), { recursive: true, mode: 0o700 });
    writeFileSync(spoolOf(environment), many.map(line).join(""), { mode: 0o600 });
    return environment;
  };
  const fail = (error: unknown) => {
    throw error;
  };

  it("and answers clients in between", async () => {
    const store = await openStore();
    const intake = await openIntake(store, world(), fail);
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await intake.drain();
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(0);
  });

  it("once: after a restart only what is new", async () => {
    const store = await openStore();
    const environment = world();
    const first = await openIntake(store, environment, fail);
    await first.drain();
    const seen: number[] = [];
    const counting = {
      ...store,
      update: <Result>(work: (tables: MonitorTables) => Result) =>
        store.update((tables) => {
          let events = 0;
          const addEvent = (event: MonitorEvent) => {
            events += 1;
            return tables.addEvent(event);
          };
          const result = work({ ...tables, addEvent });
          if (events > 0) seen.push(events);
          return result;
        }),
    };
    appendFileSync(spoolOf(environment), line(now("agent:stopped")));
    const second = await openIntake(counting, environment, fail);
    await second.drain();
    expect(seen).toEqual([1]);
    expect(await store.agents()).toMatchObject([{ state: "idle" }]);
  });

  it("only as far as it was written when somebody asked: others go on writing", async () => {
    const store = await openStore();
    const environment = world();
    let stored = 0;
    const busy = {
      ...store,
      update: <Result>(work: (tables: MonitorTables) => Result) => {
        stored += 1;
        if (stored < 50) appendFileSync(spoolOf(environment), line(now("agent:turn")));
        return store.update(work);
      },
    };
    const intake = await openIntake(busy, environment, fail);
    await intake.drain();
    expect(stored).toBeLessThan(10);
    expect((await store.eventsOf("worker", 10_000)).length).toBeGreaterThanOrEqual(many.length);
  });
});

describe("the store forgets", () => {
  it("agents that ended before a time, and those of which nobody can say whether they have", async () => {
    const store = await openStore();
    const at = (agent_id: string, type: string, day: number, more: object = {}) => ({
      ...monitorEvent(type, { agent_id, ...more }),
      time: new Date(Date.UTC(2026, 0, day)).toISOString(),
    });
    await takeIn(store, [
      at("ended", "agent:exit", 1),
      at("killed", "agent:gone", 1),
      at("unknown", "agent:turn", 1),
      at("running", "agent:turn", 1, { agent_pid: 42 }),
      at("asks", "agent:prompt", 1, { prompt_type: "question", question: "Which?" }),
      at("ended lately", "agent:exit", 3),
    ]);
    await store.forget(before(new Date(Date.UTC(2026, 0, 2))));
    expect((await store.agents()).map(({ agent_id }) => agent_id)).toEqual([
      "asks",
      "ended lately",
      "running",
    ]);
  });
});
