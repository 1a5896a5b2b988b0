import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonlStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { runCli } from "./support/run-cli.ts";
import { sessions, workspace } from "./support/session-workspace.ts";

const write = (file_path: string) => ({ name: "Write", input: { file_path, content: "x\n" } });
const question = { name: "AskUserQuestion", input: { questions: [{ question: "Which colour?" }] } };

/** A session that waits for what its first step asks. */
async function waiting(step: unknown, ...options: readonly string[]) {
  const { cwd, env } = workspace({ "ask.json": [step], "rest.json": [{ text: "Done." }] });
  const asked = await runCli(cwd, env, "run", "Go.", "--suspend", "--model", "scripted:ask.json", ...options);
  const [session] = await sessions(cwd, env);
  const id = String(session?.agent_id);
  const tenterhook = (command: string, ...args: readonly string[]) =>
    runCli(cwd, env, command, ...args, "--model", "scripted:rest.json");
  return { asked, id, cwd, env, tenterhook };
}

it("without an answer and nobody to ask, a session says what it waits for, and waits on", async () => {
  const { id, cwd, env, tenterhook } = await waiting({ tool_calls: [write("a.txt")] });
  const before = await sessions(cwd, env);
  expect(await tenterhook("sessions", "resume", id)).toEqual({
    code: 2,
    stdout: "",
    stderr: `Session ${id} waits for an answer.
May Write run?
--- /dev/null
+++ a.txt
@@ -1,0 +1,1 @@
+x
Write is not read-only and no rule allows this call.
  Answer with: tenterhook sessions resume ${id} "yes", or "no", or what is to be done instead
`,
  });
  const json = await tenterhook("sessions", "resume", id, "--json");
  expect([json.code, JSON.parse(json.stdout).error.code]).toEqual([2, "answer_missing"]);
  expect(await sessions(cwd, env)).toEqual(before);
  const yes = await tenterhook("sessions", "resume", id, "Yes");
  expect([yes.code, readFileSync(join(cwd, "a.txt"), "utf8")]).toEqual([0, "x\n"]);
});

it("--yes agrees to a call that waits, and answers no question", async () => {
  const call = await waiting({ tool_calls: [write("a.txt")] });
  expect((await call.tenterhook("sessions", "resume", call.id, "--yes")).code).toBe(0);
  expect(readFileSync(join(call.cwd, "a.txt"), "utf8")).toBe("x\n");
  const asks = await waiting({ tool_calls: [question] });
  const { code, stderr } = await asks.tenterhook("sessions", "resume", asks.id, "--yes");
  expect([code, stderr]).toEqual([2, expect.stringContaining("Which colour?")]);
});

it("two calls are agreed to one after the other: a session that has waited once waits again", async () => {
  const { id, cwd, tenterhook } = await waiting({ tool_calls: [write("a.txt"), write("b.txt")] });
  const first = await tenterhook("sessions", "resume", id, "ok");
  expect([first.code, first.stdout]).toEqual([
    1,
    expect.stringContaining("May Write run?\n--- /dev/null\n+++ b.txt\n"),
  ]);
  expect((await tenterhook("sessions", "resume", id, "y")).code).toBe(0);
  expect(["a.txt", "b.txt"].map((name) => readFileSync(join(cwd, name), "utf8"))).toEqual(["x\n", "x\n"]);
});

it("a fork waits for what the session waits for", async () => {
  const { id, cwd, tenterhook } = await waiting({ tool_calls: [write("a.txt")] });
  const fork = (await tenterhook("sessions", "fork", id)).stdout.trim();
  expect((await tenterhook("sessions", "resume", fork)).stderr).toContain(
    `Session ${fork} waits for an answer.`,
  );
  expect((await tenterhook("sessions", "fork", id, "yes")).code).toBe(0);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("x\n");
});

it("a session whose subagent was answered by its own id goes on without another answer", async () => {
  const input = { agent_type: "general-purpose", task: "Ask.", description: "asks" };
  const steps = [{ tool_calls: [{ name: "Task", input }] }, { tool_calls: [question] }];
  const { cwd, env } = workspace({ "ask.json": steps, "rest.json": [{ text: "Done." }] });
  const tenterhook = (...args: readonly string[]) => runCli(cwd, env, ...args);
  await tenterhook("run", "Go.", "--suspend", "--model", "scripted:ask.json");
  const [child, parent] = await sessions(cwd, env, "--agents");
  const rest = ["--model", "scripted:rest.json"];
  const before = await tenterhook("sessions", "resume", String(parent?.agent_id), ...rest);
  const answer = await tenterhook("sessions", "resume", String(child?.agent_id), "Blue", ...rest);
  const after = await tenterhook("sessions", "resume", String(parent?.agent_id), ...rest);
  expect([before.code, answer.code, after.code, after.stderr]).toEqual([2, 0, 0, ""]);
});

it("a session goes on with its model and in its mode, unless others are chosen", async () => {
  const { cwd, env } = workspace({ "one.json": [{ text: "Looked." }], "other.json": [{ text: "Other." }] });
  await runCli(cwd, env, "run", "Look.", "--model", "scripted:one.json", "--mode", "plan");
  const [session] = await sessions(cwd, env);
  expect(session).toMatchObject({ mode: "plan", model: `scripted:${join(cwd, "one.json")}` });
  const id = String(session?.agent_id);
  const first = async (...args: readonly string[]) =>
    (await runCli(cwd, env, ...args)).stdout.split("\n")[0]?.replace(cwd, ".");
  expect([
    await first("resume", id, "And now?"),
    await first("fork", id, "And there?"),
    await first("sessions", "resume", id, "And then?", "--model", "scripted:other.json", "--mode", "default"),
  ]).toEqual([
    "scripted/one.json  .  mode plan  0 hooks in force",
    "scripted/one.json  .  mode plan  0 hooks in force",
    "scripted/other.json  .  mode default  0 hooks in force",
  ]);
});

it("a fork of a session that was killed goes on like it, also before its prompt was a message", async () => {
  const { cwd, env } = workspace({ "rest.json": [{ text: "Here." }] });
  const store = jsonlStore({ dir: join(String(env.XDG_STATE_HOME), "tenterhook", "transcripts") });
  const unheard = { turn_id: "t1", input: { type: "prompt", text: "Where?" } };
  await store.save({ status: "running", unheard }, { session_id: "early", agent_id: "early", cwd });
  await store.close();
  const fork = (await runCli(cwd, env, "sessions", "fork", "early")).stdout.trim();
  for (const id of [fork, "early"]) {
    const { code, stdout } = await runCli(
      cwd,
      env,
      "sessions",
      "resume",
      id,
      "--model",
      "scripted:rest.json",
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("Here.")]);
  }
});
