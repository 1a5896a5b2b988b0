import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Backend } from "../../../src/agent/transcripts/backend.ts";
import { Claims } from "../../../src/agent/transcripts/claims.ts";
import { JsonlBackend } from "../../../src/agent/transcripts/jsonl/jsonl-store.ts";
import { hasEnded, thisProcess } from "../../../src/node/identity/process-identity.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { rejected } from "./support/rejected.ts";

const OWNER = { session_id: "shared", agent_id: "agent" };
const ELSEWHERE = { pid: 7, host: "elsewhere", machine: "another", started: "1" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Two machines that share a folder. */
function twoMachines() {
  const dir = temporaryFolder();
  let now = Date.UTC(2026, 0, 2, 3, 4, 5);
  const clock = { now: () => now };
  const backend = () => new JsonlBackend({ dir });
  return {
    backend,
    here: new Claims(backend(), { clock }),
    there: new Claims(backend(), { clock, self: ELSEWHERE }),
    later: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

it("a machine nobody can look at keeps its claim while it gives signs of life, and two minutes longer", async () => {
  const { here, there, later } = twoMachines();
  await there.take(OWNER);
  later(100);
  await vi.advanceTimersByTimeAsync(30_000);
  later(100);
  expect(await rejected(here.take(OWNER))).toEqual([
    "agent_in_use",
    'Agent "agent" is being run by process 7 on elsewhere, since 2026-01-02T03:04:05.000Z.',
  ]);
  await expect(here.take(OWNER)).rejects.toMatchObject({
    hint: expect.stringMatching(
      /^Wait until it is done, or end that process; or work on a copy: tenterhook sessions fork agent, Agent\.fork\. If that machine is gone, the agent is free 2 minutes/,
    ),
  });
  later(20);
  await here.take(OWNER);
});

it("one whose claim was taken over hears of it, and does not give the other's back", async () => {
  const { here, there, later } = twoMachines();
  const lost = await there.take(OWNER);
  later(121);
  const mine = await here.take(OWNER);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(lost.lost.reason).toMatchObject({ code: "agent_changed", message: 'Agent "agent" was taken over.' });
  await lost.release();
  expect(await rejected(there.take(OWNER))).toMatchObject(["agent_in_use", expect.any(String)]);
  expect(mine.lost.aborted).toBe(false);
  await here.close();
  await there.take(OWNER, { after: mine.id });
});

it("what can't be given back on a full disk is free at once in this process, and for others when there is room", async () => {
  const { here, backend } = twoMachines();
  let full = true;
  const changeClaim: Backend["changeClaim"] = async (...change) => {
    if (full) throw new Error("ENOSPC: no space left on device, write");
    return backend().changeClaim(...change);
  };
  const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };
  const claims = new Claims(Object.assign(backend(), { changeClaim }), { clock });
  const first = await claims.take(OWNER);
  await first.release();
  expect(await here.holder(OWNER.agent_id)).toBeUndefined();
  const second = await here.take(OWNER, { after: first.id });
  await second.release();
  const third = await claims.take(OWNER, { after: second.id });
  await third.release();
  const stored = () => backend().lastClaim(OWNER.agent_id, OWNER.session_id);
  expect(await stored()).not.toHaveProperty("released");
  await vi.advanceTimersByTimeAsync(30_000);
  full = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await stored()).toMatchObject({ id: third.id, released: true });
  await claims.close();
});

it("a process has ended when its id belongs to another one by now", () => {
  const self = thisProcess();
  expect([
    hasEnded(self),
    hasEnded({ ...self, started: "long ago" }),
    hasEnded({ ...self, pid: 2 ** 22 + 1 }),
    hasEnded(ELSEWHERE),
  ]).toEqual([false, true, true, undefined]);
});
