// A process that keeps hooks open: for each line on stdin, a shell command, it prints what they decide.
import { createInterface } from "node:readline";
import { openHooks } from "tenterhook/project";

const cwd = process.cwd();
const { hooks, close } = await openHooks({ cwd, report: (message) => console.error(message) });
console.log("ready");
for await (const command of createInterface({ input: process.stdin })) {
  const { action } = await hooks.fire({
    hook_event_name: "PreToolUse",
    session_id: "deciding",
    cwd,
    tool_name: "Bash",
    tool_input: { command },
  });
  console.log(action);
}
await close();
