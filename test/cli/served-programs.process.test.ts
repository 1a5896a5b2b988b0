import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isAlive } from "../support/processes.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { call, servedProject, stopDaemon } from "./support/served-project.ts";

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
let calls = 0;
const shell = (command: string): object => {
  calls += 1;
  return { ...shellCall(command), tool_use_id: `t${calls}` };
};

/** The words of the reason for which a call is denied. */
async function reasonOf(project: Project, command = "true"): Promise<readonly string[]> {
  const { stdout } = await call(project, shell(command));
  const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
  expect(permissionDecision).toBe("deny");
  return String(permissionDecisionReason).split(" ");
}

const processOf = async (project: Project): Promise<number> => Number((await reasonOf(project)).at(-1));

it("a persistent program stays between calls with the same variables, until its file changes or the daemon ends", async () => {
  const project = newProject();
  const file = project.write("../config/tenterhook/judge.cjs", program("first"));
  project.environment.FLAVOUR = "sweet";
  await servedProject([], { project, own: [{ ...JUDGE, command: ["node", file] }] });
  const sweet = await processOf(project);
  expect(await processOf(project)).toBe(sweet);
  project.environment.FLAVOUR = "sour";
  expect(await reasonOf(project)).toEqual(["first", "sour", expect.not.stringMatching(`^${sweet}$`)]);
  project.environment.FLAVOUR = "sweet";
  expect(await reasonOf(project)).toEqual(["first", "sweet", String(sweet)]);
  writeFileSync(file, program("second"));
  expect((await reasonOf(project))[0]).toBe("second");
  const pid = await processOf(project);
  expect(isAlive(pid)).toBe(true);
  await stopDaemon(project);
  expect(isAlive(pid)).toBe(false);
});
