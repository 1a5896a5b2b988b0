import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kill } from "../support/faults/kill.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { newProject, type Project } from "./support/project.ts";
import { JUDGE, processOf, program, reasonOf, shell } from "./support/served-programs.ts";
import { callDaemon, daemonPid, servedProject, start } from "./support/served-project.ts";

const GUARD = { name: "guard", type: "module", module: "guard.mjs", matcher: { events: ["PreToolUse"] } };
const MODULE = `import { word } from "./word.mjs";
let calls = 0;
export default () => ({ type: "deny", reason: [word, ++calls, process.pid].join(" ") });
`;

async function judged(): Promise<Project> {
  const project = newProject();
  project.write("judge.cjs", program("first"));
  return servedProject([JUDGE], { project });
}

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
