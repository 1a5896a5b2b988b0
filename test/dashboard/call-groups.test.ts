import { expect, it } from "vitest";
import { groupsOf } from "../../src/dashboard/parts/call-groups.ts";
import type { CallRow } from "../../src/journal/activity/calls.ts";

const row = (seq: number, fields: Partial<CallRow>): CallRow => ({
  seq,
  time: seq,
  session: "s1",
  tool_use: "t1",
  event: "PreToolUse",
  verdict: "continue",
  took: 1,
  summary: "npm publish",
  ...fields,
});

it("a call that was asked about says what the person answered", () => {
  const asked = row(1, { verdict: "ask", reason: "Publish?" });
  const ran = row(2, { event: "PostToolUse", reason: "allowed by you after 4 s" });
  expect(groupsOf([ran, asked])).toEqual([
    { key: 2, main: asked, rows: [asked, ran], came: "allowed by you after 4 s" },
  ]);
});

it("a reason that a call has several times is shown once", () => {
  const reason = "Not from here.";
  const denied = row(1, { verdict: "deny", reason });
  const again = row(2, { event: "PermissionDenied", verdict: "deny", reason });
  expect(groupsOf([again, denied])).toEqual([{ key: 2, main: denied, rows: [denied, again] }]);
});
