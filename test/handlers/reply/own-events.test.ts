import { createHooks, type Decision, type EventDeclaration } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../../support/events.ts";

/** What a command decides about an event that is in no table. */
async function decided(
  name: `${string}:${string}`,
  declaration: EventDeclaration | undefined,
  command: string,
  type: "command" | "all" = "command",
): Promise<Decision> {
  const hooks = createHooks();
  if (declaration !== undefined) hooks.declare(name, declaration);
  const handler = type === "all" ? { type, all: [{ type: "command", command }] } : { type, command };
  await hooks.add({ name: "hook", matcher: { events: [name] }, ...handler }, { root: "/" });
  const decision = await hooks.fire({ ...HERE, hook_event_name: name, target: "prod" });
  await hooks.close();
  return decision;
}

describe.each(["command", "all"] as const)("on an event that is in no table a %s", (type) => {
  it.each<[`${string}:${string}`, EventDeclaration | undefined]>([
    ["claude:Setup", undefined],
    ["custom:told", { effects: ["context"] }],
  ])("that refuses %s, where nothing can be refused, is shown to the user", async (name, declaration) => {
    const decision = await decided(name, declaration, "echo no >&2; exit 2", type);
    expect(decision).toMatchObject({
      action: "continue",
      user_messages: [{ text: "no", level: "warning" }],
    });
    expect(decision.runs[0]?.failure).toBeUndefined();
  });

  it.each<[`${string}:${string}`]>([["claude:Setup"], ["custom:deploy"]])(
    "that refuses %s, where it was declared so, denies",
    async (name) => {
      const decision = await decided(name, { effects: ["deny"] }, "echo no >&2; exit 2", type);
      expect(decision).toMatchObject({ action: "deny", reason: "no" });
    },
  );

  it("modifies the field that was declared", async () => {
    const modify = `echo '{"action":"modify","modified_data":{"target":"staging"}}'`;
    const declaration = { effects: ["rewrite", "deny"], rewrites: { target: "prompt" } } as const;
    expect(await decided("custom:deploy", declaration, modify, type)).toMatchObject({ prompt: "staging" });
  });
});
