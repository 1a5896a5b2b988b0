import { describe, expect, it } from "vitest";
import { type Ask, verdictCache } from "../../../src/handlers/judge/verdict-cache.ts";

const FINE = { ok: true, reason: "" };

/** A question that is answered by hand. */
function byHand() {
  const asked: { readonly signal: AbortSignal; answer(): void; fail(error: Error): void }[] = [];
  const ask: Ask<typeof FINE> = (signal) =>
    new Promise((resolve, reject) => {
      asked.push({ signal, answer: () => resolve(FINE), fail: reject });
    });
  return { asked, ask };
}

const at = (signal = new AbortController().signal) => signal;
/** A question that is answered at once. */
const answered: Ask<typeof FINE> = async () => FINE;

describe("verdicts", () => {
  it("are kept for their time and no longer", async () => {
    let now = 0;
    const cache = verdictCache(300, () => now);
    expect(await cache.verdictOn("a", at(), answered)).toEqual({ verdict: FINE, cached: false });
    now = 299_999;
    expect(await cache.verdictOn("a", at(), answered)).toEqual({ verdict: FINE, cached: true });
    expect(await cache.verdictOn("b", at(), answered)).toEqual({ verdict: FINE, cached: false });
    now = 300_000;
    expect(await cache.verdictOn("a", at(), answered)).toEqual({ verdict: FINE, cached: false });
  });

  it("are not kept at all with 0 seconds", async () => {
    const cache = verdictCache(0);
    await cache.verdictOn("a", at(), answered);
    expect(await cache.verdictOn("a", at(), answered)).toEqual({ verdict: FINE, cached: false });
  });

  it("are kept in a limited number: the oldest go first", async () => {
    const cache = verdictCache(300, () => 0);
    for (let key = 0; key <= 1000; key += 1) await cache.verdictOn(String(key), at(), answered);
    expect(await cache.verdictOn("1", at(), answered)).toMatchObject({ cached: true });
    expect(await cache.verdictOn("0", at(), answered)).toMatchObject({ cached: false });
  });

  it("are not kept when asking failed", async () => {
    const cache = verdictCache(300);
    const { asked, ask } = byHand();
    const first = cache.verdictOn("a", at(), ask);
    asked[0]?.fail(new Error("busy"));
    await expect(first).rejects.toThrow("busy");
    expect(await cache.verdictOn("a", at(), answered)).toEqual({ verdict: FINE, cached: false });
  });
});

describe("the same question at the same time", () => {
  it("is asked once; who shares the answer shares a failure too", async () => {
    const cache = verdictCache(300);
    const { asked, ask } = byHand();
    const both = [cache.verdictOn("a", at(), ask), cache.verdictOn("a", at(), ask)];
    asked[0]?.answer();
    expect(await Promise.all(both)).toEqual([
      { verdict: FINE, cached: false },
      { verdict: FINE, cached: true },
    ]);
    const failing = [cache.verdictOn("b", at(), ask), cache.verdictOn("b", at(), ask)];
    asked[1]?.fail(new Error("busy"));
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(asked).toHaveLength(2);
  });

  it("goes on when one of those who wait leaves, and ends when the last one does", async () => {
    const cache = verdictCache(300);
    const { asked, ask } = byHand();
    const [first, second] = [new AbortController(), new AbortController()];
    const answers = [cache.verdictOn("a", first.signal, ask), cache.verdictOn("a", second.signal, ask)];
    first.abort(new Error("first left"));
    await expect(answers[0]).rejects.toThrow("first left");
    expect(asked[0]?.signal.aborted).toBe(false);
    second.abort(new Error("second left"));
    await expect(answers[1]).rejects.toThrow("second left");
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(await cache.verdictOn("a", at(), answered)).toEqual({ verdict: FINE, cached: false });
  });
});
