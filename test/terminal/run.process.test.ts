import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { chatProject, projectWithModelServer } from "./support/chat-project.ts";

beforeAll(mustBeBuilt);

const bash = (command: string) => ({ name: "Bash", input: { command } });

it("a human allows a call once, one for the session, and refuses another with words for the model", async () => {
  const { run, cwd } = chatProject([
    { text: "I use **three** files.", tool_calls: [bash("touch a")] },
    { tool_calls: [bash("touch b")] },
    { tool_calls: [bash("touch b"), bash("touch c")] },
    { tool_calls: [{ name: "Write", input: { file_path: "notes.md", content: "one\ntwo\n" } }] },
    { text: "Enough." },
  ]);
  const terminal = run(["x"]);
  await terminal.shows(/touch a\n[\s\S]*refuse and say why/);
  terminal.keys("y");
  await terminal.shows(/\? [\s\S]*touch b\n[\s\S]*refuse and say why/);
  terminal.keys("s");
  await terminal.shows(/\? [\s\S]*touch c\n[\s\S]*refuse and say why/);
  // At once, as a slow connection joins keys.
  terminal.type("wuse git");
  terminal.keys("Enter");
  await terminal.shows(/notes.md\n[\s\S]*refuse and say why/);
  terminal.keys("y");
  expect(await terminal.exitCode()).toBe(0);
  const shown = terminal.history();
  // Wider than the screen: what goes on below has the same margin.
  expect(shown).toMatch(/^\n( {2}\S.*\n){2,}\n {2}I use/);
  expect(shown).toContain("  I use three files.\n");
  expect(shown).toMatch(/ {2}✗ Bash {2}touch c\n {4}refused by you after \d+ \w+: use git\n/);
  expect(shown).toMatch(
    / {2}● Write {2}notes.md +\+2 −0\n {4}allowed by you after \d+ \w+\n {4}\+ one\n {4}\+ two\n/,
  );
  expect(shown).toMatch(/ {2}Enough\.\n\n {2}done {2}5 iterations/);
  expect(["a", "b", "c"].map((name) => existsSync(join(cwd, name)))).toEqual([true, true, false]);
});

it("Esc interrupts a call and a question, and the run ends with 130", async () => {
  const waiting = chatProject([{ tool_calls: [bash("echo started; sleep 600")] }], {
    permissions: { allow: ["Bash"] },
  });
  const terminal = waiting.run(["x"]);
  await terminal.shows(/^ +started$[\s\S]*esc interrupts/m);
  terminal.keys("Escape");
  expect(await terminal.exitCode()).toBe(130);
  expect(terminal.screen()).toMatch(/interrupted {2}1 iteration/);
  const asking = chatProject([{ tool_calls: [bash("touch a")] }, { text: "Well." }]).run(["x"]);
  await asking.shows("refuse and say why");
  asking.keys("C-c");
  expect(await asking.exitCode()).toBe(130);
});

it("what was typed before a question answers nothing, and a question is answered by number", async () => {
  const question = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
  let typed = (): void => undefined;
  const after = new Promise<void>((resolve) => {
    typed = resolve;
  });
  const { run, cwd } = await projectWithModelServer([
    { tool_calls: [{ id: "t1", ...bash("touch a") }], after },
    { tool_calls: [{ id: "t2", name: "AskUserQuestion", input: { questions: [question] } }] },
    { text: "Fine." },
  ]);
  const terminal = run(["x"]);
  await terminal.shows("esc interrupts");
  // What opens the other screen is read after what was typed before it.
  terminal.keys("y", "Enter", "C-o");
  await terminal.shows("q back");
  terminal.keys("q");
  await terminal.shows("esc interrupts");
  typed();
  await terminal.shows("refuse and say why");
  terminal.keys("n");
  await terminal.shows("Your answer:");
  terminal.type("2");
  terminal.keys("Enter");
  expect(await terminal.exitCode()).toBe(0);
  expect(terminal.screen()).toContain("Blue");
  expect(existsSync(join(cwd, "a"))).toBe(false);
});

it("NO_COLOR leaves text alone, and a pipe has the answer as the model wrote it", async () => {
  const { run, start } = chatProject([{ text: "It is **done**." }]);
  const terminal = run(["x"], { environment: { NO_COLOR: "1" } });
  await terminal.exitCode();
  expect(terminal.painted()).toMatch(/^ {2}It is done\.$/m);
  const { code, stdout } = await start(["run", "x", "--model", "scripted:script.yaml"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^It is \*\*done\*\*\.$/m) });
});
