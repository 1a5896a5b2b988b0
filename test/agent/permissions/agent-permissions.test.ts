import { expect, it } from "vitest";
import { agentPermissions } from "../../../src/handlers/permissions/agent-permissions.ts";
import type { PermissionCall } from "../../../src/handlers/permissions/permission-types.ts";
import { bash, OUTSIDE, WORKSPACE } from "./support/permitted.ts";

const signal = new AbortController().signal;
const asked = (command: string, more: Partial<PermissionCall> = {}): PermissionCall => ({
  tool_name: "Bash",
  tool_input: { command },
  cwd: WORKSPACE,
  mode: "default",
  workspace: [WORKSPACE],
  ...more,
});

it("the loop gets what a human could grant, and a grant holds immediately", async () => {
  const permissions = agentPermissions({ deny: ["Bash(rm:*)"] });
  expect(await permissions.check(asked("git push"), signal)).toEqual({
    action: "ask",
    reason: "Bash is not read-only and no rule allows this call.",
    suggestions: [
      {
        kind: "command",
        tool: "Bash",
        text: "git push",
        bound: { cwd: WORKSPACE, input: bash("git push").tool_input },
      },
    ],
  });
  permissions.grant(asked("git push"));
  permissions.grant(asked("rm x"));
  expect((await permissions.check(asked("git push"), signal)).action).toBe("allow");
  expect((await permissions.check(asked("git push; ls"), signal)).action).toBe("ask");
  expect((await permissions.check(asked("rm x"), signal)).action).toBe("deny");
});

it("each call is judged in the mode and workspace of who makes it", async () => {
  const permissions = agentPermissions({ allow: ["Edit(src/**)"] });
  const write = (mode: PermissionCall["mode"], folder = WORKSPACE): PermissionCall => ({
    tool_name: "Write",
    tool_input: { file_path: "src/a.ts", content: "" },
    cwd: folder,
    mode,
    workspace: [WORKSPACE],
  });
  const actions = await Promise.all(
    [
      write("plan"),
      write("default"),
      write("default", OUTSIDE),
      { ...write("default", OUTSIDE), workspace: [OUTSIDE] },
    ].map(async (call) => (await permissions.check(call, signal)).action),
  );
  expect(actions).toEqual(["deny", "allow", "ask", "allow"]);
});

it("searches get what to leave out", () => {
  const permissions = agentPermissions({ deny: ["Read(secrets/**)"] });
  const place = { cwd: OUTSIDE, workspace: [WORKSPACE] };
  const paths = ["secrets/key", "src/innocent/key", "src/a.ts"].map((path) => `${WORKSPACE}/${path}`);
  expect(paths.map((path) => permissions.hides(path, place))).toEqual([true, true, false]);
});

it("a rule that can't be read is an error immediately, one that nearly names a tool is a warning", () => {
  expect(() => agentPermissions({ deny: ["Bash(rm"] })).toThrow("has no closing parenthesis");
  expect(agentPermissions({ deny: ["Raed"] }).warnings).toHaveLength(1);
});

it("who does not wait any more gets no answer", async () => {
  await expect(agentPermissions({}).check(asked("ls"), AbortSignal.abort(new Error("gone")))).rejects.toThrow(
    "gone",
  );
});
