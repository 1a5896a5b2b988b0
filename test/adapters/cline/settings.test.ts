import { describe, expect, it } from "vitest";
import { clineIntegration, clineSettings } from "../../../src/adapters/cline/integration.ts";
import { hookCommand } from "../../../src/adapters/settings/hook-command.ts";
import { filesIn } from "../../../src/adapters/settings/owned-folder.ts";

const PLACES = { root: "/home/dev/app", home: "/home/dev", environment: {} };
const wanted = (...events: readonly string[]) => clineSettings.wanted([{ events, timeout: 30 }]);
const filesFor = (...events: readonly string[]) =>
  filesIn(clineSettings.install(undefined, wanted(...events).events));

describe("the hook files of Cline", () => {
  it("are one for each event that hooks need", () => {
    const events = [
      "SessionStart",
      "SubagentStart",
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "Stop",
    ];
    const files = filesFor(...events);
    expect([...files.keys()]).toEqual([
      "PostToolUse.zsh",
      "PreToolUse.zsh",
      "TaskComplete.zsh",
      "TaskResume.zsh",
      "TaskStart.zsh",
    ]);
    const [shebang, mark, ...rest] = files.get("TaskStart.zsh")?.split("\n") ?? [];
    expect([shebang, ...rest]).toEqual(["#!/bin/sh", `exec ${hookCommand({ gate: false })}`, ""]);
    expect(mark).toMatch(/^# tenterhook install wrote this file/);
  });

  it("decide before a call in less time than Cline waits, whatever the timeouts of hooks are", () => {
    expect(wanted("PreToolUse").events).toEqual([{ native: "PreToolUse", gate: true, timeout: 120 }]);
    expect(clineSettings.wanted([{ events: ["PreToolUse"], timeout: 900 }])).toEqual(wanted("PreToolUse"));
    const [notified, ended] = [
      ...(filesFor("PreToolUse").get("PreToolUse.zsh") ?? "").matchAll(/sleep (\d+)/g),
    ].map(([, seconds]) => Number(seconds));
    expect((notified ?? 0) + (ended ?? 0)).toBeLessThan(115);
  });

  it("call the project's own copy from where they are", () => {
    const events = wanted("Stop").events.map((event) => ({
      ...event,
      command: clineIntegration.projectCommand ?? "",
    }));
    expect(filesIn(clineSettings.install(undefined, events)).get("TaskComplete.zsh")).toContain(
      `"\${0%/*}"/../../node_modules/.bin/tenterhook hook\n`,
    );
  });

  it("name the events that Cline never sends, also one that is newer than the table", () => {
    const events = ["UserPromptSubmit", "PreCompact", "cline:TaskCancel", "cline:Future"];
    expect(wanted(...events)).toEqual({
      events: [{ native: "TaskCancel", gate: false, timeout: 120 }],
      never_sent: ["UserPromptSubmit", "PreCompact", "cline:Future"],
    });
  });

  it("are in the project, or the user's", () => {
    expect(clineIntegration.settingsFile("project", PLACES)).toBe("/home/dev/app/.cline/hooks");
    expect(clineIntegration.settingsFile("user", PLACES)).toBe("/home/dev/.cline/hooks");
    const moved = { ...PLACES, environment: { CLINE_DIR: "/c" } };
    expect(clineIntegration.settingsFile("user", moved)).toBe("/c/hooks");
  });
});
