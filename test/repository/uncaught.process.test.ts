import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PackedProject, packedProject } from "./support/packed-project.ts";

const HOOKS = `import { createHooks, deny } from "tenterhook";
const hooks = createHooks();
`;
const AGENT = `import { Agent, agentPermissions, scriptedModel } from "tenterhook/agent";
import { jsonlStore } from "tenterhook/stores";
const model = scriptedModel([{ text: "hello" }]);
const agentThatRan = async () => { const agent = new Agent({ model }); await agent.run("hi"); return agent; };
`;
const HEAD = `${HOOKS}${AGENT}async function mine() {
`;
/** The line of a program's own code. */
const LINE = HEAD.split("\n").length;

/** What a user might get wrong, each with words of what Node prints. */
type Rows = Readonly<Record<string, readonly [code: string, says: string]>>;

const REGISTRATIONS = {
  "a misspelt event": ['hooks.on("PreTolUse", () => undefined);', 'Did you mean "PreToolUse"?'],
  "a bad pattern": ['hooks.on("PreToolUse", { tools: "/(/" }, () => {});', "can't be compiled"],
  "an unknown option of a hook": ['hooks.on("PreToolUse", { tool: "Bash" }, () => {});', '"tool"'],
  "a hook that is no function": ['hooks.on("PreToolUse", "deny");', "needs a function"],
  "an unknown option of createHooks": ["createHooks({ timout: 3 });", '"timout"'],
  "an unknown limit": ["hooks.configure({ limits: { stops: 3 } });", '"stops"'],
  "a declaration of no event": ['hooks.declare("deploy", { effects: [] });', '"deploy"'],
  "a set that is none": ["hooks.include({});", "createHooks"],
  "an unknown option of an agent": ["new Agent({ model, modle: 1 });", '"modle"'],
  "a bad permission": ['new Agent({ model, permissions: { deny: ["Bash("] } });', "closing parenthesis"],
  "a bad permission on its own": ['agentPermissions({ deny: ["Bash("] });', "closing parenthesis"],
} as const;

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject();
});
afterAll(() => project.remove());

/** A program of these lines of a user. Most have no agent, which takes its time to load. */
function programOf(code: string): string {
  const head = /agent/i.test(code) ? HEAD : HEAD.replace(AGENT, "\n".repeat(AGENT.split("\n").length - 1));
  return `${head}${code}\n}\nawait mine();\n`;
}

/** The lines that Node prints when a program of a user throws. */
async function uncaught(code: string): Promise<readonly string[]> {
  project.write({ "program.mjs": programOf(code) });
  const { code: exitCode, output } = await project.run(process.execPath, "program.mjs");
  expect(exitCode).toBe(1);
  return output.trimEnd().split("\n");
}

/** What programs throw, as Node prints it, by their code; all in one process. */
async function thrown(rows: Rows): Promise<ReadonlyMap<string, readonly string[]>> {
  const codes = Object.values(rows).map(([code]) => code);
  const files = codes.map((_, at) => `./${at}/program.mjs`);
  project.write(Object.fromEntries(codes.map((code, at) => [`${at}/program.mjs`, programOf(code)])));
  project.write({
    "all.mjs": `import { inspect } from "node:util";
const printed = [];
for (const file of ${JSON.stringify(files)}) printed.push(await import(file).then(() => "nothing", inspect));
console.log(JSON.stringify(printed));\n`,
  });
  const { code, output } = await project.run(process.execPath, "all.mjs");
  expect(code, output).toBe(0);
  const printed: readonly string[] = JSON.parse(output);
  return new Map(codes.map((code, at) => [code, printed[at]?.split("\n") ?? []]));
}

/** Where the stack of a registration's error begins, what it says, and whether a person can read it. */
function registrationSeen(lines: readonly string[], says: string) {
  const cause = lines.findIndex((line) => line.startsWith("  [cause]: "));
  return {
    says: lines.find((line) => line.startsWith("TenterhookError: "))?.includes(says),
    begins: lines.find((line) => line.startsWith("    at "))?.includes(`program.mjs:${LINE}:`),
    isShort: lines.slice(0, cause === -1 ? undefined : cause).length <= 15 && lines.every(isNarrow),
  };
}

const isNarrow = (line: string): boolean => line.length <= 900;

describe("an error that a user's program does not catch", () => {
  test("begins its stack at the user's call when a registration is wrong", async () => {
    const found = await thrown(REGISTRATIONS);
    const seen = Object.entries(REGISTRATIONS).map(([name, [code, says]]) => [
      name,
      registrationSeen(found.get(code) ?? [], says),
    ]);
    const right = { says: true, begins: true, isShort: true };
    expect(seen).toEqual(Object.keys(REGISTRATIONS).map((name) => [name, right]));
  });

  test("ends the process with few lines, none of which is one of our minified ones", async () => {
    const [code, says] = REGISTRATIONS["a misspelt event"];
    const right = { says: true, begins: true, isShort: true };
    expect(registrationSeen(await uncaught(code), says)).toEqual(right);
  });
});
