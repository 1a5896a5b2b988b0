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
import { freeze, thaw } from "../../support/faults/kill.ts";
import { runs } from "../../support/long.ts";
import { postgresServer } from "../../support/postgres.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";
import { ids, textMessage } from "./support/messages.ts";

const server = await postgresServer();
const OWNER = { session_id: "agent", agent_id: "agent" };
const NOW = "2026-01-02T03:04:05.000Z";

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
  it("writes nothing when it was asleep, wherever it fell asleep", async () => {
    const program = bundledProgram(new URL("support/fenced-writer.ts", import.meta.url));
    for (let round = 0; round < runs(4); round += 1) {
      const { url, database, newStore, takeOver } = await opened();
      const child = spawn(process.execPath, [program, url], { stdio: ["ignore", "pipe", "inherit"] });
      endAfterTest(child);
      const reported: string[] = [];
      createInterface({ input: child.stdout }).on("line", (line) => reported.push(line));
      await eventually(() => expect(reported.length).toBeGreaterThan(5));
      await pause(Math.random() * 50);
      freeze(child);
      const next = newStore();
      // It may sleep inside of a statement, whose locks last until that is over.
      await takeOver();
      await next.append(textMessage("next"), OWNER);
      const entries = () =>
        database.query("SELECT agent, seq, message FROM tenterhook.transcript_entries ORDER BY agent, seq");
      const [stored, known] = [await entries(), await next.load("agent")];
      const ended = once(child, "close");
      thaw(child);
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
});
