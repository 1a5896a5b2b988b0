import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createHooks, type EventName } from "tenterhook";
import { defaultTools } from "tenterhook/agent";
import { expect, it } from "vitest";
import { agentOf, scratch, story } from "./support/agents.ts";

/** A command hook. */
function command(name: string, events: readonly EventName[], line: string) {
  return { name, type: "command", command: line, matcher: { events } } as const;
}

it("variables that a hook writes to TENTERHOOK_ENV_FILE reach later hooks and Bash, and end with the session", async () => {
  const cwd = scratch();
  const hooks = createHooks();
  const writes = [
    `echo 'export NODE_ENV=test' >> "$TENTERHOOK_ENV_FILE"`,
    `echo 'export PATH="$PATH:${cwd}/bin"' >> "$CLAUDE_ENV_FILE"`,
    `echo 'export MY_TOKEN=secret' >> "$TENTERHOOK_ENV_FILE"`,
    `echo "BAD=$(printf '$(touch ${cwd}/run)')" >> "$TENTERHOOK_ENV_FILE"`,
    `printf %s "$TENTERHOOK_ENV_FILE" > ${cwd}/where`,
  ];
  await hooks.add(command("sets", ["SessionStart"], `${writes.join("; ")}`), { root: cwd });
  const seen = `echo "[$NODE_ENV][$MY_TOKEN][$BAD][$PATH]" > ${cwd}/seen`;
  await hooks.add(command("sees", ["PreToolUse"], seen), { root: cwd });
  await hooks.add(command("last", ["SessionEnd"], `echo "$NODE_ENV" > ${cwd}/last`), { root: cwd });
  const line = `echo "[$NODE_ENV][$MY_TOKEN][$BAD][$PATH][$TENTERHOOK_ENV_FILE]"`;
  const { agent } = agentOf(
    [{ tool_calls: [{ name: "Bash", input: { command: line } }] }, { text: "done" }],
    {
      hooks,
      cwd,
      tools: defaultTools(),
      environment: { PATH: process.env.PATH },
    },
  );
  await agent.run("go");
  const file = readFileSync(join(cwd, "where"), "utf8");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const path = process.env.PATH;
  expect(story(agent.transcript())[2]).toBe(`tool answers: [test][][][${path}:${cwd}/bin][]`);
  expect(readFileSync(join(cwd, "seen"), "utf8")).toBe(`[test][][][${path}]\n`);
  await agent.close();
  expect(readFileSync(join(cwd, "last"), "utf8")).toBe("test\n");
  expect(existsSync(file)).toBe(false);
  expect(existsSync(join(cwd, "run"))).toBe(false);
});
