import type { HookDefinition } from "tenterhook";
import { describe, expect, it } from "vitest";
import { bashCall } from "../support/events.ts";
import { scriptFolder, withCommand } from "./support/commands.ts";

const { root, write } = scriptFolder();
const BROKEN = "#!/usr/bin/env bash\necho checking >&2\nif true; do\n";
write("broken.sh", BROKEN, 0o755);
write("unclosed.sh", "echo 'no end\n");

/** What a hook that is let pass when it fails says of a call. */
async function decided(definition: Partial<HookDefinition>) {
  const { hooks } = await withCommand(root, { on_failure: "open", ...definition });
  const event = bashCall("ls", { cwd: root, host: "claude", native: {} });
  const { action, reason, runs } = await hooks.fire(event);
  await hooks.close();
  return { action, reason, failure: runs[0]?.failure };
}

describe("a syntax error of the shell", () => {
  it.each<[string, Partial<HookDefinition>]>([
    ["in a line", { command: "if true; then exit 0" }],
    ["in a quote of a line", { command: "echo 'no end" }],
    ["in a line that has spoken already", { command: "echo checking >&2\neval 'fi'" }],
    ["in a script that is executable", { command: "./broken.sh" }],
    ["in a script of a line", { command: "bash broken.sh --strict" }],
    ["in a script of a program", { command: ["bash", "broken.sh"] }],
    ["in a script with a first line", { script: "broken.sh" }],
    ["in a script without one", { script: "unclosed.sh" }],
  ])("is a failure, not a refusal: %s", async (_, definition) => {
    expect(await decided(definition)).toEqual({
      action: "continue",
      reason: undefined,
      failure: {
        kind: "error",
        message: expect.stringMatching(
          /^The shell can't read it: .*(syntax error|unterminated|unexpected EOF)/is,
        ),
      },
    });
    expect(await decided({ ...definition, on_failure: "closed" })).toMatchObject({ action: "deny" });
  });

  it.each<[string, Partial<HookDefinition>]>([
    ["of what it checks", { command: "bash -n unclosed.sh || exit 2" }],
    ["that it reports", { command: "echo 'x.sh: line 3: syntax error near fi' >&2; exit 2" }],
    ["before its own reason", { command: "bash broken.sh; echo 'Mend broken.sh.' >&2; exit 2" }],
    ["of a script for Claude Code", { command: "./broken.sh", payload: "native" }],
  ])("is a refusal where a hook refuses by one: %s", async (_, definition) => {
    expect(await decided(definition)).toMatchObject({ action: "deny", failure: undefined });
  });
});
