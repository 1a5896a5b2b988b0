import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, processesWith } from "../support/processes.ts";
import { packedPackage } from "./support/packed-project.ts";
import { compile, run } from "./support/run.ts";

/** What npm downloads: a third is the command line, a sixth the program that agents call before every tool, a tenth the screens. */
const MOST_MEGABYTES = 3.3;

/** A project of its own, with nothing in it but the packed package. */
const project = mkdtempSync(join(tmpdir(), "tenterhook-package-"));
const installed = join(project, "node_modules/tenterhook");

const PROGRAM = `
import { createHooks, deny, ToolDeniedError } from "tenterhook";
import { createHooks as createPlainHooks } from "tenterhook/core";

const hooks = createHooks();
hooks.on("PreToolUse", { name: "no-sudo", tools: ["/^Ba/"] }, ({ tool_input }) =>
  String(tool_input.command).startsWith("sudo") ? deny("without sudo, please") : undefined);
const call = (command) => ({
  session_id: "s", cwd: "/", tool_name: "Bash", tool_input: { command }, execute: (input) => input.command });
const refused = await hooks.toolCall(call("sudo ls")).catch((error) => error);
console.log(JSON.stringify({
  refused: [refused instanceof ToolDeniedError, refused.code, refused.decision.reason],
  granted: await hooks.toolCall(call("ls")),
  core: typeof createPlainHooks().fire,
}));
`;

const OTHERS = `
import { mcpTools, openModel } from "tenterhook/agent";
const { provider } = await openModel("google/gemini-2.5-flash", { environment: { GEMINI_API_KEY: "key" } });
const { signal } = new AbortController();
const { warnings } = await mcpTools({ files: { command: "no-such-program" } }, { cwd: ".", environment: {}, signal });
console.log(provider + ": " + warnings);
`;

const TYPED_PROGRAM = `
import { createHooks, type Decision, deny, type HookEvent } from "tenterhook";
import type { Ports } from "tenterhook/core";

const hooks = createHooks({ limits: {} });
const off: () => void = hooks.on("PreToolUse", (event: HookEvent<"PreToolUse">, { signal }) =>
  signal.aborted ? undefined : deny(event.tool_name));
export const decision: Promise<Decision> = hooks.fire({
  hook_event_name: "PreToolUse", session_id: "s", cwd: "/", tool_name: "Bash", tool_input: {} });
export const length: Promise<number> = hooks.toolCall({
  session_id: "s", cwd: "/", tool_name: "Bash", tool_input: {}, execute: () => 1 });
export type { Ports };
off();
`;

beforeAll(async () => {
  const tarball = await packedPackage();
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const install = await run(
    project,
    "npm",
    "install",
    tarball,
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
  );
  expect(install).toEqual({ code: 0, output: expect.any(String) });
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

test("the tarball holds the built package, what is written about it, and nothing else", () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  expect(files.filter((file) => !/^(?:dist|docs|examples)\//.test(file)).sort()).toEqual([
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "package.json",
    "schema/hooks.schema.json",
  ]);
  const others = files.filter((file) => /^(?:dist|docs)\//.test(file) && !/\.(?:c?js|d\.ts|md)$/.test(file));
  expect(others.filter((file) => !/^(?:dist\/dashboard|docs\/pictures)\//.test(file))).toEqual([
    "dist/licenses.txt",
  ]);
  const [, ...links] = readFileSync(join(installed, "README.md"), "utf8").split("](");
  const paths = links.map((link) => link.split(/[)#]/)[0] ?? "").filter((path) => !path.includes("://"));
  expect(paths.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
});

test("the tarball is small enough, and has no source maps, which would be half of it", async () => {
  expect(statSync(await packedPackage()).size / 1_000_000).toBeLessThanOrEqual(MOST_MEGABYTES);
});

test("an empty project that installs it can deny a tool call", async () => {
  writeFileSync(join(project, "program.mjs"), PROGRAM);
  const reply = {
    refused: [true, "tool_denied", "without sudo, please"],
    granted: "ls",
    core: "function",
  };
  expect(await run(project, process.execPath, "program.mjs")).toEqual({
    code: 0,
    output: `${JSON.stringify(reply)}\n`,
  });
});

test("it brings the command line, whose first configuration names the schema that is installed", async () => {
  const env = ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"].map(
    (name) => `${name}=${project}/user`,
  );
  const tenterhook = (...args: readonly string[]) =>
    run(project, "env", ...env, "node_modules/.bin/tenterhook", ...args);
  const { version }: { version: string } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(await tenterhook("--version")).toEqual({ code: 0, output: `${version}\n` });
  expect(await tenterhook("init")).toEqual({ code: 0, output: expect.stringContaining("hooks.yaml") });
  const [line = ""] = readFileSync(join(project, ".tenterhook/hooks.yaml"), "utf8").split("\n");
  const schema = line.replace("# yaml-language-server: $schema=", "");
  expect(JSON.parse(readFileSync(join(project, ".tenterhook", schema), "utf8"))).toMatchObject({
    title: "Tenterhook configuration",
  });
  expect(await tenterhook("validate")).toEqual({ code: 0, output: expect.stringContaining("1 file valid") });
});

test("its monitor works without another package, and so do MCP and every provider of models", async () => {
  const state = `XDG_STATE_HOME=${mkdtempSync(join(project, "state-"))}`;
  const tenterhook = (...args: readonly string[]) =>
    run(project, "env", state, "node_modules/.bin/tenterhook", ...args);
  try {
    const { code, output } = await tenterhook("status", "--json");
    expect({ code, output: JSON.parse(output) }).toEqual({ code: 0, output: { agents: [] } });
  } finally {
    await tenterhook("monitor", "stop");
    // At its end the daemon still writes.
    await eventually(() => expect(processesWith(state)).toEqual([]));
  }
  writeFileSync(join(project, "others.mjs"), OTHERS);
  // The SDK is loaded before the server is started.
  expect(await run(project, process.execPath, "others.mjs")).toEqual({
    code: 0,
    output: expect.stringMatching(/^google\.generative-ai: .*There is no program "no-such-program"/),
  });
});

test.each([
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
])("its types hold with moduleResolution %s", async (moduleResolution, module) => {
  writeFileSync(join(project, "program.ts"), TYPED_PROGRAM);
  const options = { moduleResolution, module, target: "es2022", strict: true, noEmit: true };
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        ...options,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        skipDefaultLibCheck: true,
        types: [],
      },
      files: ["program.ts"],
    }),
  );
  expect(await compile(project, "-p", ".")).toEqual({ code: 0, output: "" });
});
