import { expect, it } from "vitest";
import { runCli } from "./support/run-cli.ts";
import { sessions, workspace } from "./support/session-workspace.ts";

it("a question waits for its answer, which another process brings", async () => {
  const question = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
  const { cwd, env } = workspace({
    "ask.json": [{ tool_calls: [{ name: "AskUserQuestion", input: { questions: [question] } }] }],
    "rest.json": [{ text: "Painted." }],
  });
  const asked = await runCli(cwd, env, "run", "Paint.", "--suspend", "--model", "scripted:ask.json");
  expect([asked.code, asked.stdout]).toEqual([
    1,
    expect.stringMatching(/Which colour\? \(Red, Blue\)\nAnswer with: tenterhook sessions resume \S+ "…"\n$/),
  ]);
  const [waits] = await sessions(cwd, env);
  expect(waits).toMatchObject({ status: "suspended", waiting_for: { type: "question" } });
  const id = String(waits?.agent_id);
  const answered = await runCli(
    cwd,
    env,
    "sessions",
    "resume",
    id,
    "Blue",
    "--json",
    "--model",
    "scripted:rest.json",
  );
  expect([answered.code, answered.stdout]).toEqual([0, expect.stringContaining("Which colour?\\nBlue")]);
});
