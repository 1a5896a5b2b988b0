import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { jsonlStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { bundledProgram } from "../support/bundled-program.ts";
import { kill } from "../support/faults/kill.ts";
import { runs } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { LAST_WORDS, planOf } from "./support/crash-plan.ts";

const KILLS = runs(4);
/** About how many lines a whole run prints. */
const LINES = 180;

const program = bundledProgram(new URL("support/crash-worker.ts", import.meta.url));

/** When a worker is killed: after so many lines, or at the next call after them that must not run twice. */
interface Moment {
  readonly lines: number;
  readonly in_call: boolean;
  readonly delay_ms: number;
}

function anyMoment(lines: number): Moment {
  return {
    lines: 1 + Math.floor(Math.random() * lines),
    in_call: Math.random() < 0.5,
    delay_ms: Math.random() * 12,
  };
}

/** Runs the worker until it ends or is killed. Answers what it printed until then. */
async function work(
  folder: string,
  moment: Moment | undefined,
): Promise<{ printed: readonly string[]; killed: boolean }> {
  const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once("close", (_, signal) => resolve(signal));
  });
  let problems = "";
  child.stderr.on("data", (chunk) => {
    problems += String(chunk);
  });
  const printed: string[] = [];
  let isDue = false;
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    if (moment === undefined || isDue || printed.length < moment.lines) continue;
    isDue = !moment.in_call || line === "calls Once";
    if (isDue) setTimeout(() => kill(child), moment.delay_ms);
  }
  const killed = (await ended) === "SIGKILL";
  expect(problems).toBe("");
  return { printed, killed };
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

it("an agent that is killed at any moment goes on: nothing kept is lost or doubled, and nothing runs twice", async () => {
  let kills = 0;
  for (let round = 0; kills < KILLS; round += 1) {
    const folder = temporaryFolder();
    const stored = new Set<string>();
    const moments: (Moment | undefined)[] = [];
    let last = "";
    // Each round is killed once to four times before it may come to its end.
    for (let left = 1 + (round % 4); last === ""; left -= 1) {
      const moment = left > 0 ? anyMoment(LINES / (1 + (round % 4))) : undefined;
      moments.push(moment);
      const { printed, killed } = await work(folder, moment);
      if (killed) kills += 1;
      for (const line of printed) if (line.startsWith("kept ")) stored.add(line.slice(5));
      last = printed.find((line) => line.startsWith("ended ")) ?? "";
      expect(killed || last !== "", `ended by itself; killed at ${JSON.stringify(moments)}`).toBe(true);
    }
    const about = `killed at ${JSON.stringify(moments)}`;
    expect(last, about).toBe(`ended complete ${LAST_WORDS}`);
    await expectWhole(folder, stored, about);
  }
}, 3_000_000);

async function expectWhole(folder: string, stored: ReadonlySet<string>, about: string): Promise<void> {
  const store = jsonlStore({ dir: join(folder, "transcripts") });
  const { transcripts } = await store.list({ session_id: "root", limit: 100 });
  const ids: string[] = [];
  for (const { agent_id } of transcripts)
    for (const { id } of (await store.load(agent_id))?.messages ?? []) ids.push(id);
  await store.close();
  expect(
    [...stored].filter((id) => ids.filter((other) => other === id).length !== 1),
    `messages that are not there exactly once; ${about}`,
  ).toEqual([]);
  expect(new Set(ids).size, `${about}`).toBe(ids.length);
  expect(new Set(transcripts.map(({ status }) => status)), about).toEqual(new Set(["complete"]));
  const tasks = planOf("").filter(({ name }) => name === "Task");
  expect(transcripts.length, `one agent for each task; ${about}`).toBe(1 + tasks.length);
  const once = linesOf(join(folder, "once.log"));
  const everyone = [...planOf(""), ...tasks.flatMap(({ id }) => planOf(`${id}-`))];
  const expected = everyone.flatMap(({ name, id }) => (name === "Once" ? [id] : []));
  expect([...once].sort(), about).toEqual([...expected].sort());
  const calls = linesOf(join(folder, "calls.log"));
  expect(new Set(calls).size, about).toBe(calls.length);
}
