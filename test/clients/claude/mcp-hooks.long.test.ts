import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import { runClaude } from "../support/claude.ts";
import { clientProject, type Step } from "../support/client.ts";
import { useHooks } from "../support/hooked-project.ts";
import type { Way } from "../support/shapes.ts";

/* Hooks that ask an MCP server, on the real Claude Code: called by it and, after an import, by us. */

vi.setConfig({ testTimeout: 300_000 });

const BOX = fileURLToPath(new URL("../../support/mcp-servers/stdio.mjs", import.meta.url));
const own = (more: object) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...more }, seen: true });
const DENY = { permissionDecision: "deny", permissionDecisionReason: "WHY" };

/** What came of calls whose description a tool of the server is given, or of one call with a fixed answer. */
async function seen(way: Way, descriptions: readonly string[], answer?: object) {
  const project = clientProject();
  const config = project.write(
    ".mcp.json",
    JSON.stringify({ mcpServers: { box: { command: process.execPath, args: [BOX] } } }),
  );
  const asked =
    answer === undefined
      ? { tool: "reply", input: { text: "$" + "{tool_input.description}" } }
      : { tool: "answer", input: answer };
  const hook = { type: "mcp_tool", server: "box", ...asked };
  await useHooks(way, project, { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] });
  const script = descriptions.map(
    (description, at): Step => [["Bash", { command: `touch made-${at}`, description }]],
  );
  const { requests } = await runClaude({ project, script, args: ["--mcp-config", config] });
  return descriptions.map((_, at) => ({
    ran: existsSync(join(project.cwd, `made-${at}`)),
    sent: resultIn(requests[at + 1]?.body.messages),
  }));
}

function resultIn(messages: unknown): unknown {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  const parts: readonly unknown[] = isRecord(last) && Array.isArray(last.content) ? last.content : [];
  return parts.flatMap((part) => (isRecord(part) ? [part.content ?? part.text] : []));
}

it("the text of an answer is what a command prints", async () => {
  const replies = [
    "I looked at it.",
    '{"status":"ok","reason":"words"}',
    own({ additionalContext: "CTX", more: 1 }),
    own(DENY),
    JSON.stringify({ decision: "block", reason: "WHY" }),
    own({ updatedInput: { command: "touch other" } }),
    "{broken",
    "[]",
  ];
  expect(await seen("imported", replies)).toEqual(await seen("native", replies));
});

const MEANT = "Claude Code ignores it; its author meant a refusal.";
it.each([
  ["data alone", { content: [], structuredContent: JSON.parse(own(DENY)) }, MEANT],
  [
    "data with other text",
    { content: [{ type: "text", text: "I looked." }], structuredContent: JSON.parse(own(DENY)) },
    MEANT,
  ],
  ["an error", { content: [{ type: "text", text: "It did not work." }], isError: true }, undefined],
  ["an error that refuses", { content: [{ type: "text", text: own(DENY) }], isError: true }, MEANT],
])("an answer with %s", async (_, answer, differs) => {
  const native = await seen("native", ["Make it"], answer);
  expect(native.map(({ ran }) => ran)).toEqual([true]);
  const refused = [{ ran: false, sent: ["PreToolUse:Bash hook error: WHY"] }];
  expect(await seen("imported", ["Make it"], answer)).toEqual(differs === undefined ? native : refused);
});
