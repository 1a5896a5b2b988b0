import { expect, it, onTestFinished, vi } from "vitest";
import { TenterhookError } from "../../../src/core/base/errors.ts";
import { type Ask, askerOf, newAskKey, waitAtPrompt } from "../../../src/monitor/report/ask.ts";
import { desk } from "../support/waiting-hook.ts";

const never = new AbortController().signal;
const long = () => 60_000;
const asked = { id: "asks", key: "mine" };

it("a wait ends with the answer", async () => {
  const { ask, answer } = desk();
  const waiting = waitAtPrompt({ ...asked, milliseconds: long }, ask, never);
  answer("asks", "Blue");
  expect(await waiting).toEqual({ given: { answer: "Blue" } });
});

it("a wait ends with its time, and an answer that comes later is told so", async () => {
  const { ask, answer } = desk();
  expect(await waitAtPrompt({ ...asked, milliseconds: () => 50 }, ask, never)).toEqual({ end: "time" });
  expect(answer("asks", "Blue")).toBe(false);
});

it("a wait ends with the answer that came in its last moment", async () => {
  const late: Ask = async ({ isOver }, signal) =>
    isOver === true
      ? { given: { answer: "Blue" } }
      : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  expect(await waitAtPrompt({ ...asked, milliseconds: () => 50 }, late, never)).toEqual({
    given: { answer: "Blue" },
  });
});

it("a wait ends with its hook, whatever the monitor does", async () => {
  const silent: Ask = () => new Promise(() => undefined);
  const ended = new AbortController();
  let looks = 0;
  const milliseconds = () => {
    looks += 1;
    return 10;
  };
  const waiting = waitAtPrompt({ ...asked, milliseconds }, silent, ended.signal);
  await vi.waitFor(() => expect(looks).toBeGreaterThan(1));
  ended.abort();
  expect(await waiting).toEqual({ end: "aborted" });
});

it("a wait goes on when its user goes away meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { ask, answer } = desk();
  let looks = 0;
  let most = 1000;
  const milliseconds = () => {
    looks += 1;
    return most;
  };
  const waiting = waitAtPrompt({ ...asked, milliseconds }, ask, never);
  most = 60_000;
  vi.advanceTimersByTime(2000);
  await vi.waitFor(() => expect(looks).toBeGreaterThan(1), 10_000);
  answer("asks", "Blue");
  expect(await waiting).toEqual({ given: { answer: "Blue" } });
});

it("a wait ends when the monitor knows that no answer is needed, when that refuses it, or with its hook", async () => {
  const { ask, end } = desk();
  const waiting = waitAtPrompt({ ...asked, milliseconds: long }, ask, never);
  end("asks", { end: "closed" });
  expect(await waiting).toEqual({ end: "closed" });
  const refusing: Ask = async () => {
    throw new TenterhookError("not_allowed", "Another process asked this.");
  };
  expect(await waitAtPrompt({ ...asked, milliseconds: long }, refusing, never)).toEqual({ end: "closed" });
  const ended = new AbortController();
  const other = waitAtPrompt({ ...asked, id: "other", milliseconds: long }, ask, ended.signal);
  ended.abort();
  expect(await other).toEqual({ end: "aborted" });
});

it("a wait goes on at the next monitor when one ends", async () => {
  const { ask, answer } = desk();
  let lost = 1;
  const waiting = waitAtPrompt(
    { ...asked, milliseconds: long },
    (one, signal) => {
      lost -= 1;
      return lost < 0 ? ask(one, signal) : Promise.reject(new Error("socket hang up"));
    },
    never,
  );
  answer("asks", "Blue");
  expect(await waiting).toEqual({ given: { answer: "Blue" } });
});

it("a hook does not wait longer when the clock is set back, and its wait ends where others see its end", async () => {
  const { now } = Date;
  onTestFinished(() => void vi.restoreAllMocks());
  const back = waitAtPrompt({ ...asked, milliseconds: () => 200 }, desk().ask, never);
  vi.spyOn(Date, "now").mockImplementation(() => now() - 3_600_000);
  expect(await back).toEqual({ end: "time" });
  const ahead = waitAtPrompt({ ...asked, milliseconds: long }, desk().ask, never);
  vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
  expect(await ahead).toEqual({ end: "time" });
});

it("nobody can tell a key from what a hook reports of it", () => {
  const key = newAskKey();
  expect(askerOf(key)).not.toContain(key);
  expect(askerOf(key)).toMatch(/^[0-9a-z]{45,50}$/);
});
