import { createHooks } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

describe("set on an event of the caller", () => {
  const deploy = {
    ...HERE,
    hook_event_name: "custom:deploy",
    target: { to: "production" },
    input: { to: "x" },
  };
  const declared = () => {
    const hooks = createHooks<{
      "custom:deploy": { fields: { target: object }; effects: "rewrite" | "deny" };
    }>();
    hooks.declare("custom:deploy", { effects: ["rewrite", "deny"], rewrites: { target: "input" } });
    return hooks;
  };
  const setting = (field: string) =>
    ({
      name: "policy",
      type: "inline",
      matcher: { events: ["custom:deploy"] },
      rules: `event exists -> set(${field}, "staging")`,
    }) as const;

  it("changes the field that its declaration names", async () => {
    const hooks = declared();
    await hooks.add(setting("target.to"));
    expect((await hooks.fireUntyped(deploy)).input).toEqual({ to: "staging" });
  });

  it("fails for any other field, and changes nothing in its place", async () => {
    const hooks = declared();
    await hooks.add(setting("input.to"));
    expect(await hooks.fireUntyped(deploy)).toMatchObject({
      action: "deny",
      runs: [
        {
          failure: {
            kind: "bad_output",
            message: "A rule sets input.to, but on custom:deploy only target can be changed.",
          },
        },
      ],
    });
  });
});
