import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { chatProject } from "./support/chat-project.ts";

beforeAll(mustBeBuilt);

const GUARD = {
  name: "guard",
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  rules: 'command contains "secret" -> deny("Not that.")',
};

it("/hooks lists hooks with their last verdict, and switches one into shadow mode, off and on", async () => {
  const call = { tool_calls: [{ name: "Bash", input: { command: "echo secret" } }] };
  const { chat, folder } = chatProject([call, { text: "Refused." }, call, { text: "Let through." }], {
    permissions: { allow: ["Bash"] },
    hooks: { definitions: [GUARD] },
  });
  const configuration = () => readFileSync(join(folder, "config/tenterhook/hooks.yaml"), "utf8");
  const terminal = chat(["Go"]);
  const send = async (line: string, shown: string | RegExp) => {
    terminal.type(line);
    terminal.keys("Enter");
    return terminal.shows(shown);
  };
  await terminal.shows("Refused.");
  expect(terminal.screen()).toContain("denied by guard: Not that.");
  await send("/hooks", /guard +on +PreToolUse +ran 1 time, last: deny: Not that\./);
  await send("/hooks shadow guard", "guard only watches from now on");
  expect(configuration()).toContain("mode: shadow");
  await send("Again", "Let through.");
  await send("/hooks disable guard", "guard is off");
  expect(configuration()).toMatch(/disabled:[\s\S]*guard/);
  await send("/hooks enable guard", "guard is on");
  await send("/hooks forbid guard", "/hooks shadow NAME");
});

it("/model, /compact, /fork and /resume say what they did", async () => {
  const { chat } = chatProject([{ text: "First answer." }, { text: "Second answer." }]);
  const terminal = chat(["Go"]);
  const send = async (line: string, shown: string | RegExp) => {
    terminal.type(line);
    terminal.keys("Enter");
    return terminal.shows(shown);
  };
  await terminal.shows("First answer.");
  await terminal.shows("/help");
  await send("/model", "The model is scripted/script.yaml.");
  await send("/model nobody/x", 'There is no provider "nobody"');
  await send("/compact", /summed up|too little to sum up/);
  await send("/fork", /A copy of the session:[\s\S]*First answer\./);
  await send("/fork x", "Which turn? A number from 1 on.");
  await send("/resume", /Which session\?[\s\S]*› +\d+ s +Go/);
  terminal.keys("Enter");
  await terminal.shows(/Session [0-9a-f-]+:[\s\S]*First answer\./);
});
