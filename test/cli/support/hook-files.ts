import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { ROOT } from "../../repository/support/files.ts";
import { type Project, shellCall } from "./project.ts";

/** The files of `tenterhook hook` alone: none of the package's modules, which every other command loads. */
export function hookFiles({ folder }: Project): string {
  const files = join(folder, "files");
  rmSync(files, { recursive: true, force: true });
  mkdirSync(files);
  const dist = join(ROOT, "dist");
  for (const name of readdirSync(dist))
    if (name.endsWith(".cjs")) copyFileSync(join(dist, name), join(files, name));
  return files;
}

export async function hookOf(files: string, { cwd, environment }: Project, id: string) {
  const child = spawn(process.execPath, [join(files, "tenterhook.cjs"), "hook"], { cwd, env: environment });
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify({ session_id: "s1", cwd, tool_use_id: id, ...shellCall("git push") }));
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { stdout, stderr, code: child.exitCode };
}

const DENY = '{"action":"deny","reason":"Not from here."}';
export const MATCHER = { events: ["PreToolUse"] };

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

export const HOOKS: Readonly<Record<string, (project: Project) => Promise<object>>> = {
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
