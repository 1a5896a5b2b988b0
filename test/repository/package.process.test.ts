import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { modules } from "./support/entry-points.ts";
import { ROOT } from "./support/files.ts";
import { type PackedProject, packedPackage, packedProject } from "./support/packed-project.ts";
import { compile } from "./support/run.ts";

/** What npm downloads: half is the packages that ours contain, a fifth the command line, a tenth the program that agents call. */
const MOST_MEGABYTES = 5.9;

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

let project: PackedProject;
const installed = (path: string): string => join(project.folder, "node_modules/tenterhook", path);

beforeAll(async () => {
  // What npm makes of it is in package.long.test.ts, since npm takes longer than all of this.
  project = await packedProject();
});
afterAll(() => project.remove());

test("the tarball holds the built package, what is written about it, and nothing else", () => {
  const files = readdirSync(installed("."), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(installed("."), join(entry.parentPath, entry.name)));
  expect(files.filter((file) => !/^(?:dist|docs|examples)\//.test(file)).sort()).toEqual([
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "package.json",
    "schema/hooks.schema.json",
  ]);
  const others = files.filter((file) => /^(?:dist|docs)\//.test(file) && !/\.(?:c?js|d\.ts|md)$/.test(file));
  expect(
    others.filter((file) => !/^(?:dist\/dashboard|dist\/doors|docs\/pictures)\//.test(file)).sort(),
  ).toEqual(["dist/licenses.txt", "dist/sbom.cdx.json"]);
  const [, ...links] = readFileSync(installed("README.md"), "utf8").split("](");
  const paths = links.map((link) => link.split(/[)#]/)[0] ?? "").filter((path) => !path.includes("://"));
  expect(paths.filter((path) => !existsSync(installed(path)))).toEqual([]);
});

test("the tarball is small enough, and has no source maps, which would be half of it", async () => {
  expect(statSync(await packedPackage()).size / 1_000_000).toBeLessThanOrEqual(MOST_MEGABYTES);
});

test("a project that has nothing else can deny a tool call", async () => {
  project.write({ "program.mjs": PROGRAM });
  const reply = {
    refused: [true, "tool_denied", "without sudo, please"],
    granted: "ls",
    core: "function",
  };
  expect(await project.run(process.execPath, "program.mjs")).toEqual({
    code: 0,
    output: `${JSON.stringify(reply)}\n`,
  });
});

test("it brings the command line, whose first configuration names the schema that is installed", async () => {
  const env = ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"].map(
    (name) => `${name}=${project.folder}/user`,
  );
  const tenterhook = (...args: readonly string[]) =>
    project.run("env", ...env, process.execPath, installed(manifest.bin.tenterhook), ...args);
  expect(await tenterhook("--version")).toEqual({ code: 0, output: `${manifest.version}\n` });
  expect(await tenterhook("--version", "-v")).toEqual({
    code: 0,
    output: expect.stringMatching(/^0\.1\.0\n\nIts files contain:\n(?: {2}\S+ \d\S*\n){100,}$/),
  });
  expect(await tenterhook("init")).toEqual({ code: 0, output: expect.stringContaining("hooks.yaml") });
  const [line = ""] = readFileSync(join(project.folder, ".tenterhook/hooks.yaml"), "utf8").split("\n");
  const schema = line.replace("# yaml-language-server: $schema=", "");
  expect(JSON.parse(readFileSync(join(project.folder, ".tenterhook", schema), "utf8"))).toMatchObject({
    title: "Tenterhook configuration",
  });
  expect(await tenterhook("check", ".tenterhook/hooks.yaml")).toEqual({
    code: 0,
    output: expect.stringContaining("1 file valid"),
  });
});

test("it loads every export, whose types hold", async () => {
  const entries = modules.map(
    ({ subpath }, at) => `export * as e${at} from "tenterhook${subpath.slice(1)}";\n`,
  );
  const compilerOptions = {
    module: "nodenext",
    target: "es2022",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
    outDir: "built",
  };
  project.write({
    "entries.ts": entries.join(""),
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["entries.ts"] }),
  });
  expect(await compile(project.folder, "-p", ".")).toEqual({ code: 0, output: "" });
  expect(await project.run(process.execPath, "built/entries.js")).toEqual({ code: 0, output: "" });
});
