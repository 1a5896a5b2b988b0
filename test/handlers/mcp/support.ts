import { createHooks, type Decision, type EventInput, type HookDefinition, type Hooks } from "tenterhook";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { McpServer } from "../../../src/core/contracts/definition-site.ts";
import { program } from "../../node/mcp/support.ts";
import { bashCall, stop } from "../../support/events.ts";

const GUARD = {
  name: "guard",
  type: "mcp",
  server: "box",
  tool: "reply",
  matcher: { events: ["PreToolUse"] },
} as const;

/** A hook set with one hook that asks the server `box`; closed when the test is over. */
export async function withMcp(
  definition: Partial<HookDefinition>,
  mcp_servers: Readonly<Record<string, McpServer>> = { box: program() },
  root = process.cwd(),
): Promise<Hooks> {
  const hooks = createHooks();
  onTestFinished(() => hooks.close());
  await hooks.add({ ...GUARD, ...definition }, { root, mcp_servers });
  return hooks;
}

/** How the first hook failed, after what was decided. */
export function failureOf({ action, runs }: Decision): readonly unknown[] {
  return [action, runs[0]?.failure?.kind, runs[0]?.failure?.message];
}

/**
 * One server for all tests of a file, where its start is not what is tested. Returns what a hook with this definition
 * decides of an event.
 */
export function sharedServer() {
  const hooks = createHooks();
  const site = { root: process.cwd(), mcp_servers: { box: program() } };
  beforeAll(async () => {
    // The server goes on as long as a hook has used it.
    await hooks.add({ ...GUARD, name: "keeper", matcher: { events: ["Stop"] }, input: { text: "" } }, site);
    await hooks.fire(stop());
  });
  afterAll(() => hooks.close());
  return async (
    definition: Partial<HookDefinition>,
    event: EventInput = bashCall("ls -la"),
  ): Promise<Decision> => {
    const off = await hooks.add({ ...GUARD, ...definition }, site);
    try {
      return await hooks.fire(event);
    } finally {
      off();
    }
  };
}
