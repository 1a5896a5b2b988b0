import { ok } from "node:assert";
import type { TranscriptStore } from "../../../core/contracts/transcript.ts";
import { CHILD, type Checks, codeOf, idsIn, later, message, ROOT, same } from "./check.ts";

/** Data that stores have been known to change. */
const ODD = [
  { id: "text", text: 'Größe, 大小, 🙂\n\u2028\u0000\t"\\', half: "\ud83d of a character", none: "" },
  { id: "data", list: [1, null, [], {}], deep: { a: { b: [true, false, -0.5, 1e21] } } },
  { id: "long", text: "x".repeat(100_000) },
  { id: "a/b c%", name: "__proto__ and constructor" },
];

export const TRANSCRIPT_CHECKS: Checks = {
  "gives back messages unchanged and in order": async (store) => {
    for (const one of ODD) await store.append(one, ROOT);
    const { metadata, messages } = (await store.load("s1")) ?? {};
    same(messages, ODD);
    const { created_at, updated_at, ...known } = metadata ?? {};
    same(known, { ...ROOT, status: "running" });
    for (const time of [created_at, updated_at]) same(new Date(time ?? "").toISOString(), time);
  },

  "keeps the order of messages that are appended at once": async (store) => {
    const ids = Array.from({ length: 50 }, (_, number) => `m-${number}`);
    await Promise.all(ids.map((id) => store.append(message(id), ROOT)));
    same(await idsIn(store, "s1"), ids);
  },

  "writes an id once in a transcript, and the first one counts": async (store) => {
    await Promise.all([store.append(message("a"), ROOT), store.append(message("a"), ROOT)]);
    await store.append({ ...message("a"), role: "tool" }, ROOT);
    await store.append(message("a"), CHILD);
    same((await store.load("s1"))?.messages, [message("a")]);
    same(await idsIn(store, "child"), ["a"]);
  },

  "keeps what it was given, whatever happens to it later": async (store) => {
    const given = { id: "a", parts: ["before"] };
    await store.append(given, ROOT);
    given.parts[0] = "after";
    same((await store.load("s1"))?.messages, [{ id: "a", parts: ["before"] }]);
  },

  "gives back an agent of the session it is looked for in, and of no other": async (store) => {
    await store.append(message("a"), CHILD);
    const found = await Promise.all(
      ["s1", "other", "child"].map((session_id) => store.load("child", { session_id })),
    );
    same(
      found.map((transcript) => transcript?.messages.length ?? 0),
      [1, 0, 0],
    );
    same(await store.load("none"), undefined);
  },

  "refuses what is no message, and stores nothing of it": async (store) => {
    const circle: { id: string; self?: unknown } = { id: "circle" };
    circle.self = circle;
    same(await codeOf(store.append({ id: "" }, ROOT)), "invalid_record");
    same(await codeOf(store.append(circle, ROOT)), "invalid_record");
    same(await codeOf(store.append({ id: "a" }, { ...ROOT, agent_id: "" })), "invalid_record");
    same(await store.load("s1"), undefined);
  },

  "remembers what is saved of an agent; a status takes what belongs to it along": async (store) => {
    const waiting_for = { question: "Deploy?", options: ["yes", "no"] };
    await store.save({ title: "Fix it", status: "suspended", waiting_for, model: "scripted/a" }, CHILD);
    const first = (await store.load("child"))?.metadata;
    await later();
    const usage = { input_tokens: 7, output_tokens: 2 };
    await store.save({ usage }, CHILD);
    const { updated_at, ...second } = (await store.load("child"))?.metadata ?? {};
    const known = { ...CHILD, title: "Fix it", model: "scripted/a", usage, created_at: first?.created_at };
    same(second, { ...known, status: "suspended", waiting_for });
    ok(String(updated_at) > String(first?.updated_at), "a save changes updated_at");
    await later();
    await store.append(message("a"), CHILD);
    same((await store.load("child"))?.metadata.updated_at, updated_at);
    await store.save({ status: "error", error: { error_type: "overloaded", message: "busy" } }, CHILD);
    await store.save({ status: "complete" }, CHILD);
    const { updated_at: _, ...third } = (await store.load("child"))?.metadata ?? {};
    same(third, { ...known, status: "complete" });
  },

  "has an activity that refers to messages and holds none": async (store) => {
    const begin = { type: "hook_begin", run_id: "r1", hook: "guard" };
    const input = { type: "hook_input", hook: "TurnStart", text: "ß" };
    await store.record(begin, ROOT);
    await store.append(message("a"), ROOT);
    await store.append(message("b"), CHILD);
    await store.record(input, ROOT);
    await store.append(message("a"), ROOT);
    same(await store.activity("s1"), [{ item: begin }, { message_id: "a" }, { item: input }]);
    same(await store.activity("child"), [{ message_id: "b" }]);
    same(await store.activity("none"), []);
  },

  "deletes an agent with its descendants, and nothing else": async (store) => {
    const grandchild = { ...CHILD, agent_id: "grandchild", parent_agent_id: "child" };
    const sibling = { ...CHILD, agent_id: "sibling" };
    const other = { session_id: "s2", agent_id: "s2" };
    for (const owner of [ROOT, CHILD, grandchild, sibling, other]) {
      await store.append(message("a"), owner);
      await store.record({ type: "item" }, owner);
    }
    const left = async () => (await store.list()).transcripts.map(({ agent_id }) => agent_id).sort();
    same([await store.delete("child"), await left()], [true, ["s1", "s2", "sibling"]]);
    same([await idsIn(store, "child"), await store.activity("grandchild")], [undefined, []]);
    await store.append(message("anew"), CHILD);
    same(await idsIn(store, "child"), ["anew"]);
    same([await store.delete("s1"), await left(), await store.delete("s1")], [true, ["s2"], false]);
    same([await idsIn(store, "s1"), await idsIn(store, "s2")], [undefined, ["a"]]);
  },

  "ends reading when it is aborted, and takes nothing after close": async (store) => {
    await store.append(message("a"), ROOT);
    const reason = new Error("enough");
    ok((await codeOf(store.load("s1", { signal: AbortSignal.abort(reason) }))) === reason, "not aborted");
    await store.close();
    same(await codeOf(store.append(message("b"), ROOT)), "store_failed");
  },
};

/** For stores that outlive their process. */
export const DURABLE_CHECKS: Checks = {
  "is the same after it was closed and opened again": async (store, again) => {
    for (const one of ODD) await store.append(one, ROOT);
    await store.save({ title: "Fix it", status: "suspended", waiting_for: { id: 1 } }, ROOT);
    await store.record({ type: "item" }, ROOT);
    const everything = async (of: TranscriptStore) => [
      await of.load("s1"),
      await of.activity("s1"),
      await of.list(),
      of.location(ROOT) ?? "nowhere",
    ];
    const before = await everything(store);
    await store.close();
    const second = await again();
    same(await everything(second), before);
    await second.append(ODD[0] ?? message("none"), ROOT);
    await second.append(message("new"), ROOT);
    same(await idsIn(second, "s1"), [...ODD.map(({ id }) => id), "new"]);
  },

  "loses and repeats nothing when two write to one place": async (store, again) => {
    const other = await again();
    const ids = Array.from({ length: 20 }, (_, number) => `m-${number}`);
    const write = async (to: TranscriptStore, own: string) => {
      for (const id of ids)
        await Promise.all([id, `${own}-${id}`].map((one) => to.append(message(one), ROOT)));
    };
    await Promise.all([write(store, "a"), write(other, "b")]);
    const found = (await store.load("s1"))?.messages.map(({ id }) => id) ?? [];
    same([...found].sort(), ids.flatMap((id) => [id, `a-${id}`, `b-${id}`]).sort());
    same(await idsIn(other, "s1"), found);
  },
};
