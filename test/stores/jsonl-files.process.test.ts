import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { JsonlBackend, jsonlStore } from "../../src/stores/transcripts/jsonl/jsonl-store.ts";
import { systemFiles, type WriteFiles } from "../../src/stores/transcripts/jsonl/session-writer.ts";
import { Store } from "../../src/stores/transcripts/store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { ids, START, textMessage } from "./support/messages.ts";
import { rejected } from "./support/rejected.ts";

const OWNER = { session_id: "s1", agent_id: "s1" };
const CHILD = { session_id: "s1", agent_id: "child", parent_agent_id: "s1" };
const clock = { now: () => START };

/** A store, the file of its session, and what reads the ids of an agent. */
function opened(dir = temporaryFolder(), files?: WriteFiles) {
  const store = new Store(new JsonlBackend({ dir }, files), { clock, environment: {} });
  const file = store.location(OWNER) ?? "";
  const idsIn = async (agent_id = "s1") =>
    (await jsonlStore({ dir }).load(agent_id))?.messages.map(({ id }) => id);
  const appendAll = async (all: readonly string[], owner = OWNER) => {
    for (const id of all) await store.append(textMessage(id), owner);
  };
  return { dir, store, file, idsIn, appendAll };
}

const linesOf = (file: string) => readFileSync(file, "utf8").split("\n");

it("a session is one file of lines anybody can read", async () => {
  const { store, file, appendAll } = opened();
  await appendAll(["a"]);
  await store.record({ type: "hook_begin" }, CHILD);
  await store.save({ title: "Fix it" }, OWNER);
  const times = { created_at: "2026-01-02T03:04:05.000Z", updated_at: "2026-01-02T03:04:05.000Z" };
  expect(linesOf(file)).toEqual([
    JSON.stringify({ agent: "s1", begin: { ...OWNER, status: "running", ...times }, version: 1 }),
    JSON.stringify({ agent: "s1", message: textMessage("a") }),
    JSON.stringify({ agent: "child", begin: { ...CHILD, status: "running", ...times }, version: 1 }),
    '{"agent":"child","item":{"type":"hook_begin"}}',
    '{"agent":"s1","save":{"title":"Fix it"},"time":"2026-01-02T03:04:05.000Z"}',
    "",
  ]);
});

it("sessions that are written at once keep every byte, however long the text and whatever its characters", async () => {
  const { dir, store } = opened();
  // About as many characters as one write holds at once, by three bytes each.
  const messages = ["x", "é", "€", "😀"].flatMap((character, at) =>
    [1, 21_000, 22_000, 66_000].map((length) => ({ id: `${at}-${length}`, text: character.repeat(length) })),
  );
  const owner = ({ id }: { readonly id: string }) => ({ session_id: id, agent_id: id });
  await Promise.all(messages.map((message) => store.append(message, owner(message))));
  const reader = jsonlStore({ dir });
  const loaded = await Promise.all(messages.map(({ id }) => reader.load(id)));
  expect(loaded.map((transcript) => transcript?.messages)).toEqual(messages.map((message) => [message]));
});

it("files are for this user alone, with names no id can bend", async () => {
  const { store, dir } = opened();
  const sessions = [
    "plain",
    "../../escape",
    "A",
    "a",
    "x".repeat(500),
    ".hidden",
    "\ud800",
    "\udc00",
    "inputs",
  ];
  for (const session_id of sessions) {
    await store.append(textMessage("a"), { session_id, agent_id: `agent of ${session_id}` });
    await store.save({ title: "t" }, { session_id, agent_id: `agent of ${session_id}` });
  }
  await store.typed("hello", OWNER);
  const folder = join(dir, "sessions");
  const names = readdirSync(folder);
  expect(names).toHaveLength(sessions.length * 2);
  expect(names.filter((name) => !/^[\w+-]{1,80}\.(jsonl|index\.json)$/.test(name))).toEqual([]);
  const modes = [folder, join(dir, "inputs.jsonl"), ...names.map((name) => join(folder, name))].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, ...names.map(() => 0o600)]);
  for (const session_id of sessions)
    expect((await store.load(`agent of ${session_id}`))?.metadata.session_id).toBe(session_id);
});

it.each(['{"agent":"s1","message":{"id":"torn","te', '{"agent":"s1","message":{"id":"torn"}}', "\0\0\0"])(
  "a last line that was cut off is not read, and harms nothing that follows: %j",
  async (torn) => {
    const first = opened();
    await first.appendAll(["a", "b"]);
    await first.store.close();
    appendFileSync(first.file, torn);
    const { appendAll, idsIn, file } = opened(first.dir);
    expect(await idsIn()).toEqual(["a", "b"]);
    await appendAll(["c"]);
    await appendAll(["d"]);
    expect([await idsIn(), linesOf(file).at(-1)]).toEqual([["a", "b", "c", "d"], ""]);
    appendFileSync(file, torn);
    await opened(first.dir).appendAll(["torn", "e"]);
    expect(await idsIn()).toEqual(["a", "b", "c", "d", "torn", "e"]);
  },
);

it("damage in the middle is reported with file and line, and nothing is overwritten", async () => {
  const first = opened();
  await first.appendAll(ids(5));
  await first.appendAll(["child-1"], CHILD);
  const lines = linesOf(first.file);
  lines[3] = lines[3]?.slice(0, 20) ?? "";
  writeFileSync(first.file, lines.join("\n"));
  const { store, file, appendAll } = opened(first.dir);
  const place = `${file}, line 4,`;
  expect(await rejected(store.load("s1"))).toEqual([
    "store_damaged",
    `${place} can't be read, and more follows it.`,
  ]);
  expect(await rejected(store.rollout("s1"))).toMatchObject([
    "store_damaged",
    expect.stringContaining("line 4"),
  ]);
  await appendAll(["later"]);
  const found: unknown[] = [];
  const loaded = await store.load("s1", { onDamage: (damage) => found.push(damage) });
  expect([loaded?.messages.map(({ id }) => id), found]).toEqual([
    ["m-0", "m-1", "m-3", "m-4", "later"],
    [{ place }],
  ]);
  expect(linesOf(file).slice(0, lines.length - 1)).toEqual(lines.slice(0, -1));
});

it("a line is damaged unless one behind it says exactly where it was cut off", async () => {
  const { file, appendAll, store } = opened();
  await appendAll(["a"]);
  const size = statSync(file).size;
  appendFileSync(file, `broken\n{"agent":"s1","message":{"id":"b"}}\n{"torn":${size + 5}}\n`);
  expect(await rejected(store.load("s1"))).toEqual([
    "store_damaged",
    `${file}, line 3, can't be read, and more follows it.`,
  ]);
});

it("what another process was writing when its line looked cut off is kept", async () => {
  const { file, appendAll, idsIn } = opened();
  await appendAll(["a"]);
  const line = '{"agent":"s1","message":{"id":"b"}}';
  const seen = statSync(file).size + line.length;
  appendFileSync(file, `${line}\n\n{"torn":${seen}}\n`);
  expect(await idsIn()).toEqual(["a", "b"]);
});

it("what is written only in parts is written again, once", async () => {
  let parts = 0;
  const write = (open: number, bytes: Uint8Array): number => {
    parts += 1;
    return systemFiles.write(open, parts % 2 === 1 ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes);
  };
  const { store, idsIn } = opened(undefined, { ...systemFiles, write });
  await Promise.all(ids(10).map((id) => store.append(textMessage(id), OWNER)));
  expect(await idsIn()).toEqual(ids(10));
});

it("a message that ran into a line another process left half-written is written again", async () => {
  const half = '{"agent":"s1","message":{"id":"half","te';
  let file = "";
  let died = false;
  const write = (open: number, bytes: Uint8Array): number => {
    if (!died) appendFileSync(file, half);
    died = true;
    return systemFiles.write(open, bytes);
  };
  const { store, idsIn, ...more } = opened(undefined, { ...systemFiles, write });
  file = more.file;
  await store.append(textMessage("begun"), CHILD);
  died = false;
  await store.append(textMessage("a"), OWNER);
  await store.record({ type: "item" }, OWNER);
  died = false;
  await store.record({ type: "item" }, OWNER);
  expect([await idsIn("child"), await idsIn(), await store.rollout("s1")]).toEqual([
    ["begun"],
    ["a"],
    [{ message_id: "a" }, { item: { type: "item" } }, { item: { type: "item" } }],
  ]);
});

it("a message is not durable before the disk says so, and those that wait share one sync", async () => {
  const steps: string[] = [];
  const files: WriteFiles = {
    write(open, bytes) {
      steps.push("write");
      return systemFiles.write(open, bytes);
    },
    async sync(open) {
      await systemFiles.sync(open);
      steps.push("sync");
    },
  };
  const { store } = opened(undefined, files);
  const first = ids(3, "first").map((id) => store.append(textMessage(id), OWNER));
  await Promise.all([...first, store.record({ type: "item" }, OWNER)]);
  steps.push("resolved");
  await store.record({ type: "item" }, OWNER);
  expect(steps).toEqual(["write", "sync", "resolved", "write"]);
});

it("a sync that fails is a failure of all that waited, and appending again is safe", async () => {
  let failures = 1;
  const sync = async (open: number): Promise<void> => {
    failures -= 1;
    if (failures === 0) throw new Error("EIO: i/o error, fdatasync");
    await systemFiles.sync(open);
  };
  const { dir, store, idsIn } = opened(undefined, { ...systemFiles, sync });
  const attempts = ids(2).map((id) => rejected(store.append(textMessage(id), OWNER)));
  const failure = ["store_failed", `Storing a message failed in ${dir}: EIO: i/o error, fdatasync`];
  expect(await Promise.all(attempts)).toEqual([failure, failure]);
  for (const id of ids(2)) await store.append(textMessage(id), OWNER);
  expect(await idsIn()).toEqual(ids(2));
});

it("a list is read from the index, and is right without one or with one that is behind", async () => {
  const { dir, store, file, appendAll } = opened();
  await appendAll(ids(3));
  await store.save({ title: "first" }, OWNER);
  const index = join(dirname(file), `${basename(file, ".jsonl")}.index.json`);
  const titles = async () => (await jsonlStore({ dir }).list()).transcripts.map(({ title }) => title);
  const behind = readFileSync(index, "utf8");
  writeFileSync(index, behind.replace("first", "from the index"));
  expect(await titles()).toEqual(["from the index"]);
  await store.save({ title: "second" }, OWNER);
  const whole = await titles();
  writeFileSync(index, behind);
  const caughtUp = await titles();
  writeFileSync(index, behind.slice(0, 40));
  const broken = await titles();
  rmSync(index);
  expect([whole, caughtUp, broken, await titles()]).toEqual(Array.from({ length: 4 }, () => ["second"]));
});

it("the index is not written again for the usage that a running agent saves with each message", async () => {
  const { dir, store, file, appendAll } = opened();
  await store.save({ title: "first" }, OWNER);
  const index = file.replace(/\.jsonl$/, ".index.json");
  const before = readFileSync(index, "utf8");
  await appendAll(ids(3));
  await store.save({ usage: { total_tokens: 7 } }, OWNER);
  expect(readFileSync(index, "utf8")).toBe(before);
  expect((await jsonlStore({ dir }).list()).transcripts[0]?.usage).toEqual({ total_tokens: 7 });
  await store.save({ status: "complete" }, OWNER);
  expect(readFileSync(index, "utf8")).not.toBe(before);
});

it("an index of a file that was made again is not believed, and one worth having is written by readers", async () => {
  const { dir, store, file, appendAll } = opened();
  await store.save({ title: "old" }, OWNER);
  const index = file.replace(/\.jsonl$/, ".index.json");
  const old = readFileSync(index, "utf8");
  await store.delete("s1");
  expect(readdirSync(dirname(file))).toEqual([]);
  await appendAll(ids(2));
  await store.append({ id: "long", text: "x".repeat(300_000) }, OWNER);
  writeFileSync(index, old);
  const listed = await jsonlStore({ dir }).list();
  expect(listed.transcripts.map(({ title }) => title)).toEqual([undefined]);
  expect(JSON.parse(readFileSync(index, "utf8"))).toMatchObject({ covers: statSync(file).size });
});

it("a folder that is named from where the process is stays that folder, wherever hooks and programs look from", () => {
  const { location } = jsonlStore({ dir: "some/transcripts", environment: {} });
  expect(location(OWNER)).toBe(resolve("some/transcripts/sessions/s1.jsonl"));
});

it("a session that another process deleted is begun anew", async () => {
  const { dir, appendAll, idsIn } = opened();
  await appendAll(ids(3));
  expect([await opened(dir).store.delete("s1"), await idsIn()]).toEqual([true, undefined]);
  await appendAll(["m-1", "m-2"]);
  expect(await idsIn()).toEqual(["m-1", "m-2"]);
});

it("a folder that somebody deleted is made again", async () => {
  const { dir, store, idsIn, appendAll } = opened();
  await appendAll(["a"]);
  rmSync(dir, { recursive: true });
  await appendAll(["b"]);
  rmSync(dir, { recursive: true });
  await (await store.claim(CHILD)).release();
  await appendAll(["c"], CHILD);
  expect([await idsIn(), await idsIn("child")]).toEqual([undefined, ["c"]]);
  await store.close();
});

it("a file that somebody emptied while it was open is begun anew", async () => {
  const { file, appendAll, idsIn } = opened();
  await appendAll(["a", "b"]);
  writeFileSync(file, "");
  await appendAll(["c", "d"]);
  expect(await idsIn()).toEqual(["c", "d"]);
});

it.runIf(process.platform === "linux")("many sessions do not keep as many files open", async () => {
  const { store } = opened();
  const before = readdirSync("/proc/self/fd").length;
  let most = 0;
  for (const session_id of ids(300, "s")) {
    await store.append(textMessage("a"), { session_id, agent_id: session_id });
    most = Math.max(most, readdirSync("/proc/self/fd").length);
  }
  expect(most - before).toBeLessThan(100);
  await store.close();
});

it("a transcript of a later version is refused, not misread", async () => {
  const { store, file, appendAll } = opened();
  await appendAll(["a"]);
  writeFileSync(file, readFileSync(file, "utf8").replace('"version":1', '"version":2'));
  expect(await rejected(store.load("s1"))).toEqual([
    "store_failed",
    'The transcript of agent "s1" was written by a later version of this package.',
  ]);
});

it("what a process left that was killed while it wrote the index is removed, and nothing else", async () => {
  const { store, file, appendAll } = opened();
  const folder = dirname(file);
  const { pid: gone } = spawnSync(process.execPath, ["-e", ""]);
  const names = [
    `.${gone}-0123456789ab.tmp`,
    `.${gone}-0123456789ac.tmp`,
    `.${process.pid}-0123456789ab.tmp`,
  ];
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), "{}");
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const name of names.slice(0, 1).concat(names.slice(2)))
    utimesSync(join(folder, name), longAgo, longAgo);
  await appendAll(["a"]);
  await store.close();
  expect(readdirSync(folder).toSorted()).toEqual([basename(file), ...names.slice(1)].toSorted());
});
