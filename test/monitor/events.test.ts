import { expect, it } from "vitest";
import { readEvent } from "../../src/shared/monitor/events.ts";

const HEAD = { v: 1, id: "e1", time: "2026-01-01T00:00:00.000Z", agent_id: "worker" } as const;

it("an event has the fields of its type, and those of any event, with values that mean something", () => {
  const fields = { session_id: "s1", prompt_type: "plan_approval", hidden: true, call_key: "k1" };
  const wrong = { cwd: 7, waits_until: null, hidden: true, exit_code: 1, colour: "red", usage: [] };
  expect(readEvent({ ...HEAD, type: "agent:prompt", ...wrong, ...fields })).toEqual({
    ...HEAD,
    type: "agent:prompt",
    ...fields,
  });
});

it.each([
  ["of a type that this version does not know", { type: "agent:dances" }],
  ["of no type", {}],
  ["of another version", { type: "agent:turn", v: 2 }],
  ["with an id that is no name of a file", { type: "agent:turn", id: "../up" }],
  ["without a time", { type: "agent:turn", time: undefined }],
])("what is %s is no event", (_, fields) => {
  expect(readEvent({ ...HEAD, ...fields })).toBeUndefined();
});
