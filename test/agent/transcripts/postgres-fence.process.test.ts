import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { fenceOff } from "../../../src/agent/transcripts/postgres/fence.ts";
import { postgresStore, transcriptsIn } from "../../../src/agent/transcripts/postgres/postgres-store.ts";
import { TRANSCRIPTS } from "../../../src/agent/transcripts/postgres/schema.ts";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { openPostgres } from "../../../src/node/postgres/open-postgres.ts";
import { bundledProgram } from "../../support/bundled-program.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { runs } from "../../support/soak.ts";
import { ids, textMessage } from "./support/messages.ts";
import { rejected } from "./support/rejected.ts";

const server = await postgresServer();
const OWNER = { session_id: "agent", agent_id: "agent" };
const CHILD = { session_id: "agent", agent_id: "child", parent_agent_id: "agent" };
const NOW = "2026-01-02T03:04:05.000Z";
const TAKEN = ["agent_changed", 'Agent "agent" was taken over by another process: nothing was written.'];

async function opened() {
  const url = await server.newDatabase();
  const database = await openPostgres([TRANSCRIPTS], { address: databaseAddress(url, "url") });
  onTestFinished(() => database.close());
  const newStore = () => {
    const store = postgresStore({ url });
    onTestFinished(() => store.close());
    return store;
  };
  const takeOver = () => database.transaction((one) => fenceOff(one, "agent", NOW));
  return { url, database, newStore, takeOver };
}

describe("who has lost an agent", () => {
  it("writes nothing for it or for its subagents, and the next one goes on after the last entry", async () => {
    const { newStore, takeOver, database } = await opened();
    const [before, next] = [newStore(), newStore()];
    await before.claim(OWNER);
    await before.append(textMessage("a"), OWNER);
    await takeOver();
    expect([
      await rejected(before.append(textMessage("late"), OWNER)),
      await rejected(before.record({ type: "late" }, OWNER)),
      await rejected(before.save({ title: "late" }, OWNER)),
      await rejected(before.append(textMessage("late"), CHILD)),
    ]).toEqual([
      TAKEN,
      TAKEN,
      TAKEN,
      ["agent_changed", expect.stringContaining('Agent "child" was taken over')],
    ]);
    const { claim_id = null } = (await next.load("agent")) ?? {};
    await next.claim(OWNER, { after: claim_id });
    await next.append(textMessage("b"), OWNER);
    await rejected(before.append(textMessage("later"), OWNER));
    expect((await next.load("agent"))?.messages).toEqual([textMessage("a"), textMessage("b")]);
    expect((await next.load("agent"))?.metadata).not.toHaveProperty("title");
    expect(await next.activity("agent")).toEqual([{ message_id: "a" }, { message_id: "b" }]);
    expect(
      await database.query(
        "SELECT seq FROM tenterhook.transcript_entries WHERE agent = 'agent' ORDER BY seq",
      ),
    ).toEqual([{ seq: 1 }, { seq: 2 }]);
  });

  it("may still write after it has given the agent back, until somebody else takes it", async () => {
    const { newStore } = await opened();
    const [before, next] = [newStore(), newStore()];
    const claim = await before.claim(OWNER);
    await claim.release();
    await before.save({ status: "complete" }, OWNER);
    await next.claim(OWNER);
    expect(await rejected(before.append(textMessage("late"), OWNER))).toEqual(TAKEN);
  });

  it("writes nothing when it was asleep, wherever it fell asleep", async () => {
    const program = bundledProgram(new URL("support/fenced-writer.ts", import.meta.url));
    for (let round = 0; round < runs(4, 60); round += 1) {
      const { url, database, newStore, takeOver } = await opened();
      const child = spawn(process.execPath, [program, url], { stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => {
        child.kill("SIGKILL");
      });
      const reported: string[] = [];
      createInterface({ input: child.stdout }).on("line", (line) => reported.push(line));
      await eventually(() => expect(reported.length).toBeGreaterThan(5));
      await pause(Math.random() * 50);
      child.kill("SIGSTOP");
      const next = newStore();
      // It may sleep inside of a statement, whose locks last until that is over.
      await takeOver();
      await next.append(textMessage("next"), OWNER);
      const entries = () =>
        database.query("SELECT agent, seq, message FROM tenterhook.transcript_entries ORDER BY agent, seq");
      const [stored, known] = [await entries(), await next.load("agent")];
      const ended = once(child, "close");
      child.kill("SIGCONT");
      await ended;
      expect(reported.pop()).toBe("agent_changed agent_changed agent_changed");
      expect([await entries(), await next.load("agent")]).toEqual([stored, known]);
      const messages = known?.messages.map(({ id }) => id) ?? [];
      // The last one may be stored without the process having heard of it.
      expect([ids(reported.length), ids(reported.length + 1)]).toContainEqual(messages.slice(0, -1));
      expect(messages.slice(0, reported.length)).toEqual(reported);
    }
  });
});

describe("the postgres store", () => {
  it("waits while the server is restarted, loses nothing and repeats nothing", async () => {
    const { url, database } = await opened();
    const address = databaseAddress(url, "url");
    // A start after a power cut may take long.
    const patient = await openPostgres([TRANSCRIPTS], { address, patienceMilliseconds: 60_000 });
    onTestFinished(() => patient.close());
    const store = transcriptsIn(patient);
    await store.append(textMessage("m-0"), OWNER);
    let [number, running] = [1, true];
    const writing = (async () => {
      for (; running; number += 1) await store.append(textMessage(`m-${number}`), OWNER);
    })();
    for (const signal of ["SIGINT", "SIGKILL", "SIGQUIT"] as const) {
      await pause(50);
      await server.stop(signal);
      await server.start();
    }
    await pause(50);
    running = false;
    await writing;
    expect((await store.load("agent"))?.messages).toEqual(ids(number).map((id) => textMessage(id)));
    const rows = await database.query("SELECT seq FROM tenterhook.transcript_entries ORDER BY seq");
    expect(rows).toEqual(ids(number).map((_, at) => ({ seq: at + 1 })));
  });

  it("reports damage with the place, and reads the rest", async () => {
    const { newStore, database } = await opened();
    const store = newStore();
    for (const id of ids(4)) await store.append(textMessage(id), OWNER);
    await database.query(
      "UPDATE tenterhook.transcript_entries SET json = left(json, 9) WHERE message = 'm-1'",
    );
    const place = `${database.place}, entry 2 of agent "agent",`;
    const message = `${place} can't be read, and more follows it.`;
    expect(await rejected(store.load("agent"))).toEqual(["store_damaged", message]);
    const found: unknown[] = [];
    const loaded = await store.load("agent", { onDamage: (damage) => found.push(damage) });
    expect([loaded?.messages.map(({ id }) => id), found]).toEqual([["m-0", "m-2", "m-3"], [{ place }]]);
  });

  it("shows no password, wherever it fails", async () => {
    const { url } = await opened();
    const wrong = postgresStore({ url: url.replace(server.password, "hunter2hunter2") });
    const refused = await rejected(wrong.append(textMessage("a"), OWNER));
    expect(refused).toEqual(["store_failed", expect.stringMatching(/refused the user or the password\.$/)]);
    expect(JSON.stringify(refused)).not.toContain("hunter2");
    await wrong.close();
    expect(await rejected(wrong.load("a"))).toEqual([
      "store_failed",
      expect.stringMatching(/^The store postgres:\/\/tester@127\.0\.0\.1:\d+\/test_\d+ is closed\.$/),
    ]);
  });

  it("in a database that somebody else has opened leaves it open", async () => {
    const { database } = await opened();
    const store = transcriptsIn(database);
    await store.append(textMessage("a"), OWNER);
    await store.close();
    expect(await database.query("SELECT message FROM tenterhook.transcript_entries")).toEqual([
      { message: "a" },
    ]);
  });
});
