import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Hooks } from "tenterhook";
import { expect, it, onTestFinished } from "vitest";
import { bashCall } from "../../support/events.ts";
import { startHttpServer } from "../../support/mcp-servers/http.ts";
import { withMcp } from "./support.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it("a server that fires hooks which ask it again is started once, and its hooks refuse", async () => {
  // Inside the project, so that packages are found from there.
  const folder = mkdtempSync(file("../../../node_modules/.tenterhook-circle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const built = join(folder, "index.mjs");
  await build({
    entryPoints: [file("../../../src/index.ts")],
    outfile: built,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  const starts = join(folder, "starts");
  const circle = {
    command: process.execPath,
    args: [file("../../support/mcp-servers/circle.mjs"), built, starts],
  };
  const hooks = await withMcp({ tool: "verdict" }, { outer: circle, box: circle });
  const decision = await hooks.fire(bashCall("ls"));
  expect(decision.action).toBe("deny");
  expect(decision.reason).toContain(
    'The MCP server "me" has started this process: asking it here would go on without end.',
  );
  expect(readFileSync(starts, "utf8").trim().split("\n")).toHaveLength(1);
});

it("a server in our own process that fires the event it is asked about comes to an end", async () => {
  let asked = 0;
  const set: { hooks?: Hooks } = {};
  const server = await startHttpServer(async (body, response) => {
    const message = body === "" ? {} : JSON.parse(body);
    if (message.method !== "tools/call") return false;
    asked += 1;
    const decision = await set.hooks?.fire(bashCall("ls"));
    const text = JSON.stringify({ action: decision?.action, reason: decision?.reason });
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { content: [{ type: "text", text }] } }));
    return true;
  });
  onTestFinished(() => server.close());
  const hooks = await withMcp({ tool: "any", timeout: 60 }, { box: { url: server.url } });
  set.hooks = hooks;
  const decision = await hooks.fire(bashCall("ls"));
  expect([decision.action, asked]).toEqual(["deny", 64]);
  expect(decision.reason).toContain("does it cause the events it is asked about?");
});

it("a hook's own call fires no hooks", async () => {
  const hooks = await withMcp({ tool: "reply", input: { text: '{"ok":true}' } });
  const seen: string[] = [];
  hooks.on(["PreToolUse", "PostToolUse", "PostToolUseFailure"], (event) => {
    seen.push(event.tool_name);
  });
  await hooks.fire(bashCall("ls"));
  expect(seen).toEqual(["Bash"]);
});
