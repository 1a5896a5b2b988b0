import { describe, expect, it } from "vitest";
import { verdictCache } from "../../../src/handlers/judge/verdict-cache.ts";

const FINE = { ok: true, reason: "" };

/** A question that is answered at once. */
const answered = async () => FINE;

describe("verdicts", () => {
  it("are kept for their time and no longer", async () => {
    let now = 0;
    const cache = verdictCache(300, () => now);
    expect(await cache.verdictOn("a", answered)).toEqual({ verdict: FINE, cached: false });
    now = 299_999;
    expect(await cache.verdictOn("a", answered)).toEqual({ verdict: FINE, cached: true });
    expect(await cache.verdictOn("b", answered)).toEqual({ verdict: FINE, cached: false });
    now = 300_000;
    expect(await cache.verdictOn("a", answered)).toEqual({ verdict: FINE, cached: false });
  });

  it("are not kept at all with 0 seconds", async () => {
    const cache = verdictCache(0);
    await cache.verdictOn("a", answered);
    expect(await cache.verdictOn("a", answered)).toEqual({ verdict: FINE, cached: false });
  });

  it("are kept in a limited number: the oldest go first", async () => {
    const cache = verdictCache(300, () => 0);
    for (let key = 0; key <= 1000; key += 1) await cache.verdictOn(String(key), answered);
    expect(await cache.verdictOn("1", answered)).toMatchObject({ cached: true });
    expect(await cache.verdictOn("0", answered)).toMatchObject({ cached: false });
  });

  it("are not kept when asking failed", async () => {
    const cache = verdictCache<typeof FINE>(300);
    await expect(cache.verdictOn("a", () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
    expect(await cache.verdictOn("a", answered)).toEqual({ verdict: FINE, cached: false });
  });
});
