import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { jsonlStore } from "../../../src/agent/transcripts/jsonl/jsonl-store.ts";
import { notLinux } from "../../support/not-here.ts";
import { ids, textMessage } from "./support/messages.ts";
import { CHILD, linesOf, OWNER, opened } from "./support/opened-jsonl.ts";
import { rejected } from "./support/rejected.ts";

it("a session is one file of lines anybody can read", async () => {
  const { store, file, appendAll } = opened();
  await appendAll(["a"]);
  await store.record({ type: "hook_begin" }, CHILD);
  await store.save({ title: "Fix it" }, OWNER);
  const times = { created_at: "2026-01-02T03:04:05.000Z", updated_at: "2026-01-02T03:04:05.000Z" };
  expect(linesOf(file)).toEqual([
    JSON.stringify({ agent: "s1", n: 1, begin: { ...OWNER, status: "running", ...times }, version: 1 }),
    JSON.stringify({ agent: "s1", n: 2, message: textMessage("a") }),
    JSON.stringify({ agent: "child", n: 1, begin: { ...CHILD, status: "running", ...times }, version: 1 }),
    '{"agent":"child","n":2,"item":{"type":"hook_begin"}}',
    '{"agent":"s1","n":3,"save":{"title":"Fix it"},"time":"2026-01-02T03:04:05.000Z"}',
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
  const folder = join(dir, "sessions");
  const names = readdirSync(folder);
  expect(names).toHaveLength(sessions.length);
  expect(names.filter((name) => !/^[\w+-]{1,80}\.jsonl$/.test(name))).toEqual([]);
  const modes = [folder, ...names.map((name) => join(folder, name))].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, ...names.map(() => 0o600)]);
  for (const session_id of sessions)
    expect((await store.load(`agent of ${session_id}`))?.metadata.session_id).toBe(session_id);
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

it("many sessions do not keep as many files open", async ({ skip }) => {
  skip(notLinux !== undefined, notLinux);
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
