import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { chosen } from "../support/long.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

/** The files of `tenterhook hook` alone: none of the package's modules, which every other command loads. */
function hookFiles({ folder }: Project): string {
  const files = join(folder, "files");
  rmSync(files, { recursive: true, force: true });
  mkdirSync(files);
  const dist = join(ROOT, "dist");
  for (const name of readdirSync(dist))
    if (name.endsWith(".cjs")) copyFileSync(join(dist, name), join(files, name));
  return files;
}

async function hookOf(files: string, { cwd, environment }: Project, id: string) {
  const child = spawn(process.execPath, [join(files, "tenterhook.cjs"), "hook"], { cwd, env: environment });
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify({ session_id: "s1", cwd, tool_use_id: id, ...shellCall("git push") }));
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { stdout, stderr, code: child.exitCode };
}

const DENY = '{"action":"deny","reason":"Not from here."}';
const MATCHER = { events: ["PreToolUse"] };

async function replyServer(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(DENY);
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
}

const WORKER = `#!/bin/sh
read -r line
id=\${line##*'"request_id":"'}
printf '{"request_id":"%s","action":"deny","reason":"Not from here."}\\n' "\${id%%'"'*}"
`;
const OUTCOME = '{ type: "deny", reason: "Not from here." }';

const HOOKS: Readonly<Record<string, (project: Project) => Promise<object>>> = {
  command: async () => ({ type: "command", command: `echo '${DENY}'` }),
  script: async (project) => {
    project.write("guard.sh", `echo '${DENY}'\n`);
    return { type: "command", script: "guard.sh" };
  },
  persistent: async (project) => {
    project.write("worker.sh", WORKER);
    return { type: "command", script: "worker.sh", mode: "persistent" };
  },
  http: async () => ({ type: "http", url: await replyServer() }),
  module: async (project) => {
    project.write("hook.mjs", `export default () => (${OUTCOME});\n`);
    return { type: "module", module: "hook.mjs" };
  },
  "module of CommonJS": async (project) => {
    project.write("hook.cjs", `module.exports = () => (${OUTCOME});\n`);
    return { type: "module", module: "hook.cjs" };
  },
};

describe("the files of tenterhook hook", () => {
  it.each(chosen(["command", "http", "module"], Object.keys(HOOKS)))(
    "a %s hook needs none of the package's modules",
    async (type) => {
      const project = newProject();
      await project.configure([{ name: "guard", matcher: MATCHER, ...(await HOOKS[type]?.(project)) }]);
      // The configuration's files are read by modules; then it is cached.
      await project.readConfig(shellCall("git push"));
      const { stdout } = await hookOf(hookFiles(project), project, "t2");
      expect(JSON.parse(stdout).hookSpecificOutput).toEqual({
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Not from here.",
      });
    },
  );

  it("a script that changes while the event is decided is not run", async () => {
    const project = newProject({ cached: true });
    project.write("guard.sh", "exit 0\n");
    const command = `[ "$TENTERHOOK_COMMAND" = ls ] || echo 'exit 0 ' > guard.sh`;
    await project.configure([
      { name: "first", type: "command", command, matcher: MATCHER },
      { name: "second", type: "command", script: "guard.sh", matcher: MATCHER, priority: 900 },
    ]);
    expect((await project.hook(shellCall("ls"))).stdout).toBe("");
    const { stdout } = await hookOf(hookFiles(project), project, "t2");
    expect(stdout).toContain('"permissionDecision":"deny"');
    expect(stdout).toContain("guard.sh has changed since it was trusted.");
  });

  it.each(["list", "hook --serve"])("`tenterhook %s` without its files says so in one line", (args) => {
    const project = newProject();
    const program = join(hookFiles(project), "tenterhook.cjs");
    const { cwd, environment: env } = project;
    const { status, stderr } = spawnSync(process.execPath, [program, ...args.split(" ")], {
      cwd,
      env,
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^tenterhook could not start: ENOENT: .*\. Install it again\.\n$/);
    expect(status).toBe(1);
  });
});
