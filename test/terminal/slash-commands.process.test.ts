import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { chatProject, saying } from "./support/chat-project.ts";

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
  const terminal = await saying(chat([]), "Go");
  const send = async (line: string, shown: string | RegExp) => {
    terminal.type(line);
    terminal.keys("Enter");
    return terminal.shows(shown);
  };
  expect(await terminal.shows(/Refused\.[\s\S]*\/help/)).toContain("denied by guard: Not that.");
  await send("/hooks", /guard +on +PreToolUse +ran 1 time, last: deny: Not\s+that\./);
  await send("/hooks shadow guard", "guard only watches from now on");
  expect(configuration()).toContain("mode: shadow");
  await send("/hooks", /guard +shadow +PreToolUse +ran 1 time/);
  await send("Again", /Let through\.[\s\S]*\/help/);
  await send("/hooks disable guard", "guard is off");
  expect(configuration()).toMatch(/disabled:[\s\S]*guard/);
  await send("/hooks", /guard +off +PreToolUse/);
  await send("/hooks enable guard", "guard is on");
  await send("/hooks forbid guard", "/hooks shadow NAME");
});

it("/model, /compact, /fork and /resume say what they did", async () => {
  const { chat } = chatProject([{ text: "First answer." }, { text: "Second answer." }]);
  const terminal = await saying(chat([]), "Go");
  const send = async (line: string, shown: string | RegExp) => {
    terminal.type(line);
    terminal.keys("Enter");
    return terminal.shows(shown);
  };
  await terminal.shows(/First answer\.[\s\S]*\/help/);
  await send("/model", "The model is scripted/script.yaml.");
  await send("/model nobody/x", 'There is no provider "nobody"');
  await send("/compact", "There is too little to sum up.");
  await send("/fork", /A copy of the session:[\s\S]*First answer\./);
  await send("/fork x", "Which turn? A number from 1 on.");
  await send("/resume", /Which session\?[\s\S]*› +\d+ (s|min) {2}Go/);
  terminal.keys("Enter");
  await terminal.shows(/Session [0-9a-f-]+:[\s\S]*First answer\./);
});

const LONG = "Something was said about it. ".repeat(20);

it("/compact sums up, says when a hook refuses, and Esc ends it", async () => {
  const refusal = {
    name: "no-summary",
    type: "command",
    command: [
      ...["sh", "-c"],
      "while [ -e wait ]; do sleep 0.1; done; [ ! -e refuse ] || { echo Not now. >&2; exit 2; }",
    ],
  };
  const { chat, touch, remove } = chatProject(
    // Each answer is longer than what stays: what is before it is worth a summary, however ids and folders are counted.
    [{ text: LONG }, { text: LONG }, { text: "A summary." }, { text: LONG }],
    {
      compaction: { keep_tokens: 100 },
      hooks: { definitions: [{ ...refusal, matcher: { events: ["PreCompact"] } }] },
    },
  );
  const terminal = await saying(chat([]), "Go");
  const send = async (line: string, shown: string | RegExp) => {
    terminal.type(line);
    terminal.keys("Enter");
    return terminal.shows(shown);
  };
  await terminal.shows(/› Go\n[\s\S]*it\.\n[\s\S]*\/help/);
  await send("Once more", /› Once more\n[\s\S]*it\.\n[\s\S]*\/help/);
  touch("wait");
  await send("/compact", /no-summary +running \d+ s[\s\S]*works \d+ s +esc interrupts/);
  terminal.keys("Escape");
  await terminal.shows(/Interrupted\.[\s\S]*\/help/);
  remove("wait");
  await send("/compact", "The conversation was summed up.");
  touch("refuse");
  await send("And then?", /› And then\?\n[\s\S]*it\.\n[\s\S]*\/help/);
  await send("/compact", /denied: Not now\.[\s\S]*Nothing was summed up\./);
});

it("/resume of a session that another chat works on says so, and the chat goes on", async () => {
  const { chat } = chatProject([
    { tool_calls: [{ name: "Bash", input: { command: "sleep 600" } }] },
    { text: "Here." },
  ]);
  const first = await saying(chat([]), "Wait for it");
  await first.shows("refuse and say why");
  const second = chat();
  await second.shows("/help");
  second.type("/resume");
  second.keys("Enter");
  await second.shows(/› +\d+ (s|min) {2}Wait for it/);
  second.keys("Enter");
  await second.shows(/is being run by process[\s\S]*\/help/);
  second.type("/help");
  second.keys("Enter");
  await second.shows("ctrl-c twice");
});
