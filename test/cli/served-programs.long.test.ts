import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kill } from "../support/faults/kill.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { call, callDaemon, daemonPid, servedProject, start } from "./support/served-project.ts";

const JUDGE = {
  name: "judge",
  type: "command",
  command: ["node", "judge.cjs"],
  mode: "persistent",
  env: ["FLAVOUR"],
  matcher: { events: ["PreToolUse"] },
};

/** Denies every command with its own process id; `slow` takes longer than the client waits without a sign, `hang` forever. */
const program = (word: string): string => `
const { appendFileSync } = require("node:fs");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { request_id, tool_input: { command } } = JSON.parse(line);
  appendFileSync("asked", \`\${process.pid} \${command}\\n\`);
  const reason = [${JSON.stringify(word)}, process.env.FLAVOUR, process.pid].join(" ");
  const answer = () => console.log(JSON.stringify({ request_id, ok: false, reason }));
  if (command.startsWith("hang")) return;
  if (command.startsWith("slow")) setTimeout(answer, 4000);
  else answer();
});
`;
const GUARD = { name: "guard", type: "module", module: "guard.mjs", matcher: { events: ["PreToolUse"] } };
const MODULE = `import { word } from "./word.mjs";
let calls = 0;
export default () => ({ type: "deny", reason: [word, ++calls, process.pid].join(" ") });
`;

let calls = 0;
const shell = (command: string): object => {
  calls += 1;
  return { ...shellCall(command), tool_use_id: `t${calls}` };
};

async function judged(): Promise<Project> {
  const project = newProject();
  project.write("judge.cjs", program("first"));
  return servedProject([JUDGE], { project });
}

/** The words of the reason for which a call is denied. */
async function reasonOf(project: Project, command = "true"): Promise<readonly string[]> {
  const { stdout } = await call(project, shell(command));
  const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
  expect(permissionDecision).toBe("deny");
  return String(permissionDecisionReason).split(" ");
}

const processOf = async (project: Project): Promise<number> => Number((await reasonOf(project)).at(-1));

const asked = ({ cwd }: Project): readonly string[] =>
  readFileSync(join(cwd, "asked"), "utf8").trim().split("\n");

it("a program that is slow, is killed or hangs is asked once, and holds up no other call", async () => {
  const project = await judged();
  const begin = async (command: string) => {
    const pid = await processOf(project);
    const { child, result } = start(project, shell(command));
    await eventually(() => expect(asked(project)).toContain(`${pid} ${command}`));
    return { pid, child, result };
  };
  const slow = await begin("slow");
  expect((await reasonOf(project))[0]).toBe("first");
  expect((await slow.result).stdout).toContain(String(slow.pid));
  expect(asked(project).filter((line) => line.endsWith(" slow"))).toEqual([`${slow.pid} slow`]);

  const killed = await begin("hang");
  kill(killed.pid);
  expect(JSON.parse((await killed.result).stdout).hookSpecificOutput).toMatchObject({
    permissionDecision: "deny",
    permissionDecisionReason: expect.stringContaining("SIGKILL"),
  });

  const ended = await begin("hanging");
  ended.child.kill("SIGTERM");
  await ended.result;
  await eventually(() => expect(isAlive(ended.pid)).toBe(false));
  expect((await reasonOf(project))[0]).toBe("first");
});

it("a changed program must be trusted first, and is then started anew", async () => {
  const project = await judged();
  const pid = await processOf(project);
  project.write("judge.cjs", program("second"));
  const payload = { session_id: "s1", cwd: project.cwd };
  const here = await project.start(["hook"], JSON.stringify({ ...payload, ...shell("true") }));
  expect(here.stdout).toContain("judge.cjs");
  expect(await callDaemon(project, { ...payload, ...shell("true") })).toEqual(here);
  await project.run(["trust", "--yes"]);
  expect((await reasonOf(project))[0]).toBe("second");
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

it("the programs of a daemon that is killed end, and the call is decided", async () => {
  const project = await judged();
  const pid = await processOf(project);
  const { result } = start(project, shell("slowly"));
  await eventually(() => expect(asked(project)).toContain(`${pid} slowly`));
  kill(daemonPid(project));
  expect((await result).stdout).toContain("first");
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

it("a module stays loaded between calls, until it or a file that it imports changes", async () => {
  const project = newProject();
  const module = project.write("../config/tenterhook/guard.mjs", MODULE);
  const imported = project.write("../config/tenterhook/word.mjs", 'export const word = "first";\n');
  await servedProject([], { project, own: [{ ...GUARD, module }] });
  const [word, count, pid] = await reasonOf(project);
  expect([word, count]).toEqual(["first", "1"]);
  expect(await reasonOf(project)).toEqual(["first", "2", pid]);
  writeFileSync(imported, 'export const word = "second";\n');
  expect((await reasonOf(project)).slice(0, 2)).toEqual(["second", "1"]);
  writeFileSync(module, MODULE.replace("[word", '["changed", word'));
  expect((await reasonOf(project)).slice(0, 2)).toEqual(["changed", "second"]);
});
