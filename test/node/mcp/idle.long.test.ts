import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { McpServer } from "../../../src/core/contracts/definition-site.ts";
import { startHttpServer } from "../../support/mcp-servers/http.ts";
import { endProcess, eventually, isAlive } from "../../support/processes.ts";
import { program } from "./support.ts";

// Inside the project, so that packages are found from there.
const folder = mkdtempSync(
  fileURLToPath(new URL("../../../node_modules/.tenterhook-idle-", import.meta.url)),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL("../../../src/node/mcp/mcp-client.ts", import.meta.url))],
    outfile: join(folder, "mcp-client.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
  });
});

/** Runs a process that asks a server, closes nothing, and has nothing more to do. */
async function ran(server: McpServer) {
  const file = join(folder, `${Math.random()}.mjs`);
  const site = { name: "box", server, root: tmpdir() };
  writeFileSync(
    file,
    `import { McpClient } from "./mcp-client.mjs";
     const client = new McpClient({ ...${JSON.stringify(site)}, environment: process.env });
     const ask = async (tool) => (await client.callTool(tool, {}, { signal: new AbortController().signal })).content[0].text;
     console.log(await ask("pid"), await ask("child"));`,
  );
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const output = await text(child.stdout);
  const [code] = await exited;
  return { code, pids: output.trim().split(" ").map(Number) };
}

it("an idle program does not keep our process alive, and ends with it", async () => {
  const { code, pids } = await ran(program());
  expect(code).toBe(0);
  await eventually(() => expect(pids.filter(isAlive)).toEqual([]));
});

it("neither does an idle connection to an address", async () => {
  const server = await startHttpServer();
  const { code, pids } = await ran({ url: server.url });
  await server.close();
  expect(code).toBe(0);
  for (const pid of pids.slice(1)) endProcess(pid);
});
