import { describe, expect, it } from "vitest";
import { keepsExitCode } from "../../../src/adapters/settings/agent-settings.ts";
import { windsurfIntegration, windsurfSettings } from "../../../src/adapters/windsurf/integration.ts";

const PLACES = { root: "/home/dev/app", home: "/home/dev", environment: {} };
const CLOSED = keepsExitCode("tenterhook hook");
const native = (tools?: readonly string[], more: object = {}) =>
  windsurfSettings
    .wanted([{ events: ["PreToolUse"], timeout: 30, ...(tools === undefined ? {} : { tools }), ...more }])
    .events.map((event) => event.native);

describe("Windsurf's hooks.json", () => {
  it("calls us where hooks need it, shows what we say, and refuses when our program fails", () => {
    const hooks = [
      { events: ["PreToolUse"], timeout: 30, tools: ["Bash"] },
      { events: ["Stop"], timeout: 5 },
    ];
    const text = windsurfSettings.install(undefined, windsurfSettings.wanted(hooks).events);
    expect(JSON.parse(text ?? "")).toEqual({
      hooks: {
        pre_run_command: [{ command: CLOSED, show_output: true }],
        post_cascade_response: [{ command: "tenterhook hook", show_output: true }],
      },
    });
    expect(windsurfSettings.uninstall(text)).toBeUndefined();
  });

  it("has an event for each kind of tool, and only those that hooks want", () => {
    expect(native(["Bash"])).toEqual(["pre_run_command"]);
    expect(native(["Edit"])).toEqual(["pre_write_code"]);
    expect(native(["Write|Read"])).toEqual(["pre_read_code", "pre_write_code"]);
    expect(native(["mcp__github__push"])).toEqual(["pre_mcp_tool_use"]);
    const all = ["pre_read_code", "pre_write_code", "pre_run_command", "pre_mcp_tool_use"];
    expect(native(["*"])).toEqual(all);
    expect(native(["/a/"])).toContain("pre_mcp_tool_use");
    expect(native()).toEqual(all);
    expect(native(undefined, { only_changes: true })).toEqual(all.slice(1));
  });

  it("is put in once, next to others, and taken out to the byte", () => {
    const before = '{ "hooks": { "pre_run_command": [{ "command": "./mine.sh" }] } }\n';
    const { events } = windsurfSettings.wanted([{ events: ["PreToolUse", "UserPromptSubmit"], timeout: 5 }]);
    const installed = windsurfSettings.install(before, events);
    expect(windsurfSettings.install(installed, events)).toBe(installed);
    expect(windsurfSettings.drifted(installed, events)).toEqual([]);
    expect(windsurfSettings.uninstall(installed)).toBe(before);
  });

  it("is plain JSON as its documentation has it", () => {
    expect(windsurfSettings.unread('{ // mine\n "hooks": {} }')).toEqual({
      why: "Windsurf's documentation knows strict JSON only, and line 1 holds a comment",
      strippable: true,
    });
  });

  it("names the events that it never sends", () => {
    const events = ["SessionStart", "PermissionRequest", "SubagentStop", "Stop"];
    expect(windsurfSettings.wanted([{ events, timeout: 5 }]).never_sent).toEqual(events.slice(0, 3));
  });

  it("is in the project, or the user's", () => {
    expect(windsurfIntegration.settingsFile("project", PLACES)).toBe("/home/dev/app/.windsurf/hooks.json");
    expect(windsurfIntegration.settingsFile("user", PLACES)).toBe("/home/dev/.codeium/windsurf/hooks.json");
  });
});
