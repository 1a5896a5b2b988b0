import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { chatProject, projectWithModelServer, saying } from "./support/chat-project.ts";

beforeAll(mustBeBuilt);

const ALLOWED = { permissions: { allow: ["Bash"] } };
const bash = (command: string) => ({ name: "Bash", input: { command } });

/** A hook of a user's configuration. */
const commandHook = (name: string, event: string, command: string) => ({
  name,
  type: "command",
  command: ["sh", "-c", command],
  timeout: 600,
  matcher: { events: [event] },
});

it("shows a hook's output while it runs, and Esc ends the hook", async () => {
  const hooks = { definitions: [commandHook("tests-pass", "Stop", "echo first line; sleep 600")] };
  const { chat } = chatProject([{ text: "Finished." }], { ...ALLOWED, hooks });
  const terminal = await saying(chat([]), "Go");
  const shown = await terminal.shows(/Hook\(Stop\) tests-pass +running/);
  expect(shown).toContain("Finished.");
  await terminal.shows("│ first line");
  terminal.keys("Escape");
  await terminal.shows("Interrupted.");
  await terminal.shows("/help");
});

it("Esc ends a tool and a model's answer, and the next message goes on", async () => {
  const { chat } = await projectWithModelServer(
    [
      { text: "I wait.", tool_calls: [{ id: "t1", ...bash("echo started; sleep 600") }] },
      { text: "The beginning of an answer that is never seen", cut: "stalls" },
      { text: "All is well." },
    ],
    ALLOWED,
  );
  const terminal = await saying(chat([]), "Go");
  await terminal.shows(/^ +started$/m);
  terminal.keys("Escape");
  await terminal.shows(/Interrupted\.[\s\S]*\/help/);
  terminal.type("And now?");
  terminal.keys("Enter");
  await terminal.shows(/The beginning[\s\S]*esc interrupts/);
  terminal.keys("Escape");
  await terminal.hides("esc interrupts");
  terminal.type("Once more");
  terminal.keys("Enter");
  expect(await terminal.shows("All is well.")).not.toContain("never seen");
});

it("an approval is refused with words that reach the model, and another one is given", async () => {
  const { chat, cwd } = chatProject([
    { tool_calls: [bash("touch refused")] },
    { tool_calls: [bash("touch allowed")] },
    { text: "Finished." },
  ]);
  const terminal = await saying(chat([]), "Go");
  await terminal.shows("refuse and say why");
  terminal.keys("w");
  terminal.type("Not in this folder.");
  await terminal.shows("To the model: Not in this folder.");
  terminal.keys("Enter");
  await terminal.shows(/refused by you after \d+ \w+: Not in this folder\./);
  await terminal.shows(/touch allowed[\s\S]*refuse and say why/);
  terminal.keys("y");
  await terminal.shows("Finished.");
  expect([existsSync(join(cwd, "refused")), existsSync(join(cwd, "allowed"))]).toEqual([false, true]);
});

it("a HookInput is marked, its turn has a line of its own, and neither is in the history", async () => {
  const { chat, program, write, folder } = chatProject([{ text: "One." }, { text: "Two." }], ALLOWED);
  program("once.sh", 'if [ ! -e done ]; then touch done; echo "Two tests failed." >&2; fi');
  write(".agent/hook.toml", '[turn_end]\ncommand = "./once.sh"\n');
  const terminal = chat();
  await terminal.shows("/help");
  terminal.type("Release it");
  terminal.keys("Enter");
  await terminal.shows("wants to run");
  terminal.keys("s");
  const shown = await terminal.shows("Two.");
  expect(shown).toMatch(/── turn 2, started by the hook \S+ ─+\n +HookInput: Two tests failed\./);
  expect(shown).toContain("Hook(TurnEnd)");
  terminal.keys("Up");
  await terminal.shows(/│ › Release it/);
  terminal.keys("Up");
  expect(readFileSync(join(folder, "state/tenterhook/chat-history.jsonl"), "utf8")).toBe('"Release it"\n');
});

it("a long output does not stall the screen, is folded, and ctrl-o opens it", async () => {
  const { chat } = chatProject([{ tool_calls: [bash("seq 50000")] }, { text: "Finished." }], ALLOWED);
  const terminal = await saying(chat([]), "Go");
  const shown = await terminal.shows("Finished.");
  expect(shown).toMatch(/ 1\n +2\n[\s\S]*… 49992 more lines +ctrl-o shows them\n +49997\n[\s\S]* 50000\n/);
  terminal.keys("C-o");
  await terminal.shows("q back");
  terminal.keys("g");
  expect(await terminal.shows(/ 12\n/)).toContain("Bash");
  terminal.keys("q");
  const after = await terminal.shows(/│ › +│/);
  expect(after.match(/╭/g)).toHaveLength(1);
});

it("a question is answered in place", async () => {
  const question = { question: "Which colour?", options: [{ label: "Blue" }, { label: "Red" }] };
  const { chat } = chatProject([
    { tool_calls: [{ name: "AskUserQuestion", input: { questions: [question] } }] },
    { text: "Finished." },
  ]);
  const terminal = await saying(chat([]), "Go");
  await terminal.shows("Your answer:");
  terminal.type("2");
  terminal.keys("Enter");
  expect(await terminal.shows("Finished.")).toContain("Red");
});

it("a paste is one message, @ completes names of files, and commands are explained", async () => {
  const { chat, write } = chatProject([{ text: "Read." }], ALLOWED);
  write("notes.md", "x");
  const terminal = chat();
  await terminal.shows("/help");
  terminal.paste("one\ntwo");
  await terminal.shows(/│ › one +│\n.*│ {3}two/);
  terminal.type(" @no");
  await terminal.shows("› notes.md");
  terminal.keys("Tab");
  await terminal.shows("two @notes.md");
  terminal.keys("Enter");
  await terminal.shows("Read.");
  terminal.type("/hoks");
  terminal.keys("Enter");
  await terminal.shows('There is no command /hoks. Did you mean "hooks"?');
  terminal.type("/help");
  terminal.keys("Enter");
  await terminal.shows("ctrl-c twice");
  terminal.keys("C-c");
  await terminal.shows("Ctrl-C again leaves.");
  terminal.keys("C-c");
  expect(await terminal.exitCode()).toBe(0);
});

it("reads what was typed before it was there", async () => {
  const { chat } = chatProject([{ text: "Read." }]);
  const terminal = chat();
  terminal.type("Early");
  terminal.keys("Enter");
  await terminal.shows(/› Early\n[\s\S]*Read\./);
});

it("fits a narrow screen, and one that becomes narrow", async () => {
  const { chat } = chatProject(
    [{ tool_calls: [bash(`echo ${"long ".repeat(30)}`)] }, { text: "Finished." }],
    ALLOWED,
  );
  const terminal = await saying(chat([], { columns: 120, rows: 30 }), "Go");
  await terminal.shows("Finished.");
  terminal.resize(44, 12);
  terminal.type("x");
  const shown = await terminal.shows(/│ › x +│/);
  expect(shown.match(/╰─+╯/g)).toHaveLength(1);
});

it("without a terminal it says what works there", async () => {
  const { start } = chatProject([]);
  const { code, stderr } = await start(["chat"]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("chat needs a terminal") });
});
