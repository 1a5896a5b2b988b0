// `node scripts/walk.mjs [TOOL]`: the files whose functions run while one call with one command hook is decided in a
// process, which is what somebody reads who follows it. What only builds tables when files are loaded does not count.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./run.mjs";
import { printFiles } from "./walked-files.mjs";

/** What loads the program, and writes how often each of its functions has run. */
const RUNNER = `
const { Session } = require("node:inspector");
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
process.on("exit", () =>
  session.post("Profiler.takePreciseCoverage", (_, { result }) =>
    require("node:fs").writeFileSync(
      __dirname + "/counts.json",
      JSON.stringify(result.find(({ url }) => url.endsWith("/dist/hook.cjs")).functions),
    ),
  ),
);
const { runHook, loads } = require("./dist/hook.cjs");
const [, , only] = process.argv;
if (only === undefined) runHook([], process.env).then((code) => process.exit(code));
else for (const name of JSON.parse(only)) loads[name]();
`;

const CALLS = {
  Bash: { command: "npm test" },
  Edit: { file_path: "a.ts", old_string: "a", new_string: "b" },
};

const tool = process.argv[2] === "Edit" ? "Edit" : "Bash";
const folder = mkdtempSync(join(tmpdir(), "tenterhook-walk-"));
try {
  const program = await buildProgram();
  const environment = projectWithHook();
  // The first call reads the configuration, and the second finds it as every later one does.
  run(environment, "1");
  const ran = run(environment, "2");
  const loads = ran.flatMap(({ functionName: name }) => (/^src\//.test(name) ? [name] : []));
  const loaded = new Map(run(environment, "3", loads).map((one) => [one.at, one.count]));
  const lasting = ran.filter(({ at, count }) => count > (loaded.get(at) ?? 0));
  console.log(`${printFiles(program, lasting)} files for one ${tool} call with one command hook.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Builds `tenterhook hook` so that the place of each source in it can be read. Returns its text. */
async function buildProgram() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["src/hook/process/run-hook.ts"],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    target: "node20.19",
    mainFields: ["module", "main"],
    define: { "import.meta.url": "__filename" },
    external: ["undici", "zod", "*.node"],
    logLevel: "error",
  });
  const [{ text = "" } = {}] = outputFiles;
  const names = [...text.matchAll(/var (init_\w+) = __esm\(\{\n\s*"([^"]+)"/g)];
  const program = `${text}\nmodule.exports.loads = {${names.map(([, init, file]) => `"${file}": ${init}`).join(",")}};`;
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist/hook.cjs"), program);
  writeFileSync(join(folder, "run.cjs"), RUNNER);
  for (const name of ["package.json", "node_modules"]) symlinkSync(join(root, name), join(folder, name));
  return program;
}

/** Writes a configuration with one command hook. Returns the variables of its user. */
function projectWithHook() {
  const config = join(folder, "home/config/tenterhook");
  mkdirSync(config, { recursive: true });
  mkdirSync(join(folder, "project"));
  const hook = {
    name: "guard",
    type: "command",
    command: "exit 0",
    matcher: { events: ["PreToolUse"], tools: ["Bash", "Edit"] },
  };
  writeFileSync(join(config, "hooks.json"), JSON.stringify({ hooks: { definitions: [hook] } }));
  const [home, PATH] = [join(folder, "home"), process.env.PATH];
  const places = {
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CACHE_HOME: join(home, "cache"),
  };
  return { PATH, HOME: home, ...places, TENTERHOOK_DAEMON: "0" };
}

/**
 * Decides a call, or only loads what a call has loaded. Returns the functions that have run.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} id
 * @param {readonly string[]} [only]
 */
function run(environment, id, only) {
  const cwd = join(folder, "project");
  const event = {
    session_id: "s",
    transcript_path: join(cwd, "none.jsonl"),
    cwd,
    permission_mode: "default",
  };
  const call = { hook_event_name: "PreToolUse", tool_name: tool, tool_input: CALLS[tool], tool_use_id: id };
  const args = only === undefined ? [] : [JSON.stringify(only)];
  const { status, stderr } = spawnSync(process.execPath, [join(folder, "run.cjs"), ...args], {
    cwd,
    env: environment,
    input: JSON.stringify({ ...event, ...call }),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The call was not decided: ${stderr}`);
  /** @type {readonly { functionName: string, ranges: readonly { startOffset: number, count: number }[] }[]} */
  const functions = JSON.parse(readFileSync(join(folder, "counts.json"), "utf8"));
  return functions.flatMap(
    ({ functionName, ranges: [{ startOffset: at, count } = { startOffset: 0, count: 0 }] }) =>
      count === 0 ? [] : [{ functionName, at, count }],
  );
}
