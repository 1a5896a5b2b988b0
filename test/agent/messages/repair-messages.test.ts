import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AgentMessage,
  callsOf,
  type MessageFromAssistant,
  type MessageFromTool,
  type MessageFromUser,
} from "../../../src/agent/messages/messages.ts";
import { repairMessages } from "../../../src/agent/messages/repair-messages.ts";
import { runs } from "../../support/long.ts";

const made = { turn_id: "turn", created_at: "2026-01-02T03:04:05.000Z" };
const options = {
  mayRun: ({ tool_name }: { readonly tool_name: string }) => tool_name === "Read",
  now: "2026-02-03T04:05:06.000Z",
};

function user(id: string, source: MessageFromUser["source"] = "user"): MessageFromUser {
  return { ...made, id, role: "user", source, parts: [{ type: "text", text: id }] };
}

/** An answer that calls `Read:1` and the like: the tool and the id of the call. */
function answer(id: string, ...calls: readonly string[]): MessageFromAssistant {
  const parts = calls.map((call) => {
    const [tool_name = "", tool_use_id = ""] = call.split(":");
    return { type: "tool_call", tool_use_id, tool_name, tool_input: {} } as const;
  });
  return { ...made, id, role: "assistant", model: "m", parts: [{ type: "text", text: id }, ...parts] };
}

function result(id: string, call: string): MessageFromTool {
  const [tool_name = "", tool_use_id = ""] = call.split(":");
  return { ...made, id, role: "tool", parts: [{ type: "tool_result", tool_use_id, tool_name, content: id }] };
}

const shown = ({ messages, added, rerun, next }: ReturnType<typeof repairMessages>) => ({
  messages: messages.map(({ id }) => id),
  added: added.map(({ id }) => id),
  rerun: rerun.map(({ tool_use_id }) => tool_use_id),
  next,
});

describe("a repaired transcript", () => {
  it.each([
    ["is empty when it was", [], [], [], [], "user"],
    ["is the same when nothing is missing", [user("u"), answer("a")], ["u", "a"], [], [], "user"],
    ["goes on with the model after a prompt", [user("u")], ["u"], [], [], "model"],
    [
      "goes on with the model after results",
      [user("u"), answer("a", "Bash:1"), result("r", "Bash:1")],
      ["u", "a", "r"],
      [],
      [],
      "model",
    ],
    [
      "names the calls that may run again, and tells of the others that their outcome is unknown",
      [user("u"), answer("a", "Read:1", "Bash:2", "Bash:3"), result("r", "Bash:2")],
      ["u", "a", "r", "a-unknown-2"],
      ["a-unknown-2"],
      ["1"],
      "tools",
    ],
    [
      "runs nothing again once the user has gone on",
      [answer("a", "Read:1"), user("hook", "hook"), user("u")],
      ["a", "a-unknown-0", "hook", "u"],
      ["a-unknown-0"],
      [],
      "model",
    ],
    [
      "has results in the order of the calls, wherever they were kept",
      [answer("a", "Bash:1", "Bash:2"), user("u"), result("r2", "Bash:2"), result("r1", "Bash:1")],
      ["a", "r1", "r2", "u"],
      [],
      [],
      "model",
    ],
    [
      "has one result for each call when ids come again, and none without a call",
      [
        result("stray", "Bash:1"),
        answer("a", "Bash:1"),
        answer("b", "Bash:1", "Bash:1"),
        result("r1", "Bash:1"),
        result("r2", "Bash:1"),
        result("r3", "Bash:1"),
        result("r4", "Bash:1"),
      ],
      ["a", "r3", "b", "r1", "r2"],
      [],
      [],
      "model",
    ],
  ] as const)("%s", (_, messages, ids, added, rerun, next) => {
    expect(shown(repairMessages(messages, options))).toEqual({ messages: ids, added, rerun, next });
  });

  it("says in place of a lost result what the model has to know", () => {
    const { added } = repairMessages([answer("a", "Bash:1")], options);
    expect(added).toEqual([
      {
        id: "a-unknown-0",
        turn_id: "turn",
        created_at: "2026-02-03T04:05:06.000Z",
        role: "tool",
        parts: [
          {
            type: "tool_result",
            tool_use_id: "1",
            tool_name: "Bash",
            content:
              "The outcome of this call is unknown: the agent was stopped before the result was stored. It may have run, " +
              "in part or whole. Find out what it has done before you repeat it.",
            is_error: true,
            outcome: "interrupted",
          },
        ],
      },
    ]);
  });
});

const call = fc.constantFrom("Read:1", "Read:2", "Bash:1", "Bash:3", "Edit:4");
const kinds = fc.oneof(
  fc.constantFrom("user", "hook", "runtime").map((source) => ({ kind: "user", source }) as const),
  fc.array(call, { maxLength: 3 }).map((calls) => ({ kind: "answer", calls }) as const),
  call.map((of) => ({ kind: "result", of }) as const),
);
const conversations = fc.array(kinds, { maxLength: 20 }).map((drawn) =>
  drawn.map((step, number): AgentMessage => {
    const id = `m${number}`;
    if (step.kind === "user") return user(id, step.source);
    return step.kind === "answer" ? answer(id, ...step.calls) : result(id, step.of);
  }),
);

/** The ids of the results right behind each answer must be those of its calls. */
function unpaired(messages: readonly AgentMessage[]): readonly unknown[] {
  return messages.flatMap((message, at) => {
    const calls = message.role === "assistant" ? callsOf(message).map(({ tool_use_id }) => tool_use_id) : [];
    const next = messages.findIndex((other, place) => place > at && other.role !== "tool");
    const results = messages.slice(at + 1, next < 0 ? undefined : next);
    const found = results.flatMap(({ role, parts: [part] }) =>
      role === "tool" && part?.type === "tool_result" ? [part.tool_use_id] : [],
    );
    if (message.role === "tool" || JSON.stringify(calls) === JSON.stringify(found)) return [];
    return [{ calls, found }];
  });
}

describe("whatever was kept", () => {
  it("every call has exactly one result, right behind it, once those that may have run again", () => {
    fc.assert(
      fc.property(conversations, (messages) => {
        const { messages: repaired, added, rerun } = repairMessages(messages, options);
        expect(rerun.filter(({ tool_name }) => tool_name !== "Read")).toEqual([]);
        // As a store would give it back after the calls ran: everything new at its end.
        const results = rerun.map(({ tool_name, tool_use_id }, number) =>
          result(`again-${number}`, `${tool_name}:${tool_use_id}`),
        );
        const whole = repairMessages([...messages, ...added, ...results], options);
        expect([whole.added, whole.rerun, unpaired(whole.messages)]).toEqual([[], [], []]);
        const others = (list: readonly AgentMessage[]) => list.filter(({ role }) => role !== "tool");
        expect(others(whole.messages)).toEqual(others(messages));
        const known = new Set([...messages, ...added]);
        expect(repaired.filter((message) => !known.has(message))).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  it("repairing again changes nothing", () => {
    fc.assert(
      fc.property(conversations, (messages) => {
        const once = repairMessages(messages, options);
        expect(repairMessages(once.messages, options)).toEqual({ ...once, added: [] });
      }),
      { numRuns: runs(500) },
    );
  });
});
