import { expect, it } from "vitest";
import { runCli } from "./support/run-cli.ts";
import { sessions, workspace } from "./support/session-workspace.ts";

async function twoSessions() {
  const list = { name: "Glob", input: { pattern: "*.json" } };
  const { cwd, env } = workspace({
    "one.json": [{ tool_calls: [list] }, { text: "Two files." }],
    "ask.json": [{ tool_calls: [{ name: "Write", input: { file_path: "a.txt", content: "x" } }] }],
  });
  await runCli(cwd, env, "run", "Which files?", "--model", "scripted:one.json");
  await runCli(cwd, env, "run", "Write it.", "--suspend", "--model", "scripted:ask.json");
  const found = await sessions(cwd, env);
  const idOf = (title: string) => String(found.find((one) => one.title === title)?.agent_id);
  const tenterhook = (...args: readonly string[]) => runCli(cwd, env, ...args);
  return { tenterhook, files: idOf("Which files?"), writes: idOf("Write it."), cwd, env };
}

it("sessions show prints the messages and calls, found by the beginning of an id", async () => {
  const { tenterhook, files, writes, cwd } = await twoSessions();
  const { stdout } = await tenterhook("sessions", "show", files);
  expect(stdout.split("\n").map((line) => line.replace(/last active.*/, "last active").trimEnd())).toEqual([
    `${files}  Which files?`,
    "status      complete",
    `folder      ${cwd}`,
    `model       scripted:${cwd}/one.json, mode default`,
    "last active",
    expect.stringMatching(/^tokens {6}\d/),
    "",
    "you         Which files?",
    "",
    "calls       Glob *.json",
    "",
    expect.stringMatching(/^result {6}.*json/),
    expect.stringMatching(/^ {12}.*json/),
    "",
    "agent       Two files.",
    "",
  ]);
  const waits = (await tenterhook("sessions", "show", writes)).stdout;
  expect(waits).toContain("It waits for a human:\nMay Write run?");
  expect(waits).toContain(`Answer with: tenterhook sessions resume ${writes}`);
  const json = JSON.parse((await tenterhook("sessions", "show", files, "--json")).stdout);
  expect([json.agent_id, json.messages.length]).toEqual([files, 4]);
});

it("sessions delete asks first, and needs --yes where nobody can be asked", async () => {
  const { tenterhook, files, cwd, env } = await twoSessions();
  const refused = await tenterhook("sessions", "delete", files);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `Nothing was deleted: session ${files} (Which files?) would be gone for good.\n  tenterhook sessions delete ${files} --yes deletes it without asking.\n`,
  ]);
  expect((await tenterhook("sessions", "delete", files, "--yes")).stdout).toBe(
    `deleted  session ${files} (Which files?)\n`,
  );
  expect((await sessions(cwd, env)).map(({ title }) => title)).toEqual(["Write it."]);
  const gone = await tenterhook("sessions", "show", files);
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("No session begins")]);
});

it("sessions names the actions there are", async () => {
  const { tenterhook } = await twoSessions();
  const { code, stderr } = await tenterhook("sessions", "remove", "x");
  expect([code, stderr]).toEqual([2, expect.stringContaining("tenterhook sessions show|delete|resume|fork")]);
  expect((await tenterhook("sessions", "show")).code).toBe(2);
});
