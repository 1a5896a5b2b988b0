import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { newProject, type Project, shellCall } from "./project.ts";
import { CLI, type CliResult } from "./run-cli.ts";

const DENIES = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Decided here.")',
};

export const HERE = {
  code: 0,
  stdout: JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "Decided here.",
    },
  }),
  stderr: "",
};

/** Calls `tenterhook hook` as an agent does. */
export async function client(
  { cwd, environment }: Project,
  payload: object | string,
  line: readonly [string, ...string[]] = [CLI],
): Promise<CliResult> {
  const [program, ...args] = line;
  const child = spawn(program, [...args, "hook"], { cwd, env: environment });
  child.stdin.on("error", () => {});
  const whole = { session_id: "s1", cwd, tool_use_id: "t1", ...Object(payload) };
  child.stdin.end(typeof payload === "string" ? payload : JSON.stringify(whole));
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

/** Something that listens where the daemon decides calls. */
export async function daemon({ folder }: Project, listener: RequestListener): Promise<void> {
  const place = join(folder, "state/tenterhook/monitor");
  mkdirSync(place, { recursive: true });
  const server = createServer(listener).listen(join(place, "hook.sock"));
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}

export async function project(): Promise<Project> {
  const made = newProject();
  // It asks a daemon, and starts none.
  delete made.environment.TENTERHOOK_DAEMON;
  made.write("../config/tenterhook/hooks.yaml", "daemon: false\n");
  await made.configure([DENIES]);
  await made.readConfig(shellCall("git push"));
  return made;
}

/** A folder with programs that are shell scripts of one line. */
export function programs({ folder }: Project, lines: Readonly<Record<string, string>>): string {
  const bin = join(folder, "programs");
  mkdirSync(bin);
  for (const [name, line] of Object.entries(lines))
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return bin;
}
