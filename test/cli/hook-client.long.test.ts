import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { patientClient } from "./support/patient-client.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { CLI, type CliResult } from "./support/run-cli.ts";

const DENIES = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Decided here.")',
};
const HERE = {
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
async function client(
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
async function daemon({ folder }: Project, listener: RequestListener): Promise<void> {
  const place = join(folder, "state/tenterhook/monitor");
  mkdirSync(place, { recursive: true });
  const server = createServer(listener).listen(join(place, "hook.sock"));
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}

async function project(): Promise<Project> {
  const made = newProject();
  // It asks a daemon, and starts none.
  delete made.environment.TENTERHOOK_DAEMON;
  made.write("../config/tenterhook/hooks.yaml", "daemon: false\n");
  await made.configure([DENIES]);
  await made.readConfig(shellCall("git push"));
  return made;
}

/** A folder with programs that are shell scripts of one line. */
function programs({ folder }: Project, lines: Readonly<Record<string, string>>): string {
  const bin = join(folder, "programs");
  mkdirSync(bin);
  for (const [name, line] of Object.entries(lines))
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return bin;
}

describe("tenterhook hook as agents call it", () => {
  it.each<[string, RequestListener]>([
    ["is killed in the middle of a call", (request) => void request.socket.destroy()],
    [
      "breaks off its answer",
      (request, response) => {
        response.writeHead(200, { "content-length": "1000" }).write('{"systemMessage":');
        setImmediate(() => request.socket.destroy());
      },
    ],
    ["is too slow", () => undefined],
    ["says that it decides, and then nothing more", (_, response) => response.writeProcessing()],
  ])("decides here when the daemon %s", async (_, listener) => {
    const made = await project();
    await daemon(made, listener);
    expect(await client(made, shellCall("git push"))).toEqual(HERE);
  });

  it("waits for a daemon as long as that says that it decides", async () => {
    const made = await project();
    await daemon(made, (_, response) => {
      const signs = setInterval(() => response.writeProcessing(), 500);
      setTimeout(() => {
        clearInterval(signs);
        response.end("From the daemon.");
      }, 11_000);
    });
    expect(await client(made, shellCall("git push"), [patientClient(made, 10)])).toMatchObject({
      code: 0,
      stdout: "From the daemon.",
    });
  });

  it("ends with a Node that reads nothing, however long the payload is", async () => {
    const made = await project();
    await daemon(made, (_, response) => void response.writeHead(409).end());
    made.environment.PATH = `${programs(made, { node: "exit 7" })}:${made.environment.PATH}`;
    const call = { ...shellCall("git push"), filler: "x".repeat(300_000) };
    expect(await client(made, call)).toEqual({ code: 7, stdout: "", stderr: "" });
  });

  it("waits for a payload that comes late through a pipe that does not block", async () => {
    const made = await project();
    await daemon(made, async (request, response) => {
      response.end((await text(request)).split("\0").at(-1));
    });
    const unblocked = "fcntl(STDIN, 4, 2048 | fcntl(STDIN, 3, 0)); exec @ARGV";
    const child = spawn("/usr/bin/perl", ["-e", unblocked, patientClient(made), "hook"], {
      cwd: made.cwd,
      env: made.environment,
    });
    setTimeout(() => child.stdin.end("the payload"), 300);
    expect(await text(child.stdout)).toBe("the payload");
  });
});

it("a busy daemon does not make many processes start at the same time, and each call is decided", async () => {
  const made = await project();
  await daemon(made, (_, response) => void response.writeHead(409).end());
  const log = join(made.folder, "started");
  // It counts those that run beside it.
  const counts = `mkdir "${log}.$$"; ls -d "${log}".* | wc -l >> "${log}"; sleep 0.3; rmdir "${log}.$$"`;
  const PATH = `${programs(made, { node: counts })}:${made.environment.PATH}`;
  const environment = { ...made.environment, PATH };
  const line = [patientClient(made)] as const;
  const calls = Array.from({ length: 12 }, () =>
    client({ ...made, environment }, shellCall("git push"), line),
  );
  expect(new Set((await Promise.all(calls)).map(({ code }) => code))).toEqual(new Set([0]));
  const beside = readFileSync(log, "utf8").trim().split("\n").map(Number);
  expect(beside).toHaveLength(12);
  expect(Math.max(...beside)).toBeLessThanOrEqual(4);
});
