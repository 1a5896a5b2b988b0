import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentItem } from "tenterhook/agent";
import { expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { agentOf, echo, scratch, story } from "./support/agents.ts";
import { task, toolsWith } from "./support/tasks.ts";

const tools = toolsWith(echo).filter(({ name }) => ["Read", "Bash", "Echo", "Task"].includes(name));
const OURS = ".tenterhook/agents";
const CLAUDE = ".claude/agents";

function place(folder: string, name: string): { readonly cwd: string; readonly file: string } {
  const cwd = scratch();
  mkdirSync(join(cwd, folder), { recursive: true });
  return { cwd, file: join(cwd, folder, name) };
}

/** What the child of a definition is given, or the result that the parent gets instead. */
async function used(cwd: string, agent_type = "it") {
  const offered: (readonly string[])[] = [];
  const notices: string[] = [];
  const step = (request: { readonly tools?: readonly { readonly name: string }[] }) => {
    offered.push((request.tools ?? []).map(({ name }) => name).toSorted());
    return offered.length === 1 ? { tool_calls: [task({ agent_type })] } : { text: "ok" };
  };
  const { agent } = agentOf([step, step, step], { cwd, tools });
  const onItem = (item: AgentItem): void => {
    if (item.type === "notice") notices.push(item.text.replace(cwd, "."));
  };
  await agent.run("Delegate.", { onItem });
  const result = story(agent.transcript())[2]?.replace(cwd, ".") ?? "";
  return { result, notices, tools: offered.length === 3 ? offered[1] : undefined };
}

async function read(folder: string, front: string) {
  const { cwd, file } = place(folder, "it.md");
  writeFileSync(file, `---\n${front}\n---\nWork.\n`);
  return used(cwd);
}

it.each([
  ["tool: Read", 'line 2: the key "tool" is not known. Did you mean "tools"?'],
  ["name: it\ncolor: red", 'line 3: the key "color" is not known.'],
  ["tools: Read\nTOOLS: Read, Bash", 'line 3: "TOOLS" sets tools a second time.'],
  ["max-iterations:", "line 2: max-iterations must be a whole number of 1 or more"],
  ["name: it\ntools: 5", "line 3, column 8: tools must be a list of names"],
  [
    "name: it\ndescription: [a\ntools: Read",
    "line 4: Flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
  [
    "tools: [Read, ^Bash$]",
    'line 2, column 15: tools takes names of tools, and "^Bash$" is a regular expression; name each tool',
  ],
  ["maxTurns: 0", "line 2, column 11: maxTurns must be a whole number of 1 or more"],
  ["name: it\nname: that", "line 3: Map keys must be unique"],
  [
    "disallowed-tools: Read, Bash(rm *)",
    'line 2, column 25: disallowed-tools takes names of tools, and "Bash(rm *)" is not one; permissions.deny takes rules and patterns',
  ],
])("a file of ours with %j is refused, and says where and why", async (front, problem) => {
  expect(await read(OURS, front)).toEqual({
    result: `tool fails: ./.tenterhook/agents/it.md can't be used: ${problem}`,
    notices: [],
    tools: undefined,
  });
});

it.each([
  ["disallowed_tools: [Bash]", ["Echo", "Read", "Task"], ["disallowed_tools", "disallowed-tools"]],
  ["disallowed tools: Bash, Echo", ["Read", "Task"], ["disallowed tools", "disallowed-tools"]],
  ["max_iterations: 1", ["Bash", "Echo", "Read", "Task"], ["max_iterations", "max-iterations"]],
  ["max iterations: 1", ["Bash", "Echo", "Read", "Task"], ["max iterations", "max-iterations"]],
])("%j is read as it was meant, and named", async (front, left, [written, key]) => {
  for (const folder of [OURS, CLAUDE])
    expect(await read(folder, front)).toMatchObject({
      notices: [`./${folder}/it.md: line 2: "${written}" is read as "${key}".`],
      tools: left,
    });
});

it("a tool that is taken away under a name nobody has is not left", async () => {
  expect((await read(OURS, "disallowed-tools: bash, ECHO")).tools).toEqual(["Read", "Task"]);
  expect(await read(OURS, "disallowed-tools: Bahs, NotOurs")).toEqual({
    result: 'tool fails: it: disallowed-tools: there is no tool "Bahs". Did you mean "Bash"?',
    notices: [],
    tools: undefined,
  });
  expect(await read(OURS, "tools: Raed, NotOurs, Bash")).toMatchObject({
    notices: ['it: tools: there is no tool "Raed". Did you mean "Read"?'],
    tools: ["Bash"],
  });
});

it.each([
  [OURS, "hooks: 5", "hooks must be a list of definitions, or hooks by event"],
  [OURS, "hook: []", 'the key "hook" is not known. Did you mean "hooks"?'],
  [CLAUDE, "Hooks: {}", 'the key "Hooks" is not known.'],
])("hooks that can't be read keep a subagent from starting: %s %s", async (folder, front, problem) => {
  const { cwd, file } = place(folder, "it.md");
  writeFileSync(file, `---\n${front}\n---\nWork.\n`);
  await trustProject(cwd, process.env);
  const { result, tools: given } = await used(cwd);
  expect(result).toContain(problem);
  expect(given).toBeUndefined();
});

it("a list of tools that is empty leaves none", async () => {
  for (const front of ["tools:", "tools: []", 'tools: ""', "tools: null"])
    expect(await read(OURS, front)).toMatchObject({ notices: [], tools: [] });
});

it("a file for another program may say what is not for us, but nothing that looks like a limit", async () => {
  expect(await read(CLAUDE, "color: red\npermissionMode: plan\ndisallowedTools: Bash, Echo")).toMatchObject({
    notices: ['./.claude/agents/it.md: line 3: the key "permissionMode" is not known.'],
    tools: ["Read", "Task"],
  });
  expect((await read(CLAUDE, "allowed-tools: Read")).result).toBe(
    'tool fails: ./.claude/agents/it.md can\'t be used: line 2: the key "allowed-tools" is not known. Did you mean "disallowed-tools"?',
  );
});

it.each([
  ["a pipe", (file: string) => execFileSync("sh", ["-c", 'mkfifo "$0"', file]), "it is not a plain file"],
  ["an endless device", (file: string) => symlinkSync("/dev/zero", file), "it is not a plain file"],
  [
    "a file that is too long",
    (file: string) => writeFileSync(file, "x".repeat(200_001)),
    "it has 200001 bytes, more than 200000",
  ],
])("%s in the place of a definition holds nobody up", async (_, make, problem) => {
  const { cwd, file } = place(CLAUDE, "it.md");
  make(file);
  expect((await used(cwd, "general-purpose")).result).toMatch(/^tool answers: ok/);
  expect((await used(cwd)).result).toBe(`tool fails: ./.claude/agents/it.md can't be used: ${problem}`);
});

it("two files of one folder that define the same kind are none", async () => {
  const { cwd, file } = place(OURS, "it.md");
  writeFileSync(file, "---\nname: it\n---\n");
  writeFileSync(join(file, "../other.md"), "---\nname: it\ntools: Read\n---\n");
  expect((await used(cwd)).result).toBe(
    `tool fails: ./.tenterhook/agents/it.md can't be used: two files in .tenterhook/agents define "it".`,
  );
});
