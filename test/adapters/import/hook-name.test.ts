import { describe, expect, it } from "vitest";
import { hookNames } from "../../../src/adapters/import/hook-name.ts";

describe("the name of an imported hook", () => {
  it.each([
    [{ command: "guard.sh" }, "guard"],
    [{ command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/protect_files.py --strict' }, "protect-files"],
    [{ command: "python3 ~/hooks/format.py" }, "format"],
    [{ command: "cd app && bash ./scripts/checkTypes.sh" }, "check-types"],
    [{ command: "node", args: ["/srv/log.mjs", "--all"] }, "log"],
    [{ command: "jq -r .tool_input.command >> ~/commands.log" }, "jq"],
    [{ command: "npx prettier --write ." }, "prettier"],
    [{ command: "FOO=1 /usr/bin/osascript -e 'beep'" }, "osascript"],
    [{ command: "if grep -q secret; then exit 2; fi" }, "grep"],
    [{ bash: "./audit.sh", powershell: "./audit.ps1" }, "audit"],
    [{ type: "http", url: "https://hooks.example.org/x" }, "hooks-example-org"],
    [{ type: "prompt", prompt: "Is this safe?" }, "prompt"],
    [{ command: "  " }, "pre-tool-use"],
  ])("of %j is %s", (handler, name) => {
    expect(hookNames("")("PreToolUse", handler)).toBe(name);
  });

  it("has a number where another has it, and the owner in front", () => {
    const nameOf = hookNames("reviewer");
    const names = ["PreToolUse", "Stop"].map((event) => nameOf(event, { command: "guard.sh" }));
    expect(names).toEqual(["reviewer-guard", "reviewer-guard-2"]);
  });
});
