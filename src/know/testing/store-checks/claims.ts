import { type Checks, codeOf, message, same } from "./check.ts";

const OWNER = { session_id: "shared", agent_id: "agent" };

export const CLAIM_CHECKS: Checks = {
  "gives one claim of an agent at a time, tells who has it, and takes it back": async (store) => {
    const claim = await store.claim(OWNER);
    same(await codeOf(store.claim(OWNER)), "agent_in_use");
    same(await store.holder("none"), undefined);
    await (await store.claim({ ...OWNER, agent_id: "child", parent_agent_id: "agent" })).release();
    await store.append(message("a"), OWNER);
    const { pid, since } = (await store.holder("agent")) ?? {};
    same([pid, new Date(since ?? "").toISOString()], [process.pid, since]);
    const { claim_id } = (await store.load("agent")) ?? {};
    await claim.release();
    await claim.release();
    same(await store.holder("agent"), undefined);
    // What was read while it was held may have become more since.
    same(await codeOf(store.claim(OWNER, { after: claim_id ?? null })), "agent_changed");
    same((await store.load("agent"))?.claim_id, claim.id);
    const next = await store.claim(OWNER);
    same([next.id === claim.id, next.lost.aborted], [false, false]);
  },

  "lets a claim hold off neither a fork nor a reader": async (store) => {
    await store.append(message("a"), OWNER);
    await store.claim(OWNER);
    const fork = await store.fork("agent");
    same(await store.load(fork.agent_id), { metadata: fork, messages: [message("a")] });
    await store.claim(fork);
  },

  "refuses a claim of one who knows only what was before another's": async (store) => {
    await store.append(message("a"), OWNER);
    const { claim_id = null } = (await store.load("agent")) ?? {};
    await (await store.claim(OWNER, { after: claim_id })).release();
    same(await codeOf(store.claim(OWNER, { after: claim_id })), "agent_changed");
    const again = await store.claim(OWNER, { after: (await store.load("agent"))?.claim_id ?? null });
    await again.release();
    await (await store.claim(OWNER, { after: again.id })).release();
  },

  "forgets a claim with its agent": async (store) => {
    await store.append(message("a"), OWNER);
    await store.claim(OWNER);
    await store.delete("agent");
    await store.claim(OWNER);
  },
};

/** For stores that outlive their process. */
export const SHARED_CLAIM_CHECKS: Checks = {
  "gives a claim to one of two that share a place, and to the other when the first is closed": async (
    store,
    again,
  ) => {
    const other = await again();
    await store.claim(OWNER);
    same(await codeOf(other.claim(OWNER)), "agent_in_use");
    await store.close();
    await other.claim(OWNER);
  },
};
