import { expect, it } from "vitest";
import { integrationOf } from "../../../src/adapters/integrations.ts";

const TOLD = /its \$PPID became|It uses the id of its parent process/i;

async function told(agent: string, command: string, script: string): Promise<boolean> {
  const { importing } = await integrationOf(agent);
  const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] };
  const imported = importing?.importHooks({ hooks, scriptsOf: () => [script] });
  return imported?.hooks.some(({ differences }) => differences.some((one) => TOLD.test(one))) === true;
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

it.each(["claude", "codex", "qwen"])(
  "import %s gives a line the agent's process for its $PPID",
  async (agent) => {
    const { importing } = await integrationOf(agent);
    const command = 'echo "$' + '{PPID}" > "/tmp/session-$PPID"';
    const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] };
    const [hook] = importing?.importHooks({ hooks, scriptsOf: () => [] }).hooks ?? [];
    const variable = "$" + "{TENTERHOOK_AGENT_PID:-$PPID}";
    expect(hook?.definition).toMatchObject({
      command: `echo "${variable}" > "/tmp/session-${variable}"`,
      env: ["TENTERHOOK_AGENT_PID"],
    });
  },
);
