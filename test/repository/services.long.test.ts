import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../../src/know/prove/model/model-server.ts";
import { bundledProgram } from "../support/bundled-program.ts";
import { startHttpServer } from "../support/mcp-servers/http.ts";
import { SERVED_MODELS } from "../support/model-servers/servers.ts";
import { postgresServer } from "../support/postgres.ts";
import { endAfterTest, eventually } from "../support/processes.ts";
import { redisServer } from "../support/redis.ts";
import { ROOT } from "./support/files.ts";
import { type PackedProject, packedProject } from "./support/packed-project.ts";
import { findRuntime } from "./support/runtimes.ts";

/** The packed package has to bring everything itself: only what SQLite needs on Node 20 lies beside it. */
const postgres = await postgresServer();
const redis = await redisServer();

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject({ "tenterhook-sqlite": "tenterhook-sqlite" });
  copyFileSync(
    join(ROOT, "test/repository/support/services-program.mjs"),
    join(project.folder, "services.mjs"),
  );
  project.write({
    "script.json": JSON.stringify([{ text: "All done." }]),
    "user/config/tenterhook/hooks.yaml": `hooks:
  definitions:
    - name: typed
      type: module
      module: typed.ts
      matcher: { events: [PreToolUse] }
`,
    "user/config/tenterhook/typed.ts": `import { deny } from "tenterhook";
enum Kind { Shell = "Bash" }
export default ({ tool_name }: { tool_name: string }) => (tool_name === Kind.Shell ? deny("Typed.") : undefined);
`,
  });
});
afterAll(() => project.remove());

const PROGRAM = "node_modules/tenterhook/dist/tenterhook.cjs";

describe.each(["Node 20", "Node 22", "Node 24"] as const)("the packed package on %s", (name) => {
  const found = findRuntime(name);

  /** Starts Node with variables of a user of its own. */
  function start(args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
    if ("missing" in found) throw new Error(found.missing);
    const home = join(project.folder, "user");
    mkdirSync(home, { recursive: true });
    const state = join(project.folder, name.replace(" ", "-"));
    const child = spawn(found.program, args, {
      cwd: project.folder,
      env: {
        ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, HOME: home },
        ...{
          XDG_CONFIG_HOME: join(home, "config"),
          XDG_STATE_HOME: state,
          XDG_CACHE_HOME: join(state, "cache"),
        },
        ...{ TENTERHOOK_DAEMON: "0", ...more },
      },
    });
    endAfterTest(child);
    return child;
  }

  async function printed(child: ChildProcessWithoutNullStreams, input = ""): Promise<unknown> {
    child.stdin.end(input);
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    try {
      return JSON.parse(output);
    } catch {
      return `${output}${errors}`;
    }
  }

  test("PostgreSQL, MCP servers and every provider answer", async ({ skip }) => {
    if ("missing" in found) return skip(found.missing);
    const http = await startHttpServer();
    onTestFinished(() => http.close());
    const stdio = bundledProgram(new URL("../support/mcp-servers/stdio.mjs", import.meta.url), {
      packages: "bundle",
    });
    const models = await Promise.all(
      SERVED_MODELS.map(async ([provider, { protocol, model, environment }]) => {
        const server = await startModelServer(protocol, [{ text: `From ${provider}.` }]);
        onTestFinished(() => server.close());
        return [model, environment(server)];
      }),
    );
    const given = {
      database: await postgres.newDatabase(),
      servers: { program: { command: process.execPath, args: [stdio, "well"] }, address: { url: http.url } },
      models,
    };
    expect(await printed(start(["services.mjs", JSON.stringify(given)]))).toEqual({
      texts: SERVED_MODELS.map(([provider]) => `From ${provider}.`),
      stored: SERVED_MODELS.length,
      echoes: ["mcp__program__echo", "mcp__address__echo"],
      warnings: [],
    });
  });

  test.each(["PostgreSQL", "Redis"])("the fleet works with its queue on %s", async (queue) => {
    if ("missing" in found) return;
    if (queue === "Redis") await redis.empty();
    const variables = {
      TENTERHOOK_DATABASE_URL: await postgres.newDatabase(),
      ...(queue === "Redis" ? { TENTERHOOK_REDIS_URL: redis.url } : {}),
    };
    const fleet = (...args: readonly string[]): ChildProcessWithoutNullStreams =>
      start([PROGRAM, "fleet", ...args], variables);
    expect(await printed(fleet("submit", "Do it.", "--model", "scripted:script.json", "--json"))).toEqual({
      run_id: expect.any(String),
    });
    fleet("worker");
    await eventually(async () => {
      expect(await printed(fleet("status", "--json"))).toMatchObject({
        runs: [{ state: "done", result: { text: "All done." } }],
      });
    }, 120_000);
  });

  test("a hook in TypeScript decides, and the monitor keeps its database", async () => {
    if ("missing" in found) return;
    const payload = {
      ...{ session_id: "s", transcript_path: "t.jsonl", cwd: project.folder },
      ...{ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } },
    };
    expect(await printed(start([PROGRAM, "hook"]), JSON.stringify(payload))).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Typed." },
    });
    expect(await printed(start([PROGRAM, "agents", "--json"], { TENTERHOOK_DAEMON: undefined }))).toEqual({
      agents: expect.any(Array),
    });
    expect(await printed(start([PROGRAM, "daemon", "stop"]))).toContain("has stopped");
  });
});
