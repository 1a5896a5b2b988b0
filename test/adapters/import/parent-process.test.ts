import { expect, it } from "vitest";
import { integrationOf } from "../../../src/adapters/integrations.ts";

const TOLD = "It uses the id of its parent process";

async function told(agent: string, command: string, script: string): Promise<boolean> {
  const { importing } = await integrationOf(agent);
  const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] };
  const imported = importing?.importHooks({ hooks, scriptsOf: () => [script] });
  return imported?.hooks.some(({ differences }) => differences.some((one) => one.startsWith(TOLD))) === true;
}

it.each(["claude", "codex", "qwen"])(
  "import %s says that a hook's parent is not the agent here",
  async (agent) => {
    expect(await told(agent, 'touch "/tmp/session-$PPID"', "")).toBe(true);
    expect(await told(agent, "./guard.sh", 'echo "$' + '{PPID}"')).toBe(true);
    expect(await told(agent, "./guard.py", "key = os.getppid()")).toBe(true);
    expect(await told(agent, "./guard.js", "const key = process.ppid;")).toBe(true);
    expect(await told(agent, "./guard.sh", "echo $$ $PPIDS")).toBe(false);
  },
);
