import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { mustBeBuilt } from "../../repository/support/files.ts";
import { shareCompiledCode } from "../../support/shared-code.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { CLI, userEnvironment } from "../support/run-cli.ts";

const TERMINAL = fileURLToPath(new URL("../support/in-terminal.py", import.meta.url));
/** Where readline puts the cursor once it listens, behind its prompt. */
const PROMPT = "> \u001b[3G";

beforeAll(mustBeBuilt);

type Typed = readonly (readonly [waitFor: string, typed: string])[];

/** Runs a script on a terminal where somebody types. */
async function onTerminal(script: unknown, typed: Typed) {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "script.yaml"), JSON.stringify(script));
  const line = [process.execPath, CLI, "run", "x", "--model", "scripted:script.yaml"];
  shareCompiledCode(join(folder, "cache"));
  const env = userEnvironment(folder, { NO_COLOR: "1", TERM: "xterm" });
  const child = spawn("python3", [TERMINAL, JSON.stringify(typed), ...line], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [shown, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  // Readline moves the cursor around its prompt.
  return { cwd, code, shown: stripVTControlCharacters(shown) };
}

const call = (command: string) => ({ name: "Bash", input: { command } });

test("a human allows a call once, one for the session, and refuses another with words for the model", async () => {
  const { cwd, code, shown } = await onTerminal(
    [
      { tool_calls: [call("touch a")] },
      { tool_calls: [call("touch b")] },
      { tool_calls: [call("touch b"), call("touch c")] },
      { text: "Enough." },
    ],
    [
      [PROMPT, "y\r"],
      [PROMPT, "s\r"],
      [PROMPT, "use git\r"],
    ],
  );
  expect([code, ["a", "b", "c"].map((name) => existsSync(join(cwd, name)))]).toEqual([
    0,
    [true, true, false],
  ]);
  expect(shown.match(/\? This call needs your permission: Bash\n/g)).toHaveLength(3);
  expect(shown).toContain("s allow for this session (touch b)");
  expect(shown).toContain("> Bash  touch c\n  denied: The user refused this call: use git\n");
});

test("a human answers the agent's questions, by number or in words", async () => {
  const question = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
  const { code, shown } = await onTerminal(
    [{ tool_calls: [{ name: "AskUserQuestion", input: { questions: [question] } }] }, { text: "Fine." }],
    [[PROMPT, "2\r"]],
  );
  expect([code, shown]).toEqual([0, expect.stringContaining("  | Which colour?\n  | Blue\n")]);
});

test("the end of input refuses, and Ctrl-C at a question interrupts", async () => {
  const script = [{ tool_calls: [call("touch a")] }, { text: "Well." }];
  const ended = await onTerminal(script, [[PROMPT, "\u0004"]]);
  expect([ended.code, ended.shown]).toEqual([
    0,
    expect.stringContaining("denied: The user refused this call"),
  ]);
  const interrupted = await onTerminal(script, [[PROMPT, "\u0003"]]);
  expect([interrupted.code, interrupted.shown]).toEqual([
    130,
    expect.stringMatching(/\ninterrupted {2}1 iteration/),
  ]);
});

test("what was typed before a question answers nothing", async () => {
  const { cwd, code, shown } = await onTerminal(
    [
      { tool_calls: [{ name: "Read", input: { file_path: "script.yaml" } }] },
      { tool_calls: [call("touch a")], delay_ms: 3000 },
      { text: "Well." },
    ],
    [
      ["> Read", "y\r"],
      [PROMPT, "n\r"],
    ],
  );
  expect([code, existsSync(join(cwd, "a"))]).toEqual([0, false]);
  expect(shown).toContain("denied: The user refused this call");
});
