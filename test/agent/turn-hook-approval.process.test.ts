import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentItem, AgentOptions, ApprovalRequest, TurnHookSource } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { loadAgentFile } from "../../src/config/trust/turn-hooks.ts";
import { agentOf, scratch, story } from "./support/agents.ts";

/** An agent in a workspace whose turns start with a program. */
function startAgent(trusted: boolean, options: Partial<AgentOptions>) {
  const cwd = scratch();
  mkdirSync(join(cwd, ".agent"));
  writeFileSync(join(cwd, "start"), "#!/bin/sh\necho ran >&2\n");
  chmodSync(join(cwd, "start"), 0o755);
  startWith(cwd, "--first");
  const turnHooks: TurnHookSource = async (folder, signal) => {
    const agent = await loadAgentFile(folder, signal);
    return agent && { ...agent.hooks, trusted };
  };
  return agentOf([], { cwd, ports: { turnHooks }, ...options });
}

function startWith(cwd: string, argument: string): void {
  writeFileSync(join(cwd, ".agent/hook.toml"), `[turn_start]\ncommand = "./start"\nargs = ["${argument}"]\n`);
}

const RAN = "user hook_input: ran";

describe("a program of .agent/hook.toml that is not trusted", () => {
  it("is asked about once when it is allowed for the session, and again when it is another one", async () => {
    const asked: unknown[] = [];
    const approval = ({ subject }: ApprovalRequest) => {
      asked.push(subject);
      return { allow: true, for: "session" } as const;
    };
    const { agent, cwd } = startAgent(false, { approval });
    await agent.run("one");
    await agent.run("two");
    startWith(cwd, "--second");
    await agent.run("three");
    expect(asked).toEqual(["./start --first", "./start --second"]);
    expect(story(agent.transcript()).filter((line) => line === RAN)).toHaveLength(3);
  });

  it.each([
    [{ mode: "bypass" }, "The file that names it is not trusted."],
    [{ mode: "default" }, "The file that names it is not trusted."],
    [{ ask: ["Bash(./start:*)"] }, "Bash(./start:*) requires asking a human."],
  ] as const)("with %j is asked about by its name, with the reason", async (permissions, reason) => {
    const { agent } = startAgent(false, { permissions, approval: () => true });
    const items: AgentItem[] = [];
    await agent.run("go", { onItem: (item) => item.type === "approval_request" && items.push(item) });
    expect(items).toEqual([
      { type: "approval_request", kind: "turn_hook", subject: "./start --first", reason },
    ]);
  });
});

it("a program of a trusted file is approved, so that it runs where nobody is asked; a deny rule holds", async () => {
  const allowed = startAgent(true, { permissions: { mode: "dont-ask" } });
  await allowed.agent.run("go");
  expect(story(allowed.agent.transcript())).toContain(RAN);
  const denied = startAgent(true, { permissions: { mode: "dont-ask", deny: ["Bash(./start:*)"] } });
  await denied.agent.run("go");
  expect(story(denied.agent.transcript())).not.toContain(RAN);
});
