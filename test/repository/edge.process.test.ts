import { createContext, Script } from "node:vm";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { mustBeBuilt, ROOT } from "./support/files.ts";

/** What an edge runtime has beside the language. */
const GLOBALS = {
  AbortController,
  AbortSignal,
  setTimeout,
  clearTimeout,
  performance,
  queueMicrotask,
  TextDecoder,
  TextEncoder,
};

/** Bundles a program as edge runtimes need it: for no platform, every import inside. */
async function bundled(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: ROOT, loader: "ts" },
    alias: { "tenterhook/core": "./dist/core.js", "tenterhook/rules": "./dist/rules.js" },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: "iife",
    globalName: "result",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    // In a project of a user, it is in node_modules, about which esbuild does not warn.
    logOverride: { "ignored-bare-import": "silent" },
  });
  return outputFiles.map(({ text }) => text).join("\n");
}

/** Runs a bundle where nothing of Node is: no process, no Buffer, no require, no import. */
async function runOnEdge(program: string): Promise<unknown> {
  const code = await bundled(program);
  expect(code).not.toMatch(/(?:require|import)\(["']node:/);
  const context = createContext({ ...GLOBALS });
  new Script(`${code}\n;globalThis.answer = result.answer();`).runInContext(context);
  return JSON.parse(JSON.stringify(await context.answer));
}

beforeAll(mustBeBuilt);

describe("on an edge runtime", () => {
  test("tenterhook/core decides", async () => {
    const answer = await runOnEdge(`
import { createHooks, deny } from "tenterhook/core";
export async function answer() {
  const hooks = createHooks();
  hooks.on("PreToolUse", { tools: "Bash" }, ({ tool_input }) =>
    String(tool_input.command).startsWith("sudo") ? deny("without sudo, please") : undefined);
  const call = (command) => hooks.toolCall({ tool_name: "Bash", tool_input: { command }, execute: () => "done" });
  return [await call("ls"), await call("sudo ls").catch(({ code, message }) => ({ code, message }))];
}`);
    expect(answer).toEqual(["done", { code: "tool_denied", message: "without sudo, please" }]);
  });

  test("tenterhook/rules analyses commands and decides by rules", async () => {
    const answer = await runOnEdge(`
import { analyseShell, loadShellParser } from "tenterhook/rules";
export async function answer() {
  await loadShellParser();
  return analyseShell("cd /tmp && rm -rf build").commands.map(({ name }) => name);
}`);
    expect(answer).toEqual(["cd", "rm"]);
  });
});
