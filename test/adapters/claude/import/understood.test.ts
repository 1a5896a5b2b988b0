import { describe, expect, it } from "vitest";
import { understoodReply } from "../../../../src/adapters/claude/import/understood.ts";

const DENY = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "WHY",
  },
});

const understood = (event: string, stdout: string, exit_code = 0, stderr = "", closed = false) =>
  understoodReply(event, { stdout, stderr, exit_code }, closed);

describe("what Claude Code does with the reply of a hook", () => {
  it.each([0, 1, 127])("counts a reply in JSON with the exit code %i", (code) => {
    expect(understood("PreToolUse", DENY, code)).toEqual({ verdict: "deny", reason: "WHY" });
  });

  it("takes exit code 2 for a refusal, with what stderr says", () => {
    expect(understood("PreToolUse", "{}", 2, "NO")).toEqual({ verdict: "deny", reason: "NO" });
    expect(understood("Stop", "", 2, "GO ON")).toEqual({ verdict: "keeps going", reason: "GO ON" });
    expect(understood("PostToolUse", "", 2, "SEE")).toEqual({ verdict: "tells the model", reason: "SEE" });
    expect(understood("SubagentStart", "", 2, "NO")).toEqual({});
    expect(understood("Notification", "", 2, "NO")).toEqual({});
  });

  it("goes on after a failure, unless the hook says onFailure: block", () => {
    expect(understood("PreToolUse", "", 1)).toEqual({});
    expect(understood("PreToolUse", "", 1, "", true)).toEqual({ verdict: "deny" });
  });

  it("takes broken JSON for text, which is context on some events", () => {
    expect(understood("UserPromptSubmit", "{broken")).toEqual({ context: "{broken" });
    expect(understood("PreToolUse", "{broken")).toEqual({});
  });

  it("ignores a reply that names another event", () => {
    expect(understood("PermissionRequest", DENY)).toEqual({});
  });
});
