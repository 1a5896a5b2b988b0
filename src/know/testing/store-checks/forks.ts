import { CHILD, type Checks, codeOf, idsIn, later, message, ROOT, same } from "./check.ts";

export const FORK_CHECKS: Checks = {
  "forks at a turn or a message, and leaves the original alone": async (store) => {
    const turns = { a: "t1", b: "t1", c: "t2", d: "t3" };
    for (const [id, turn] of Object.entries(turns)) await store.append(message(id, turn), CHILD);
    await store.save({ title: "Fix it", status: "running", model: "scripted/a" }, CHILD);
    await store.record({ type: "hook_begin" }, CHILD);
    const first = await store.load("child");
    const original = [first, await store.activity("child")];
    await later();
    const forked = await store.fork("child", { turn_id: "t1", agent_id: "fork" });
    const { created_at, updated_at, ...known } = forked;
    same(known, {
      session_id: "fork",
      agent_id: "fork",
      agent_type: "explore",
      cwd: "/project",
      title: "Fix it",
      model: "scripted/a",
      status: "complete",
      forked_from: { agent_id: "child", message_id: "b" },
    });
    same([created_at === updated_at, created_at > String(first?.metadata.created_at)], [true, true]);
    same(await store.load("fork"), { metadata: forked, messages: [message("a", "t1"), message("b", "t1")] });
    await store.append(message("a"), { session_id: "fork", agent_id: "fork" });
    await store.append(message("e"), { session_id: "fork", agent_id: "fork" });
    same(await idsIn(store, "fork"), ["a", "b", "e"]);
    same([await store.load("child"), await store.activity("child")], original);
    const third = await store.fork("child", { message_id: "c" });
    same(await idsIn(store, third.agent_id), ["a", "b", "c"]);
    same(await idsIn(store, (await store.fork("child")).agent_id), ["a", "b", "c", "d"]);
  },

  "forks that share the end are where the original is": async (store) => {
    await store.append(message("a", "t1"), ROOT);
    await store.append(message("b", "t2"), ROOT);
    const waits = { status: "suspended", waiting_for: { type: "question" } } as const;
    await store.save({ ...waits, mode: "plan", mode_before: "accept-edits" }, ROOT);
    const whole = await store.fork("s1", { agent_id: "whole" });
    const part = await store.fork("s1", { agent_id: "part", turn_id: "t1" });
    const state = ({ status, waiting_for, mode }: typeof whole) => ({ status, waiting_for, mode });
    same(state(whole), { ...waits, mode: "plan" });
    same(whole.mode_before, "accept-edits");
    same(state(part), { status: "complete", mode: "plan" });
    same((await store.load("whole"))?.metadata, whole);
  },

  "forks at a turn do not have what an agent was given after it": async (store) => {
    await store.append(message("a", "t1"), ROOT);
    const unheard = { turn_id: "t2", input: { type: "prompt", text: "Later." } };
    await store.save({ status: "running", unheard }, ROOT);
    const forks = [await store.fork("s1"), await store.fork("s1", { turn_id: "t1" })];
    await store.append(message("b", "t2"), ROOT);
    forks.push(await store.fork("s1", { turn_id: "t2" }));
    same(
      forks.map((fork) => ({ status: fork.status, unheard: fork.unheard })),
      [{ status: "running", unheard }, { status: "complete" }, { status: "running", unheard }],
    );
  },

  "forks neither what is not there nor onto what is": async (store) => {
    await store.append(message("a"), ROOT);
    same(await codeOf(store.fork("none")), "unknown_agent");
    same(await codeOf(store.fork("s1", { turn_id: "t9" })), "unknown_agent");
    same(await codeOf(store.fork("s1", { message_id: "z" })), "unknown_agent");
    same(await codeOf(store.fork("s1", { agent_id: "s1" })), "agent_exists");
  },
};
