import {
  type CustomEvent,
  createHooks,
  type Decision,
  type Effect,
  type EventDeclaration,
  type OwnEventName,
} from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../../support/events.ts";

/** Names that are not known before the program runs. */
type AnyCustom = Record<
  `custom:${string}`,
  CustomEvent & { fields: Record<string, unknown>; effects: Effect }
>;

/** What a command decides about an event that is in no table. */
async function decided(
  name: OwnEventName<AnyCustom>,
  declaration: EventDeclaration | undefined,
  command: string,
  type: "command" | "all" = "command",
): Promise<Decision> {
  const hooks = createHooks<AnyCustom>();
  if (declaration !== undefined) hooks.declare(name, declaration);
  const handler = type === "all" ? { type, all: [{ type: "command", command }] } : { type, command };
  await hooks.add({ name: "hook", matcher: { events: [name] }, ...handler }, { root: "/" });
  const decision = await hooks.fire({ ...HERE, hook_event_name: name, target: "prod" });
  await hooks.close();
  return decision;
}

describe.each(["command", "all"] as const)("on an event that is in no table a %s", (type) => {
  it.each<[OwnEventName<AnyCustom>, EventDeclaration]>([
    ["claude:Setup", { effects: [] }],
    ["custom:told", { effects: ["context"] }],
  ])("that refuses %s, where nothing can be refused, is shown to the user", async (name, declaration) => {
    const decision = await decided(name, declaration, "echo no >&2; exit 2", type);
    expect(decision).toMatchObject({
      action: "continue",
      user_messages: [{ text: "no", level: "warning" }],
    });
    expect(decision.runs[0]?.failure).toBeUndefined();
  });

  it.each<[OwnEventName<AnyCustom>, EventDeclaration | undefined]>([
    ["claude:Setup", { effects: ["deny"] }],
    ["custom:deploy", { effects: ["deny"] }],
    ["claude:OfNextYear", undefined],
  ])("that refuses %s, where it was declared so or nobody knows, denies", async (name, declaration) => {
    const decision = await decided(name, declaration, "echo no >&2; exit 2", type);
    expect(decision).toMatchObject({ action: "deny", reason: "no" });
  });

  it("that fails on an event nobody knows denies", async () => {
    expect((await decided("claude:OfNextYear", undefined, "exit 1", type)).action).toBe("deny");
  });

  it("that prints text answers where text was declared an answer", async () => {
    const declaration = { effects: ["answer"], text_is: "answer" } as const;
    expect(await decided("claude:WorktreeCreate", declaration, "echo /trees/one", type)).toMatchObject({
      answer: "/trees/one",
      user_messages: [],
    });
  });

  it.each<[string, EventDeclaration, object, object]>([
    [
      "Elicitation",
      { effects: ["answer", "deny"] },
      { action: "accept", content: { env: "prod" } },
      { answer: { action: "accept", content: { env: "prod" } } },
    ],
    ["Elicitation", { effects: ["answer", "deny"] }, { action: "cancel" }, { answer: { action: "cancel" } }],
    [
      "MessageDisplay",
      { effects: ["rewrite"], rewrites: { target: "output" } },
      { displayContent: "…" },
      { output: "…" },
    ],
    ["WorktreeCreate", { effects: ["answer"] }, { worktreePath: "/one" }, { answer: "/one" }],
  ])(
    "that replies to %s as Claude Code documents it is understood",
    async (name, declaration, output, then) => {
      const reply = { hookSpecificOutput: { hookEventName: `claude:${name}`, ...output } };
      const command = `cat <<'END'\n${JSON.stringify(reply)}\nEND`;
      const decision = await decided(`claude:${name}`, declaration, command, type);
      expect(decision).toMatchObject(then);
      expect(decision.runs[0]?.failure).toBeUndefined();
    },
  );

  it("that refuses keeps the agent going where that was declared", async () => {
    const declaration = { effects: ["keep_going"], refused_by: "keep_going" } as const;
    expect(await decided("claude:TeammateIdle", declaration, "echo more >&2; exit 2", type)).toMatchObject({
      action: "continue",
      keep_going: { reason: "more" },
    });
  });

  it("modifies the field that was declared", async () => {
    const modify = `echo '{"action":"modify","modified_data":{"target":"staging"}}'`;
    const declaration = { effects: ["rewrite", "deny"], rewrites: { target: "prompt" } } as const;
    expect(await decided("custom:deploy", declaration, modify, type)).toMatchObject({ prompt: "staging" });
  });
});
