import type { AgentHooks } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { loadAgentFile } from "../../src/config/trust/turn-hooks.ts";
import { project } from "./support/project.ts";

const PATH = "project/.agent/hook.toml";

async function load(text: string): Promise<AgentHooks | undefined> {
  const files = project({ [PATH]: text });
  return (await loadAgentFile(files.path("project")))?.hooks;
}

describe(".agent/hook.toml", () => {
  it(".agent/hook.toml is read with its defaults", async () => {
    expect(
      await load('[turn_start]\ncommand = "git"\nargs = ["status", ""]\n[turn_end]\ncommand = "make"\n'),
    ).toEqual({
      turn_start: { command: "git", args: ["status", ""], run_on_hook_input: true },
      turn_end: { command: "make", args: [] },
    });
    expect(await load('turn_start = { command = "a", run_on_hook_input = false }')).toEqual({
      turn_start: { command: "a", args: [], run_on_hook_input: false },
    });
    expect(await load("")).toEqual({});
  });

  it(".agent/hook.toml may be missing", async () => {
    expect(await loadAgentFile(project().path("project"))).toBeUndefined();
  });

  it.each([
    [
      "[turn_begin]",
      "config_invalid",
      '1:1: The file has the unknown key "turn_begin". Known keys: turn_start, turn_end.',
    ],
    [
      '[turn_end]\ncommand = "a"\nrun_on_hook_input = true',
      "config_invalid",
      '3:1: turn_end has the unknown key "run_on_hook_input". Known keys: command, args.',
    ],
    [
      '[turn_start]\ncommand = "a"\narg = []',
      "config_invalid",
      '3:1: turn_start has the unknown key "arg". Did you mean "args"?',
    ],
    ["[turn_start]", "config_invalid", "1:1: turn_start.command is missing; it must be a non-empty string."],
    [
      '[turn_start]\ncommand = "a"\nargs = "b"',
      "config_invalid",
      '3:8: turn_start.args is "b"; it must be a list of strings.',
    ],
    ["[turn_start", "config_syntax", expect.stringMatching(/^1:\d+: /)],
  ])("%j is refused", async (text, code, message) => {
    const files = project({ [PATH]: text });
    const error = await loadAgentFile(files.path("project")).catch((reason: unknown) => Object(reason));
    expect([error.code, error.message.replace(`${files.path(PATH)}:`, "")]).toEqual([code, message]);
  });
});
