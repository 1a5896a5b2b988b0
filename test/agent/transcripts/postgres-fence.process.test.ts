import { describe, expect, it, onTestFinished } from "vitest";
import { fenceOff } from "../../../src/agent/transcripts/postgres/fence.ts";
import { postgresStore, transcriptsIn } from "../../../src/agent/transcripts/postgres/postgres-store.ts";
import { TRANSCRIPTS } from "../../../src/agent/transcripts/postgres/schema.ts";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { openPostgres } from "../../../src/node/postgres/open-postgres.ts";
import { postgresServer } from "../../support/postgres.ts";
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
});

describe("the postgres store", () => {
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
