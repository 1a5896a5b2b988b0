import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { type Config, loadConfig } from "tenterhook/config";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfigCached } from "../../src/config/open.ts";
import { ROOT } from "../repository/support/files.ts";
import { notRoot } from "../support/not-here.ts";
import { hooksFile, type Project, project } from "./support/project.ts";

const names = ({ definitions }: Config) => definitions.map(({ name }) => name);
const FOLDER = "cache/tenterhook";

function cached(files: Project): string {
  const [name = ""] = readdirSync(files.path(FOLDER));
  return files.path(`${FOLDER}/${name}`);
}

/** The built configuration, each package of which is loaded only where it is needed. */
let built = "";
beforeAll(async () => {
  mkdirSync(join(ROOT, "node_modules/.cache"), { recursive: true });
  // Inside the project, so that the packages are found.
  built = mkdtempSync(join(ROOT, "node_modules/.cache/tenterhook-test-"));
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/config/open.ts"],
    outdir: built,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
  });
  writeFileSync(join(built, "package.json"), '{ "type": "module" }');
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** A project with something of everything, loaded once. */
async function compiled() {
  const files = project({
    "user/tenterhook/hooks.yaml": hooksFile("u"),
    "hooks.yaml": `hooks: { use: [no-network, ./team.yaml], timeout: 3, definitions: [{ name: s, type: command, script: s.sh, matcher: { events: [Stop] } }] }\nmodels: { judge: a/b }`,
    "team.yaml": hooksFile("t"),
    "hooks.local.yaml": "hooks: { disabled: [t, nobody] }",
    "project/s.sh": "exit 0\n",
    "project/.agent/hook.toml": '[turn_end]\ncommand = "ls"\n',
  });
  await files.trust();
  await loadConfigCached(files.options);
  return files;
}

describe("the compiled configuration", () => {
  it("is the one the files come to", async () => {
    const files = await compiled();
    const text = readFileSync(cached(files), "utf8");
    expect(await loadConfigCached(files.options)).toEqual(await loadConfig(files.options));
    expect(readFileSync(cached(files), "utf8")).toBe(text);
  });

  it("is loaded without the parsers of its files, and none is needed", async () => {
    const files = await compiled();
    expect(await loadedPackages(files)).toEqual([[], ["u", "t", "s"]]);
    rmSync(files.path("cache"), { recursive: true });
    const [loaded] = await loadedPackages(files);
    expect(loaded).toEqual(expect.arrayContaining(["yaml"]));
  });

  it.each<[what: string, change: (files: Project) => void]>([
    ["a file", (files) => files.write("team.yaml", hooksFile("t", "more"))],
    ["a file by one byte, with its old time and size", sameMarks],
    ["a script", (files) => files.write("project/s.sh", "exit 1\n")],
    ["a folder of scripts", (files) => files.write("project/.tenterhook/hooks/on-stop.sh", "exit 0\n")],
    ["a scope that had no file", (files) => files.write("managed/hooks.yaml", hooksFile("m"))],
    ["what is trusted", (files) => rmSync(files.path("state"), { recursive: true })],
    [
      "the root of the repository",
      (files) => mkdirSync(files.path("project/deep/.git"), { recursive: true }),
    ],
  ])("follows %s that changes", async (_, change) => {
    const files = await compiled();
    const options = { ...files.options, cwd: files.path("project/deep") };
    mkdirSync(options.cwd);
    await loadConfigCached(options);
    change(files);
    const fresh = await loadConfig(options);
    expect(await loadConfigCached(options)).toEqual(fresh);
    expect(await loadConfigCached(options)).toEqual(fresh);
  });

  it.each<[what: string, damage: (file: string, text: string) => void]>([
    ["is cut off", (file, text) => writeFileSync(file, text.slice(0, -10))],
    ["is empty", (file) => writeFileSync(file, "")],
    ["is garbage", (file) => writeFileSync(file, Buffer.from([0, 255, 1, 254, 10]))],
    ["has lost a hook", (file, text) => writeFileSync(file, text.replace('"name":"u"', '"name":"x"'))],
    [
      "is of another version",
      (file, text) => writeFileSync(file, text.replace(/^(tenterhook \d+) \S+/, "$1 0.0.0")),
    ],
    [
      "is of another format",
      (file, text) => writeFileSync(file, text.replace(/^tenterhook \d+/, "tenterhook 0")),
    ],
    ["may be written by others", (file) => chmodSync(file, 0o620)],
    [
      "is a folder",
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    [
      "belongs to another question",
      (file) => {
        const other = `${file}.other`;
        renameSync(file, other);
        writeFileSync(file, readFileSync(other, "utf8").replace("project", "another"));
      },
    ],
  ])("is not believed when it %s", async (_, damage) => {
    const files = await compiled();
    damage(cached(files), readFileSync(cached(files), "utf8"));
    const fresh = await loadConfig(files.options);
    expect(await loadConfigCached(files.options)).toEqual(fresh);
    expect(names(fresh).slice(0, 1)).toEqual(["u"]);
  });

  it("is not believed when somebody else wrote it", async ({ skip }) => {
    skip(notRoot !== undefined, notRoot);
    const files = await compiled();
    chownSync(cached(files), 1234, 1234);
    expect((await loadedPackages(files))[0]).toContain("yaml");
  });

  it("may have no place to be kept", async () => {
    const files = project({ "user/tenterhook/hooks.yaml": hooksFile("u") });
    writeFileSync(files.path("cache"), "a file where a folder should be");
    expect(names(await loadConfigCached(files.options))).toEqual(["u"]);
  });

  it("is not kept when it could not be read back as it is", async () => {
    const files = project({ "user/tenterhook/hooks.toml": DATED });
    const first = await loadConfigCached(files.options);
    expect(await loadConfigCached(files.options)).toEqual(first);
  });
});

const DATED = `[[hooks.definitions]]
name = "dated"
type = "mcp"
server = "s"
tool = "t"
input = { since = 2024-01-01 }
matcher = { events = ["Stop"] }
`;

function sameMarks(files: Project): void {
  const file = files.path("project/.tenterhook/team.yaml");
  const text = readFileSync(file, "utf8");
  const time = new Date(1_700_000_000_000);
  utimesSync(file, time, time);
  writeFileSync(file, text.replace('"no', '"ho'));
  utimesSync(file, time, time);
}

/** Loads the configuration in a process of its own; answers the packages it needed and the hooks that no pack brought. */
async function loadedPackages(files: Project): Promise<readonly [readonly string[], readonly string[]]> {
  const hooks = `export async function resolve(name, context, next) {
    if (/^[a-z@][^:]*$/.test(name)) process._rawDebug(name);
    return next(name, context);
  }`;
  const program = `
    import { register } from "node:module";
    register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}));
    const { loadConfigCached } = await import(${JSON.stringify(join(built, "open.js"))});
    const { definitions } = await loadConfigCached(${JSON.stringify(files.options)});
    console.log(JSON.stringify(definitions.filter(({ pack }) => pack === undefined).map(({ name }) => name)));`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", program],
    { cwd: ROOT, timeout: 60_000 },
  );
  return [[...new Set(stderr.split("\n").filter((line) => line !== ""))], JSON.parse(stdout)];
}
