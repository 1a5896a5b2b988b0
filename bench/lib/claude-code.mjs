// Runs the real Claude Code, which reads files that a scripted model asks for, with a plug-in that is asked before all others.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startDaemon } from "./daemon.mjs";
import { PROGRAM, project, timed } from "./hook-process.mjs";
import { importSources } from "./sources.mjs";

const READS = 40;
/** The first ones compile what is called. */
const WARM_UPS = 8;

/** What is asked as ours is, and says nothing. */
const PASSES = `export const register = (on) => {
  on("tool.call", (_, e, next) => next(e));
  on("tool.check", (_, e, next) => next(e));
  on("tool.run", (_, e, next) => next(e));
};
`;

const GUARD = {
  name: "no-secrets",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  inline_rules: [{ field: "path", operator: "contains", value: "secrets", action: "deny", reason: "No." }],
};

const { claudeDriver, scripted, startModelServer, clientProgram } = await importSources("claude-code", {
  claudeDriver: "know/prove/drivers/claude.ts",
  scripted: "know/prove/driver.ts",
  startModelServer: "know/prove/model/model-server.ts",
  clientProgram: "../test/clients/support/install-clients.ts",
});

/**
 * A user of Claude Code with a daemon that decides. Each side resolves to the milliseconds of a Read: from the model's answer
 * until it is asked again.
 *
 * @param {{ readonly hasSettingsHook: boolean }} given Whether Claude Code asks Tenterhook's settings hook too, on both sides.
 */
export async function claudeCode({ hasSettingsHook }) {
  const made = await project([GUARD]);
  const { cwd, remove } = made;
  const programs = join(made.environment.HOME, "bin");
  const environment = { ...made.environment, PATH: [programs, process.env.PATH].join(delimiter) };
  mkdirSync(programs);
  symlinkSync(PROGRAM, join(programs, "tenterhook"));
  writeFileSync(join(cwd, "read-me.txt"), "A line.\n");
  await timed([PROGRAM, "install", "claude", "--user"], environment, "", "tenterhook", cwd);
  const settings = join(environment.HOME, ".claude/settings.json");
  const { hooks, ...seat } = JSON.parse(readFileSync(settings, "utf8"));
  writeFileSync(settings, JSON.stringify(hasSettingsHook ? { hooks, ...seat } : seat));
  const module = join(environment.XDG_STATE_HOME, "tenterhook/seat/claude/tenterhook/hooks/register.js");
  const ours = readFileSync(module, "utf8");
  const daemon = await startDaemon(environment);
  /** @param {string} text */
  const sideWith = (text) => () => {
    writeFileSync(module, text);
    return medianRead(cwd, environment);
  };
  return {
    ours: sideWith(ours),
    passes: sideWith(PASSES),
    close: async () => {
      await daemon.stop();
      remove();
    },
  };
}

/**
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} environment
 */
async function medianRead(cwd, environment) {
  const file_path = join(cwd, "read-me.txt");
  const { reply } = scripted(claudeDriver, {
    steps: Array.from({ length: READS }, () => [["Read", { file_path }]]),
  });
  /** @type {number[]} */
  const asked = [];
  const server = await startModelServer(
    claudeDriver.protocol,
    new Array(READS * 4).fill((/** @type {{ body: object }} */ request) => {
      if (claudeDriver.conversation(request.body) !== undefined) asked.push(performance.now());
      return reply(request);
    }),
  );
  const { args, variables } = claudeDriver.command({
    root: cwd,
    cwd,
    home: "",
    environment: {},
    prompt: "Go.",
    model: server,
  });
  const child = spawn(clientProgram("claude"), args, {
    cwd,
    env: { ...environment, ...variables },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  await server.close();
  rmSync(join(environment.HOME ?? "", ".claude/projects"), { recursive: true, force: true });
  if (code !== 0 || asked.length !== READS + 1)
    throw new Error(`Claude Code ended with ${code} after ${asked.length} requests.`);
  const reads = asked.slice(1).map((time, at) => time - (asked[at] ?? time));
  return reads.slice(WARM_UPS).sort((a, b) => a - b)[(READS - WARM_UPS) >> 1] ?? Number.NaN;
}
