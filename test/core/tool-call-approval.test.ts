import { ask, createHooks, deny, rewrite, ToolDeniedError } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

const call = { ...HERE, tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t1" } as const;
const execute = ({ command }: Record<string, unknown>): string => `ran ${command}`;

function asking(reason = "sure?") {
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "guard" }, () => ask(reason));
  return hooks;
}

describe("what a human says about a tool call", () => {
  it.each([[true], ["yes"], [{ allow: true }], [{ allow: true, for: "once" }]] as const)(
    "%j grants it once",
    async (answer) => {
      const hooks = asking();
      let asked = 0;
      const approval = () => {
        asked += 1;
        return answer;
      };
      await hooks.toolCall({ ...call, execute, approval });
      expect(await hooks.toolCall({ ...call, execute, approval })).toBe("ran ls");
      expect(asked).toBe(2);
    },
  );

  it.each([[false], ["no"], [{ allow: false }], [{ allow: false, feedback: "" }]] as const)(
    "%j refuses it, and the error says who refused, not what was asked",
    async (answer) => {
      const refused = asking().toolCall({ ...call, execute, approval: () => answer });
      await expect(refused).rejects.toThrow(ToolDeniedError);
      await expect(refused).rejects.toMatchObject({
        message: "The user refused this call.",
        decision: { action: "ask", reason: "sure?" },
      });
    },
  );

  it("that nobody can be asked, or that asking failed, is the message of the error", async () => {
    await expect(asking().toolCall({ ...call, execute })).rejects.toMatchObject({
      name: "ToolDeniedError",
      message: "Bash needs the approval of a human, but nobody can be asked, so it is refused.",
    });
    const cause = new Error("the terminal is gone");
    const approval = () => Promise.reject(cause);
    await expect(asking().toolCall({ ...call, execute, approval })).rejects.toMatchObject({
      message:
        "Bash needs the approval of a human, but asking failed (the terminal is gone), so it is refused.",
      cause,
    });
  });

  it("a refusal may say what to do instead", async () => {
    const approval = () => ({ allow: false, feedback: "use git" }) as const;
    await expect(asking().toolCall({ ...call, execute, approval })).rejects.toMatchObject({
      name: "ToolDeniedError",
      message: "use git",
    });
  });

  it.each([
    ["sure", '"sure"'],
    [{ decision: `once` }, '{"decision":"once"}'],
    [{ allow: "yes" }, '{"allow":"yes"}'],
    [{ allow: true, feedback: "x" }, '{"allow":true,"feedback":"x"}'],
    [1, "1"],
    [undefined, "undefined"],
  ])("%j is an error of the program, neither yes nor no", async (answer, shown) => {
    const approval = (): never => JSON.parse(JSON.stringify({ answer })).answer as never;
    await expect(asking().toolCall({ ...call, execute, approval })).rejects.toMatchObject({
      code: "invalid_answer",
      message: `toolCall: approval: the answer is ${shown}; it must be true, false, "yes", "no", { allow: true, for?, input?, by? } or { allow: false, feedback?, by? }.`,
    });
  });

  it("an edited input passes the hooks again, and the tool gets it", async () => {
    const hooks = asking();
    const seen: unknown[] = [];
    hooks.on("PreToolUse", { name: "see" }, ({ tool_input }) => {
      seen.push(tool_input.command);
    });
    const approval = () => ({ allow: true, input: { command: "ls -l" } }) as const;
    expect(await hooks.toolCall({ ...call, execute, approval })).toBe("ran ls -l");
    expect(seen).toEqual(["ls", "ls -l"]);
  });

  it("a hook may refuse the edited input", async () => {
    const hooks = asking();
    hooks.on("PreToolUse", ({ tool_input }) => (tool_input.command === "rm" ? deny("never") : undefined));
    const approval = () => ({ allow: true, input: { command: "rm" } }) as const;
    await expect(hooks.toolCall({ ...call, execute, approval })).rejects.toThrow("never");
  });

  it("a human is asked again when a hook rewrites what they wrote", async () => {
    const hooks = asking();
    hooks.on("PreToolUse", { recheck: false }, ({ tool_input }) =>
      tool_input.command === "mine" ? rewrite({ command: "other" }) : undefined,
    );
    const shown: unknown[] = [];
    const approval = (_: unknown, input: Readonly<Record<string, unknown>>) => {
      shown.push(input.command);
      return shown.length === 1 ? ({ allow: true, input: { command: "mine" } } as const) : true;
    };
    expect(await hooks.toolCall({ ...call, execute, approval })).toBe("ran other");
    expect(shown).toEqual(["ls", "other"]);
  });

  it("for the session: the same call is not asked about again, another one and another session are", async () => {
    const hooks = asking();
    const shown: unknown[] = [];
    const approval = (_: unknown, input: Readonly<Record<string, unknown>>) => {
      shown.push(input.command);
      return { allow: true, for: "session" } as const;
    };
    await hooks.toolCall({ ...call, execute, approval });
    await hooks.toolCall({ ...call, execute, approval });
    await hooks.toolCall({ ...call, tool_input: { command: "pwd" }, execute, approval });
    await hooks.toolCall({ ...call, session_id: "other", execute, approval });
    expect(shown).toEqual(["ls", "pwd", "ls"]);
  });

  it("for the tool: the same hook asks no more about it, another hook does", async () => {
    const hooks = asking();
    hooks.on("PreToolUse", { name: "push-guard" }, ({ tool_input }) =>
      tool_input.command === "git push" ? ask("really?") : undefined,
    );
    const shown: unknown[] = [];
    const approval = (_: unknown, input: Readonly<Record<string, unknown>>) => {
      shown.push(input.command);
      return { allow: true, for: "tool" } as const;
    };
    for (const command of ["ls", "pwd", "git push", "git push"])
      await hooks.toolCall({ ...call, tool_input: { command }, execute, approval });
    await hooks.toolCall({ ...call, tool_name: "Write", execute, approval });
    expect(shown).toEqual(["ls", "git push", "ls"]);
  });
});
