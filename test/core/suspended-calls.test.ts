import { ask, createHooks, deny, rewrite, ToolDeniedError, ToolSuspendedError } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

const call = { ...HERE, tool_name: "refund", tool_input: { amount: 250 }, tool_use_id: "t1" } as const;
const execute = ({ amount }: Record<string, unknown>): string => `paid ${amount}`;

function asking() {
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "large-refunds" }, ({ tool_input }) => ask(`${tool_input.amount} euros?`));
  return hooks;
}

/** What a process stores while it waits, as another one reads it. */
async function suspended(hooks = asking(), given: Partial<typeof call> = {}) {
  const error = await hooks.toolCall({ ...call, ...given, suspend: true, execute }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ToolSuspendedError);
  return JSON.parse(JSON.stringify(error.waiting_for)) as ToolSuspendedError["waiting_for"];
}

describe("a tool call that waits for a human", () => {
  it("says what it waits for, as plain data", async () => {
    expect(await suspended()).toEqual({
      call,
      tool_input: { amount: 250 },
      reason: "250 euros?",
      asked_by: ["hook large-refunds"],
    });
  });

  it("runs in another process with the answer", async () => {
    const waiting_for = await suspended();
    const result = asking().toolCall({ ...waiting_for.call, waiting_for, approval: true, execute });
    expect(await result).toBe("paid 250");
  });

  it("is refused with a no", async () => {
    const waiting_for = await suspended();
    const approval = { allow: false, feedback: "Too much." } as const;
    const refused = asking().toolCall({ ...waiting_for.call, waiting_for, approval, execute });
    await expect(refused).rejects.toThrow(ToolDeniedError);
    await expect(refused).rejects.toThrow("Too much.");
  });

  it("runs with what the human wrote into it, if hooks let that pass", async () => {
    const waiting_for = await suspended();
    const approval = { allow: true, input: { amount: 100 } } as const;
    const hooks = asking();
    expect(await hooks.toolCall({ ...waiting_for.call, waiting_for, approval, execute })).toBe("paid 100");
    hooks.on("PreToolUse", { name: "strict" }, () => deny("Nobody pays."));
    const refused = hooks.toolCall({ ...waiting_for.call, waiting_for, approval, execute });
    await expect(refused).rejects.toThrow("Nobody pays.");
  });

  it("waits again when hooks ask about something else by now", async () => {
    const waiting_for = await suspended();
    const hooks = asking();
    hooks.on("PreToolUse", { name: "weekend" }, () => ask("At the weekend?"));
    const answered = { ...waiting_for.call, waiting_for, approval: true, execute } as const;
    await expect(hooks.toolCall({ ...answered, suspend: true })).rejects.toMatchObject({
      waiting_for: { asked_by: ["hook large-refunds", "hook weekend"] },
    });
    await expect(hooks.toolCall(answered)).rejects.toThrow(
      "refund needs the approval of a human, but the answer was given to another question, so it is refused.",
    );
  });

  it("waits again when the input is another one", async () => {
    const waiting_for = await suspended();
    const other = { ...waiting_for.call, tool_input: { amount: 900 }, waiting_for, approval: true } as const;
    await expect(asking().toolCall({ ...other, execute })).rejects.toThrow("another question");
  });

  it("shows the input as hooks have left it, and hooks rewrite the call itself when it resumes", async () => {
    const rewriting = () => {
      const hooks = createHooks();
      hooks.on("PreToolUse", { name: "fee" }, ({ tool_input }) =>
        rewrite({ ...tool_input, amount: Number(tool_input.amount) + 1 }),
      );
      hooks.on("PreToolUse", { name: "large-refunds" }, () => ask("Pay?"));
      return hooks;
    };
    const waiting_for = await suspended(rewriting());
    expect([waiting_for.call.tool_input, waiting_for.tool_input]).toEqual([{ amount: 250 }, { amount: 251 }]);
    const result = rewriting().toolCall({ ...waiting_for.call, waiting_for, approval: true, execute });
    expect(await result).toBe("paid 251");
  });

  it("fires Suspend and Resume", async () => {
    const seen: unknown[] = [];
    const hooks = asking();
    hooks.on("Suspend", { name: "s" }, ({ pending_tool_calls }) => void seen.push(pending_tool_calls));
    hooks.on("Resume", { name: "r" }, ({ answers }) => void seen.push(answers));
    const waiting_for = await suspended(hooks);
    await hooks.toolCall({ ...waiting_for.call, waiting_for, approval: true, execute });
    expect(seen).toEqual([
      [{ tool_use_id: "t1", tool_name: "refund", tool_input: { amount: 250 } }],
      { t1: { allow: true } },
    ]);
  });

  it("asks a human who is there, and needs no id for that", async () => {
    const { tool_use_id: _, ...without } = call;
    const approval = () => true;
    expect(await asking().toolCall({ ...without, suspend: true, approval, execute })).toBe("paid 250");
    const waiting = await asking()
      .toolCall({ ...without, suspend: true, execute })
      .catch((error) => error);
    expect(waiting.waiting_for.call.tool_use_id).toMatch(/./);
  });

  it("takes no plain answer without what was asked", async () => {
    // As JavaScript gives it: the compiler refuses it too.
    const { approval } = JSON.parse('{"approval":true}');
    await expect(asking().toolCall({ ...call, approval, execute })).rejects.toMatchObject({
      code: "invalid_option",
      message:
        "toolCall: an approval that is not a function needs waiting_for or decided, which says what was approved.",
    });
  });

  it("is refused with a no even when no hook asks any more", async () => {
    const waiting_for = await suspended();
    const refused = createHooks().toolCall({ ...waiting_for.call, waiting_for, approval: "no", execute });
    await expect(refused).rejects.toThrow("The user refused this call.");
  });

  it("runs with what the human wrote into it when no hook asks any more", async () => {
    const waiting_for = await suspended();
    const approval = { allow: true, input: { amount: 100 } } as const;
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "sees" }, () => undefined);
    expect(await hooks.toolCall({ ...waiting_for.call, waiting_for, approval, execute })).toBe("paid 100");
  });
});
