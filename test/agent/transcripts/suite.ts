import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { StoreOptions } from "../../../src/agent/transcripts/store.ts";
import type { TranscriptOwner, TranscriptStore } from "../../../src/core/contracts/transcript.ts";
import { runs } from "../../support/soak.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { EVERY_KIND, ids, START, textMessage } from "./support/messages.ts";
import { STORES, type StoreKind } from "./support/places.ts";
import { rejected } from "./support/rejected.ts";

/** The agent that is a session by itself. */
const ROOT: TranscriptOwner = { session_id: "s1", agent_id: "s1", agent_type: "main", cwd: "/project" };
const CHILD: TranscriptOwner = {
  session_id: "s1",
  agent_id: "child",
  parent_agent_id: "s1",
  agent_type: "explore",
  cwd: "/project",
};

/** Text of every kind of unit, halves of characters and zeros included. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
const jsonObject = fc
  .dictionary(fc.oneof(fc.string(), anyText), fc.oneof(fc.jsonValue(), anyText))
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));

/** What every store does alike. */
export function describeStore(kind: StoreKind): void {
  const opened = (options: StoreOptions = {}) => {
    let now = START;
    const clock = { now: () => now };
    const store: TranscriptStore = STORES[kind](temporaryFolder(), { clock, environment: {}, ...options });
    onTestFinished(() => store.close());
    return { store, later: (milliseconds = 1000) => (now += milliseconds) };
  };
  const idsIn = async (store: TranscriptStore, agent_id: string) =>
    (await store.load(agent_id))?.messages.map(({ id }) => id);

  describe(`the ${kind} store`, () => {
    it("gives back messages of every kind, unchanged and in order", async () => {
      const { store } = opened();
      for (const message of EVERY_KIND) await store.append(message, ROOT);
      expect(await store.load("s1")).toEqual({
        metadata: {
          ...ROOT,
          status: "running",
          created_at: "2026-01-02T03:04:05.000Z",
          updated_at: "2026-01-02T03:04:05.000Z",
        },
        messages: EVERY_KIND,
      });
    });

    it("can be copied, with something of one's own in it", async () => {
      const { store } = opened();
      const copy = { ...store, location: () => undefined };
      await copy.append(textMessage("m-1"), ROOT);
      await copy.record({ type: "note" }, ROOT);
      expect(await idsIn(store, "s1")).toEqual(["m-1"]);
    });

    it("gives back whatever JSON holds, under whatever ids", async () => {
      const { store } = opened();
      let number = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.tuple(anyText, jsonObject), { selector: ([id]) => id, maxLength: 8 }),
          anyText,
          async (drawn, suffix) => {
            number += 1;
            const owner = { session_id: `${number} ${suffix}`, agent_id: `${number}/${suffix}` };
            const messages = drawn.map(([id, rest]) => ({ ...rest, id: `-${id}` }));
            await Promise.all(messages.map((message) => store.append(message, owner)));
            const loaded = await store.load(owner.agent_id);
            expect(loaded?.messages ?? []).toEqual(messages);
          },
        ),
        { numRuns: runs(40, 1500) },
      );
    }, 120_000);

    it("gives back an agent of the session it is looked for in, and of no other", async () => {
      const { store } = opened();
      await store.append(textMessage("a"), CHILD);
      const { agent_id, session_id } = CHILD;
      const [here, elsewhere, nowhere] = await Promise.all(
        [session_id, "other", agent_id].map((session) => store.load(agent_id, { session_id: session })),
      );
      expect([here?.messages, elsewhere, nowhere]).toEqual([[textMessage("a")], undefined, undefined]);
    });

    it("keeps a very long text and ten thousand messages", async () => {
      const { store } = opened();
      const long = { id: "long", text: "ä\ud800\n".repeat(1_500_000) };
      await store.append(long, ROOT);
      const many = ids(10_000);
      for (let from = 0; from < many.length; from += 500)
        await Promise.all(many.slice(from, from + 500).map((id) => store.append(textMessage(id), ROOT)));
      const loaded = await store.load("s1");
      expect(loaded?.messages.slice(0, 1)).toEqual([long]);
      expect(loaded?.messages.slice(1)).toEqual(many.map((id) => textMessage(id)));
    });

    it("writes an id once, and the first one counts", async () => {
      const { store } = opened();
      await Promise.all([store.append(textMessage("a"), ROOT), store.append(textMessage("a"), ROOT)]);
      await store.append({ ...textMessage("a"), role: "tool" }, ROOT);
      await store.append(textMessage("a"), CHILD);
      expect((await store.load("s1"))?.messages).toEqual([textMessage("a")]);
      expect(await idsIn(store, "child")).toEqual(["a"]);
    });

    it("keeps what it was given, whatever happens to it later", async () => {
      const { store } = opened();
      const message = { id: "a", parts: ["before"] };
      await store.append(message, ROOT);
      message.parts[0] = "after";
      expect((await store.load("s1"))?.messages).toEqual([{ id: "a", parts: ["before"] }]);
    });

    it("refuses what is no message, and says so", async () => {
      const { store } = opened();
      const circle: { id: string; self?: unknown } = { id: "circle" };
      circle.self = circle;
      expect([
        await rejected(store.append({ id: "" }, ROOT)),
        await rejected(store.append(circle, ROOT)),
        await rejected(store.append({ id: "a" }, { ...ROOT, agent_id: "" })),
      ]).toEqual([
        ["invalid_record", 'A message for agent "s1" has no id.'],
        ["invalid_record", expect.stringContaining('Message "circle" is not JSON data: Converting circular')],
        ["invalid_record", "A transcript needs an agent_id and a session_id."],
      ]);
      expect(await store.load("s1")).toBeUndefined();
    });

    it("remembers what is saved of an agent, and a status takes what belongs to it along", async () => {
      const { store, later } = opened();
      const waiting_for = { question: "Deploy?", options: ["yes", "no"] };
      await store.save({ title: "Fix it", status: "suspended", waiting_for, model: "scripted/a" }, CHILD);
      later();
      await store.save({ usage: { input_tokens: 7, output_tokens: 2 } }, CHILD);
      const known = {
        ...CHILD,
        title: "Fix it",
        model: "scripted/a",
        usage: { input_tokens: 7, output_tokens: 2 },
      };
      const created_at = "2026-01-02T03:04:05.000Z";
      expect(await store.load("child")).toEqual({
        metadata: {
          ...known,
          status: "suspended",
          waiting_for,
          created_at,
          updated_at: "2026-01-02T03:04:06.000Z",
        },
        messages: [],
      });
      later();
      await store.save({ status: "error", error: { error_type: "overloaded", message: "busy" } }, CHILD);
      await store.save({ status: "complete" }, CHILD);
      expect((await store.load("child"))?.metadata).toEqual({
        ...known,
        status: "complete",
        created_at,
        updated_at: "2026-01-02T03:04:07.000Z",
      });
    });

    it("has an activity that refers to messages and holds none", async () => {
      const { store } = opened();
      const begin = { type: "hook_begin", run_id: "r1", hook: "guard" };
      await store.record(begin, ROOT);
      await store.append(textMessage("a"), ROOT);
      await store.append(textMessage("b"), CHILD);
      await store.record({ type: "hook_input", hook: "TurnStart", text: "ß" }, ROOT);
      await store.append(textMessage("a"), ROOT);
      expect([
        await store.activity("s1"),
        await store.activity("child"),
        await store.activity("none"),
      ]).toEqual([
        [
          { item: begin },
          { message_id: "a" },
          { item: { type: "hook_input", hook: "TurnStart", text: "ß" } },
        ],
        [{ message_id: "b" }],
        [],
      ]);
    });

    it("forks at a turn or a message, and leaves the original alone", async () => {
      const { store, later } = opened();
      for (const [id, turn] of [
        ["a", "t1"],
        ["b", "t1"],
        ["c", "t2"],
        ["d", "t3"],
      ] as const)
        await store.append(textMessage(id, turn), CHILD);
      await store.save({ title: "Fix it", status: "running", model: "scripted/a" }, CHILD);
      await store.record({ type: "hook_begin" }, CHILD);
      const original = [await store.load("child"), await store.activity("child")];
      later();
      const forked = await store.fork("child", { turn_id: "t1", agent_id: "fork" });
      const metadata = {
        session_id: "fork",
        agent_id: "fork",
        agent_type: "explore",
        cwd: "/project",
        title: "Fix it",
        model: "scripted/a",
        status: "complete",
        forked_from: { agent_id: "child", message_id: "b" },
        created_at: "2026-01-02T03:04:06.000Z",
        updated_at: "2026-01-02T03:04:06.000Z",
      };
      expect(forked).toEqual(metadata);
      expect(await store.load("fork")).toEqual({
        metadata,
        messages: [textMessage("a", "t1"), textMessage("b", "t1")],
      });
      await store.append(textMessage("a"), { session_id: "fork", agent_id: "fork" });
      await store.append(textMessage("e"), { session_id: "fork", agent_id: "fork" });
      expect(await idsIn(store, "fork")).toEqual(["a", "b", "e"]);
      expect([await store.load("child"), await store.activity("child")]).toEqual(original);
      const third = await store.fork("child", { message_id: "c" });
      expect(await idsIn(store, third.agent_id)).toEqual(["a", "b", "c"]);
      expect(await idsIn(store, (await store.fork("child")).agent_id)).toEqual(["a", "b", "c", "d"]);
    });

    it("a fork that shares the end is where the original is", async () => {
      const { store } = opened();
      await store.append(textMessage("a", "t1"), ROOT);
      await store.append(textMessage("b", "t2"), ROOT);
      const waits = { status: "suspended", waiting_for: { type: "question" } } as const;
      await store.save({ ...waits, mode: "plan", mode_before: "accept-edits" }, ROOT);
      const whole = await store.fork("s1", { agent_id: "whole" });
      const part = await store.fork("s1", { agent_id: "part", turn_id: "t1" });
      expect([whole, part]).toMatchObject([
        { ...waits, mode: "plan", mode_before: "accept-edits" },
        { status: "complete", mode: "plan" },
      ]);
      expect([(await store.load("whole"))?.metadata, "waiting_for" in part]).toEqual([whole, false]);
    });

    it("a fork at a turn does not have the messages after it", async () => {
      const { store } = opened();
      await store.append(textMessage("a", "t1"), ROOT);
      const later = { turn_id: "t2", input: { type: "prompt", text: "Later." } };
      await store.save({ status: "running", unheard: later }, ROOT);
      const forks = [await store.fork("s1"), await store.fork("s1", { turn_id: "t1" })];
      await store.append(textMessage("b", "t2"), ROOT);
      forks.push(await store.fork("s1", { turn_id: "t2" }));
      expect(forks.map(({ status, unheard }) => [status, unheard])).toEqual([
        ["running", later],
        ["complete", undefined],
        ["running", later],
      ]);
    });

    it("says why it can't fork", async () => {
      const { store } = opened();
      await store.append(textMessage("a"), ROOT);
      expect([
        await rejected(store.fork("none")),
        await rejected(store.fork("s1", { turn_id: "t9" })),
        await rejected(store.fork("s1", { message_id: "z" })),
        await rejected(store.fork("s1", { agent_id: "s1" })),
      ]).toEqual([
        ["unknown_agent", 'The store has no transcript of agent "none".'],
        ["unknown_agent", 'Agent "s1" has no turn "t9".'],
        ["unknown_agent", 'Agent "s1" has no message "z".'],
        ["agent_exists", 'There is an agent "s1" already.'],
      ]);
    });

    it("deletes an agent with its descendants, and nothing else", async () => {
      const { store } = opened();
      const grandchild = { ...CHILD, agent_id: "grandchild", parent_agent_id: "child" };
      const sibling = { ...CHILD, agent_id: "sibling" };
      const other = { session_id: "s2", agent_id: "s2" };
      for (const owner of [ROOT, CHILD, grandchild, sibling, other]) {
        await store.append(textMessage("a"), owner);
        await store.record({ type: "item" }, owner);
      }
      const left = async () => (await store.list()).transcripts.map(({ agent_id }) => agent_id).sort();
      expect([await store.delete("child"), await left()]).toEqual([true, ["s1", "s2", "sibling"]]);
      expect([await store.load("child"), await store.activity("grandchild")]).toEqual([undefined, []]);
      await store.append(textMessage("anew"), CHILD);
      expect(await idsIn(store, "child")).toEqual(["anew"]);
      expect([await store.delete("s1"), await left(), await store.delete("s1")]).toEqual([
        true,
        ["s2"],
        false,
      ]);
      expect([await idsIn(store, "s1"), await idsIn(store, "s2")]).toEqual([undefined, ["a"]]);
    });

    it("keeps what the user typed apart", async () => {
      const { store, later } = opened();
      await store.typed("fix the tests", ROOT);
      later();
      await store.typed("и ещё\nодин", { session_id: "s2", agent_id: "s2" });
      const first = {
        text: "fix the tests",
        session_id: "s1",
        cwd: "/project",
        typed_at: "2026-01-02T03:04:05.000Z",
      };
      const second = { text: "и ещё\nодин", session_id: "s2", typed_at: "2026-01-02T03:04:06.000Z" };
      expect([
        await store.history(),
        await store.history({ limit: 1 }),
        await store.history({ session_id: "s1" }),
        await store.history({ cwd: "/project" }),
        await store.history({ cwd: "/elsewhere" }),
      ]).toEqual([[first, second], [second], [first], [first], []]);
      expect([await store.activity("s1"), (await store.list()).transcripts]).toEqual([[], []]);
    });

    it("ends reading when it is aborted, and takes nothing after close", async () => {
      const { store } = opened();
      await store.append(textMessage("a"), ROOT);
      const reason = new Error("enough");
      const signal = AbortSignal.abort(reason);
      await expect(store.load("s1", { signal })).rejects.toBe(reason);
      await store.close();
      expect(await rejected(store.append(textMessage("b"), ROOT))).toEqual([
        "store_failed",
        expect.stringMatching(/^The store .* is closed\.$/),
      ]);
    });
  });
}
