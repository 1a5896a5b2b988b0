import { describe, expect, it } from "vitest";
import { boundResume, chosenMode, chosenName } from "../../../src/cli/commands/agent/run/choices.ts";
import { approvalOf } from "../../../src/cli/commands/agent/sessions/task-for.ts";
import { NO_SETTINGS } from "../../../src/config/combine/merge-settings.ts";
import type { Settings } from "../../../src/config.ts";
import type { PermissionMode } from "../../../src/core/contracts/tool.ts";
import { wholeCall } from "../../../src/terminal/cells/call-line.ts";
import { thrown } from "../../support/thrown.ts";

const settings = (mode?: "plan" | "accept-edits"): Settings => ({
  ...NO_SETTINGS,
  permissions: mode === undefined ? {} : { mode },
});

it.each([
  ["y", true],
  [" Yes ", true],
  ["OK", true],
  ["", false],
  ["n", false],
  ["use git instead", { allow: false, feedback: "use git instead" }],
])("the answer %j to a session that waits for a permission", (line, expected) =>
  expect(approvalOf(line)).toEqual(expected),
);

it("whoever has to permit a call sees all of a command, and what is written", () => {
  const command = `echo ${"x".repeat(5000)}; rm -rf ~`;
  const content = Array.from({ length: 30 }, (_, at) => `${at}\n`).join("");
  expect(wholeCall("Bash", { command: `${command}\nls\u202e` }, "/project")).toEqual([command, "ls�"]);
  const lines = wholeCall("Write", { file_path: "/project/a.txt", content }, "/project");
  expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([22, "a.txt", "  + 0", "  + … 10 more"]);
  expect(wholeCall("Edit", { file_path: "b", old_string: "x", new_string: "y" }, "/project")).toEqual([
    "b",
    "  - x",
    "  + y",
  ]);
  expect(wholeCall("mcp__a__b", { c: 1 }, "/project")).toEqual(["c: 1"]);
});

describe("the mode of a run", () => {
  it("is the one that was given, else the configuration's, else default", () => {
    expect([
      chosenMode({ settings: settings(), files: [] }, undefined),
      chosenMode({ settings: settings("plan"), files: [] }, undefined),
      chosenMode({ settings: settings("plan"), files: [] }, "bypass"),
    ]).toEqual(["default", "plan", "bypass"]);
  });

  it("is the session's when that goes on, bound by what the configuration says now", () => {
    const fromSession = (mode: PermissionMode) => ({
      messages: [],
      metadata: {
        session_id: "s",
        agent_id: "s",
        status: "complete" as const,
        created_at: "",
        updated_at: "",
        mode,
        mode_before: "bypass" as const,
      },
    });
    const files = [{ scope: "managed", file: "/etc/x.yaml", root: "/" } as const];
    const modes = [
      boundResume({ settings: settings(), files: [] }, fromSession("bypass")),
      boundResume({ settings: settings(), files }, fromSession("bypass")),
      boundResume({ settings: settings("accept-edits"), files: [] }, fromSession("plan")),
    ].map((resume) => [resume?.metadata.mode, resume?.metadata.mode_before]);
    expect(modes).toEqual([
      ["bypass", "bypass"],
      ["default", "default"],
      ["plan", "accept-edits"],
    ]);
    const config = { settings: settings("accept-edits"), files: [] };
    expect([chosenMode(config, undefined, "plan"), chosenMode(config, "default", "plan")]).toEqual([
      "plan",
      "default",
    ]);
  });

  it("can't be looser than what an administrator's machine has", () => {
    const managed = {
      settings: settings("plan"),
      files: [{ scope: "managed", file: "/etc/x.yaml", root: "/" } as const],
    };
    expect(thrown(() => chosenMode(managed, "bypass"))).toEqual([
      "usage_error",
      "--mode bypass is looser than plan, the mode that this machine's administrator configured.",
    ]);
    expect(chosenMode({ ...managed, settings: settings("accept-edits") }, "plan")).toBe("plan");
  });
});

it("the model of a run is the one that was given, else the session's, else the configuration's, else ours", () => {
  const config = { settings: { ...settings(), models: { default: "ollama/x" } } };
  const named = (given: string | undefined, fromSession: string | undefined): string =>
    chosenName(config, { given, fromSession, givenIn: "/here", folder: "/there" });
  expect([
    named("scripted:a.yaml", "openai/y"),
    named(undefined, "openai/y"),
    named(undefined, "nobody/z"),
    chosenName(
      { settings: settings() },
      { given: undefined, fromSession: undefined, givenIn: "/", folder: "/" },
    ),
  ]).toEqual(["scripted:/here/a.yaml", "openai/y", "ollama/x", "anthropic/claude-sonnet-4-5"]);
});
