import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkFile } from "../../src/config/check-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The problems of a file, each with its line. */
async function problemsIn(text: string): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const file = join(folder, "hooks.yaml");
  writeFileSync(file, text);
  const { problems } = await checkFile(file, folder);
  return problems.map(({ line, message }) => `${line} ${message}`);
}

const says = (action: string) =>
  `it says ${action}, but a hook with async: true never decides; it can only add context`;

it("every rule of an async hook that can never take effect is an error at its line", async () => {
  const text = `hooks:
  definitions:
    - name: late
      type: inline
      async: true
      matcher: { events: [PreToolUse] }
      rules: |
        command runs "rm" -> deny("no")
        command runs "ls" -> context("seen")
        command runs "mv" -> set(args.command, "true")
    - name: list
      type: inline
      async: true
      matcher: { events: [PreToolUse] }
      inline_rules:
        - { field: tool, operator: exists, action: context, reason: seen }
        - { field: tool, operator: exists, action: ask }
    - name: parts
      async: true
      matcher: { events: [PreToolUse] }
      all:
        - { type: command, command: "true" }
        - type: inline
          rules: tool exists -> stop("no")
    - name: judge
      type: llm
      async: true
      prompt: Is it fine?
      matcher: { events: [PreToolUse] }
      effects: [context, modify]
`;
  expect(await problemsIn(text)).toEqual([
    `8 Hook "late": Rule 1 (line 1) of "late": ${says("deny")}.`,
    `10 Hook "late": Rule 3 (line 3) of "late": ${says("modify")}.`,
    `17 Hook "list": Rule 2 of "list": ${says("ask")}.`,
    `24 Hook "parts": Rule 1 (line 1) of "parts": ${says("stop")}.`,
    `30 Hook "judge": its effects have modify, but a hook with async: true never decides; it can only add context.`,
  ]);
});

it("a rule of an async hook that only shows what it would do is no error", async () => {
  const hook = (name: string, more: string, rule: string) => `    - name: ${name}
      type: inline
      async: true${more}
      matcher: { events: [PreToolUse] }
      rules: command runs "rm" -> ${rule}
`;
  const text = `hooks:
  definitions:
${hook("rule", "", 'shadow deny("no")')}${hook("whole", "\n      mode: shadow", 'deny("no")')}`;
  expect(await problemsIn(text)).toEqual([]);
});

it("a lock where none can be held is an error at its line", async () => {
  const hook = (name: string, event: string, more: string) => `    - name: ${name}
      type: inline
      matcher: { events: [${event}] }
      locks: deploy
      ${more}
      rules: 'command contains "deploy" -> continue()'
`;
  const text = `hooks:
  definitions:
${hook("good", "PreToolUse", "timeout: 120")}${hook("late", "PostToolUse", "timeout: 120")}${hook("watcher", "PreToolUse", "observe: true")}`;
  const problem = "locks is for hooks on PreToolUse alone, without async, observe and mode: shadow.";
  expect(await problemsIn(text)).toEqual([`12 Hook "late": ${problem}`, `18 Hook "watcher": ${problem}`]);
});
