import { expect, it } from "vitest";
import { endPrompt, fateOf, isTaken, takeFor, writeAnswer } from "../../../src/monitor/report/answers.ts";
import { waitAtPrompt } from "../../../src/monitor/report/wait.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const never = new AbortController().signal;
const long = () => 60_000;

function prompt() {
  return { id: "asks", environment: { XDG_STATE_HOME: temporaryFolder() } };
}

it("a wait ends with the answer, which counts as taken then", async () => {
  const { id, environment } = prompt();
  const waiting = waitAtPrompt({ id, milliseconds: long }, environment, never);
  await writeAnswer(id, "Blue", environment);
  expect(await waiting).toEqual({ given: { answer: "Blue" } });
  expect(fateOf(id, "Blue", environment)).toBe("taken");
});

it("a wait ends with its time, and the prompt is closed", async () => {
  const { id, environment } = prompt();
  expect(await waitAtPrompt({ id, milliseconds: () => 50 }, environment, never)).toEqual({ end: "time" });
  expect(await writeAnswer(id, "Blue", environment)).toBe(false);
});

it("a wait goes on when its user goes away meanwhile", async () => {
  const { id, environment } = prompt();
  let most = 600;
  const waiting = waitAtPrompt({ id, milliseconds: () => most }, environment, never);
  most = 60_000;
  await new Promise((resolve) => setTimeout(resolve, 800));
  await writeAnswer(id, "Blue", environment);
  expect(await waiting).toEqual({ given: { answer: "Blue" } });
});

it("a wait ends when the monitor knows that no answer is needed, or with its hook", async () => {
  const { id, environment } = prompt();
  const waiting = waitAtPrompt({ id, milliseconds: long }, environment, never);
  await endPrompt(id, environment);
  expect(await waiting).toEqual({ end: "closed" });
  const ended = new AbortController();
  const other = waitAtPrompt({ id: "other", milliseconds: long }, environment, ended.signal);
  ended.abort();
  expect(await other).toEqual({ end: "aborted" });
});

it("an answer counts as taken when the machine has stood still, and its hook takes it a moment later", async () => {
  const { id, environment } = prompt();
  await writeAnswer(id, "Blue", environment);
  const taken = isTaken(id, 300, environment, never);
  setTimeout(() => takeFor(id, environment), 150);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  expect(await taken).toBe(true);
});

it("an answer that another writer gave and a hook took meanwhile is not left again", async () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  await writeAnswer("p1", { allow: true }, environment);
  // It has looked for a taken one, and not written yet.
  const second = writeAnswer("p1", { allow: true }, environment);
  expect(takeFor("p1", environment)).toMatchObject({ answer: { allow: true } });
  expect(await second).toBe(false);
  expect(takeFor("p1", environment)).toBeUndefined();
});
