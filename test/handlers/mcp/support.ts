import { createHooks, type Decision, type HookDefinition, type Hooks } from "tenterhook";
import { onTestFinished } from "vitest";
import type { McpServer } from "../../../src/core/contracts/definition-site.ts";
import { program } from "../../node/mcp/support.ts";
import { bashCall } from "../../support/events.ts";

/** A hook set with one hook that asks the server `box`; closed when the test is over. */
export async function withMcp(
  definition: Partial<HookDefinition>,
  mcp_servers: Readonly<Record<string, McpServer>> = { box: program() },
  root = process.cwd(),
): Promise<Hooks> {
  const hooks = createHooks();
  onTestFinished(() => hooks.close());
  await hooks.add(
    {
      name: "guard",
      type: "mcp",
      server: "box",
      tool: "reply",
      matcher: { events: ["PreToolUse"] },
      ...definition,
    },
    { root, mcp_servers },
  );
  return hooks;
}

/** How the first hook failed, after what was decided. */
export function failureOf({ action, runs }: Decision): readonly unknown[] {
  return [action, runs[0]?.failure?.kind, runs[0]?.failure?.message];
}

/** What such a hook decides of a shell call when the tool is called with this input. */
export async function decided(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  more: Partial<HookDefinition> = {},
): Promise<Decision> {
  const hooks = await withMcp({ tool, input, ...more });
  return hooks.fire(bashCall("ls -la"));
}
