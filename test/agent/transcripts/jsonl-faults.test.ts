import { closeSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { JsonlBackend, jsonlStore } from "../../../src/agent/transcripts/jsonl/jsonl-store.ts";
import { systemFiles, type WriteFiles } from "../../../src/agent/transcripts/jsonl/session-writer.ts";
import { Store } from "../../../src/agent/transcripts/store.ts";
import { runs } from "../../support/long.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { ids, textMessage } from "./support/messages.ts";
import { rejected } from "./support/rejected.ts";

const OWNER = { session_id: "s1", agent_id: "s1" };

/** Does something else than to write these bytes, and answers how many were written. */
type Fault = (open: number, bytes: Uint8Array) => number;

/** A store whose next writes meet with these faults; `undefined`: with none. */
function faulty(dir: string, faults: (Fault | undefined)[]) {
  const write: WriteFiles["write"] = (open, bytes) => (faults.shift() ?? systemFiles.write)(open, bytes);
  const store = new Store(new JsonlBackend({ dir }, { ...systemFiles, write }), { environment: {} });
  return {
    store,
    file: store.location(OWNER) ?? "",
    append: (id: string) => rejected(store.append(textMessage(id), OWNER)),
  };
}

const full = (length: number): Fault => {
  return (open, bytes) => {
    systemFiles.write(open, bytes.subarray(0, length));
    throw new Error("ENOSPC: no space left on device, write");
  };
};

/** The ids of what is kept; a promise that rejects when some of it can't be read. */
const storedIds = async (dir: string) => (await jsonlStore({ dir }).load("s1"))?.messages.map(({ id }) => id);

it.each([1, 5, 12])(
  "a mark that a full disk cuts off after %i bytes leaves no damage, once there is room",
  async (length) => {
    const dir = temporaryFolder();
    const { append } = faulty(dir, [undefined, full(30), full(length)]);
    const answers = [await append("a"), await append("b"), await append("b"), await append("b")];
    const failure = [
      "store_failed",
      `Storing a message failed in ${dir}: ENOSPC: no space left on device, write`,
    ];
    expect([answers, await storedIds(dir)]).toEqual([
      [undefined, failure, failure, undefined],
      ["a", "b"],
    ]);
  },
);

it("a message whose file was deleted is kept again when it is given again", async () => {
  const dir = temporaryFolder();
  const { append, file } = faulty(dir, []);
  await append("a");
  rmSync(file);
  await append("a");
  expect(await storedIds(dir)).toEqual(["a"]);
});

it("a file that can't even be closed fails the message, and nothing after it", async () => {
  const dir = temporaryFolder();
  const closes: Fault = (open) => {
    closeSync(open);
    throw new Error("EIO: i/o error, write");
  };
  const { append, store } = faulty(dir, [undefined, closes]);
  const answers = [await append("a"), await append("b"), await append("c")];
  await store.close();
  const failure = ["store_failed", `Storing a message failed in ${dir}: EIO: i/o error, write`];
  expect([answers, await storedIds(dir)]).toEqual([
    [undefined, failure, undefined],
    ["a", "c"],
  ]);
});

const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.nat(200).map(
    (length): Fault =>
      (open, bytes) =>
        systemFiles.write(open, bytes.subarray(0, length)),
  ),
  fc.nat(200).map(full),
);

it("whatever is written only in part or not at all: what was kept is there once, in order, without damage", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 12 }), async (faults) => {
      const dir = temporaryFolder();
      const { append } = faulty(dir, [...faults]);
      const acknowledged: string[] = [];
      for (const id of ids(6)) if ((await append(id)) === undefined) acknowledged.push(id);
      // What was written last may not be whole yet.
      for (let tries = 0; tries < 12; tries += 1) await append("last");
      const there = (await storedIds(dir)) ?? [];
      expect(new Set(there).size).toBe(there.length);
      expect(there.filter((id) => acknowledged.includes(id))).toEqual(acknowledged);
    }),
    { numRuns: runs(40) },
  );
});

it.each([
  ["is of a later version", (file: string) => writeFileSync(file, '{"agent":"x","begin":{},"version":9}\n')],
  ["is a folder", (file: string) => mkdirSync(file)],
  ["is a link", (file: string) => symlinkSync("/dev/null", file)],
])("a session that %s hides no other one, and is refused when it is asked for itself", async (_, spoil) => {
  const dir = temporaryFolder();
  const store = jsonlStore({ dir });
  onTestFinished(() => store.close());
  const child = { session_id: "s1", agent_id: "child", parent_agent_id: "s1" };
  await store.append(textMessage("a"), child);
  spoil(join(dir, "sessions", "x.jsonl"));
  const other = jsonlStore({ dir });
  onTestFinished(() => other.close());
  const { transcripts } = await other.list();
  expect([
    transcripts.map(({ agent_id }) => agent_id),
    (await other.load("child"))?.messages,
    await other.load("nobody"),
    (await other.fork("child", { agent_id: "fork" })).forked_from,
  ]).toEqual([["child"], [textMessage("a")], undefined, { agent_id: "child", message_id: "a" }]);
  const failure = ["store_failed", expect.any(String)];
  expect([await rejected(other.load("x")), await rejected(other.list({ session_id: "x" }))]).toEqual([
    failure,
    failure,
  ]);
});
