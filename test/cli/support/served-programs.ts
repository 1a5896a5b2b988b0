import { expect } from "vitest";
import { type Project, shellCall } from "./project.ts";
import { call } from "./served-project.ts";

export const JUDGE = {
  name: "judge",
  type: "command",
  command: ["node", "judge.cjs"],
  mode: "persistent",
  env: ["FLAVOUR"],
  matcher: { events: ["PreToolUse"] },
};

/** Denies every command with its own process id; `slow` takes longer than the client waits without a sign, `hang` forever. */
export const program = (word: string): string => `
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

export const shell = (command: string): object => {
  calls += 1;
  return { ...shellCall(command), tool_use_id: `t${calls}` };
};

/** The words of the reason for which a call is denied. */
export async function reasonOf(project: Project, command = "true"): Promise<readonly string[]> {
  const { stdout } = await call(project, shell(command));
  const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
  expect(permissionDecision).toBe("deny");
  return String(permissionDecisionReason).split(" ");
}

export const processOf = async (project: Project): Promise<number> =>
  Number((await reasonOf(project)).at(-1));
