import { afterAll, beforeAll, expect } from "vitest";
import { type PackedProject, packedProject } from "./packed-project.ts";

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
export const LINE = HEAD.split("\n").length;

/** What a user might get wrong, each with words of what Node prints. */
type Rows = Readonly<Record<string, readonly [code: string, says: string]>>;

/** A program of these lines of a user. Most have no agent, which takes its time to load. */
function programOf(code: string): string {
  const head = /agent/i.test(code) ? HEAD : HEAD.replace(AGENT, "\n".repeat(AGENT.split("\n").length - 1));
  return `${head}${code}\n}\nawait mine();\n`;
}

export const isNarrow = (line: string): boolean => line.length <= 900;

/** A project with our package for the tests of the file that calls this, and what programs in it throw. */
export function thrownInProject() {
  let project: PackedProject;
  beforeAll(async () => {
    project = await packedProject();
  });
  afterAll(() => project.remove());

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

  return { project: () => project, uncaught, thrown };
}
