import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { transcriptsIn } from "../../../src/agent/transcripts/postgres/postgres-store.ts";
import { TRANSCRIPTS } from "../../../src/agent/transcripts/postgres/schema.ts";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { openPostgres } from "../../../src/node/postgres/open-postgres.ts";
import { cutNetwork } from "../../support/faults/cut-network.ts";
import { postgresServer } from "../../support/postgres.ts";
import { START, textMessage } from "./support/messages.ts";

const server = await postgresServer();
const OWNER = { session_id: "agent", agent_id: "agent" };
/** All that happens has the same time. */
const FIXED = { clock: { now: () => START } };
const ITEM = { type: "note", text: "a" };

/** A database, and the same one by a way on which the answers to some statements get lost. */
async function opened() {
  const url = new URL(await server.newDatabase());
  const lost: string[] = [];
  let marked: string | undefined;
  const network = await cutNetwork(server.port, {
    losesAnswer(data) {
      if (marked === undefined || !data.includes(marked)) return false;
      lost.push(marked);
      marked = undefined;
      return true;
    },
  });
  const open = async (port: number, answerMilliseconds?: number) => {
    const address = databaseAddress(Object.assign(new URL(url), { port: String(port) }).href, "url");
    const times = answerMilliseconds === undefined ? {} : { answerMilliseconds };
    const database = await openPostgres([TRANSCRIPTS], { address, patienceMilliseconds: 60_000, ...times });
    onTestFinished(() => database.close());
    return database;
  };
  const database = await open(server.port);
  const far = await open(network.port);
  return {
    database,
    open,
    there: transcriptsIn(database, FIXED),
    here: transcriptsIn(far, FIXED),
    lost,
    /** The next statement with this text is done, and nobody hears of it. */
    loseAnswerTo(text: string): void {
      marked = text;
    },
  };
}

describe("a write to PostgreSQL whose answer is lost", () => {
  it("stores each message and each item of the activity once, and the change with them", async () => {
    const { here, lost, loseAnswerTo } = await opened();
    for (const round of ["new", "known"]) {
      loseAnswerTo("write_transcript");
      await Promise.all([
        here.append(textMessage(round), OWNER),
        here.record(ITEM, OWNER),
        here.save({ title: round }, OWNER),
      ]);
      loseAnswerTo("write_transcript");
      await here.record(ITEM, OWNER);
    }
    expect(lost).toHaveLength(4);
    expect(await here.activity("agent")).toEqual([
      ...[{ message_id: "new" }, { item: ITEM }, { item: ITEM }],
      ...[{ message_id: "known" }, { item: ITEM }, { item: ITEM }],
    ]);
    expect((await here.load("agent"))?.metadata.title).toBe("known");
  });

  it("creates an agent once with the item it begins with", async () => {
    const { here, lost, loseAnswerTo } = await opened();
    loseAnswerTo("write_transcript");
    await here.record(ITEM, OWNER);
    expect([lost.length, await here.activity("agent")]).toEqual([1, [{ item: ITEM }]]);
  });

  it("is no reason to say that a new fork exists already", async () => {
    const { here, lost, loseAnswerTo } = await opened();
    await here.append(textMessage("a"), OWNER);
    loseAnswerTo("write_transcript");
    await here.fork("agent", { agent_id: "fork" });
    expect(lost).toHaveLength(1);
    expect((await here.load("fork"))?.messages).toEqual([textMessage("a")]);
  });

  it("stores an item once when the statement that was given up is done after all", async () => {
    const { database, open, there } = await opened();
    const here = transcriptsIn(await open(server.port, 500), FIXED);
    await there.append(textMessage("a"), OWNER);
    const recorded = await database.transaction(async (transaction) => {
      await transaction.query("SELECT 1 FROM tenterhook.transcripts FOR UPDATE");
      const stored = here.record(ITEM, OWNER);
      await pause(1500);
      return { stored };
    });
    await recorded.stored;
    expect(await there.activity("agent")).toEqual([{ message_id: "a" }, { item: ITEM }]);
  });
});

describe("a write to PostgreSQL", () => {
  it("is not taken for done because the metadata is already what it would be", async () => {
    const { here } = await opened();
    await here.append(textMessage("a"), OWNER);
    await Promise.all([here.append(textMessage("b"), OWNER), here.save({ status: "running" }, OWNER)]);
    expect((await here.load("agent"))?.messages).toEqual([textMessage("a"), textMessage("b")]);
  });

  it("keeps what another process changed while this one had the agent", async () => {
    const { here, there } = await opened();
    await here.claim(OWNER);
    await here.save({ title: "mine" }, OWNER);
    await there.save({ model: "theirs" }, OWNER);
    await Promise.all([here.append(textMessage("a"), OWNER), here.save({ status: "complete" }, OWNER)]);
    expect(await here.load("agent")).toMatchObject({
      metadata: { title: "mine", model: "theirs", status: "complete" },
      messages: [textMessage("a")],
    });
  });

  it("stores a message though another process has changed the metadata in the same way", async () => {
    const { here, there } = await opened();
    await here.claim(OWNER);
    await here.save({ title: "before" }, OWNER);
    await there.save({ title: "after" }, OWNER);
    await Promise.all([here.append(textMessage("a"), OWNER), here.save({ title: "after" }, OWNER)]);
    expect((await here.load("agent"))?.messages).toEqual([textMessage("a")]);
  });
});
