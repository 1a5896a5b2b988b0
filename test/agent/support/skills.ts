import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentOptions } from "tenterhook/agent";
import { agentOf, echo, scratch, story } from "./agents.ts";
import { toolsWith } from "./tasks.ts";

export type Files = Readonly<Record<string, string>>;

export const NO_B = `hooks:
  - name: no-b
    type: inline
    matcher: { events: [PreToolUse], tools: [Echo] }
    rules: 'args.text equals "b" -> deny("Not b.")'`;

export const skill = (front: string, body = "Do it."): string => `---\n${front}\n---\n${body}\n`;
export const load = (name: string, args?: string) => ({
  name: "Skill",
  input: { skill: name, ...(args === undefined ? {} : { args }) },
});

/** A workspace and a home folder with these files. */
export function folders(files: Files): { cwd: string; environment: NodeJS.ProcessEnv } {
  const cwd = scratch();
  const home = scratch();
  const environment = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, "state"),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = name.startsWith("~/") ? join(home, name.slice(2)) : join(cwd, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { cwd, environment };
}

/** An agent in these folders that makes calls, one after the other; and what they answer. */
export async function calls(
  made: readonly { name: string; input: object }[],
  { cwd, environment }: ReturnType<typeof folders>,
  options: Partial<AgentOptions> = {},
) {
  const home = environment.HOME ?? "";
  const { agent } = agentOf(
    made.map((call) => ({ tool_calls: [{ ...call, input: { ...call.input } }] })),
    { cwd, environment, tools: toolsWith(echo), ...options },
  );
  await agent.run("go");
  const answers = story(agent.transcript()).filter((line) => line.startsWith("tool "));
  return { agent, answers: answers.map((line) => line.replaceAll(cwd, ".").replaceAll(home, "~")) };
}
