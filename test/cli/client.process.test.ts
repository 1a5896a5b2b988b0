import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import type { Said } from "./support/run-cli.ts";

const CLIENT = join(ROOT, "dist/tenterhook-client.sh");
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

async function client({ cwd, environment }: Project, payload: object): Promise<Said> {
  const child = spawn("sh", [CLIENT, "hook"], { cwd, env: environment });
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...payload }));
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

/** A daemon as one may come: on a socket of the user's, with a token. */
async function daemon({ folder }: Project, listener: RequestListener): Promise<void> {
  const place = join(folder, "state/tenterhook/daemon");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "authorization"), "authorization: Bearer secret\n", { mode: 0o600 });
  const server = createServer(listener).listen(join(place, "socket"));
  await once(server, "listening");
  chmodSync(join(place, "socket"), 0o600);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}

async function project(): Promise<Project> {
  const made = newProject();
  await made.configure([DENIES]);
  return made;
}

describe("the client of a daemon that may come", () => {
  it("decides here when there is none", async () => {
    expect(await client(await project(), shellCall("git push"))).toEqual(HERE);
  }, 60_000);

  it("says what the daemon answers, to the byte, and gives it the payload with the token", async () => {
    const made = await project();
    const reply = '{"systemMessage":"From the daemon.\\n200 %s"}\n\n';
    let heard: unknown;
    await daemon(made, async (request, response) => {
      const { method, url, headers } = request;
      heard = { method, url, token: headers.authorization, payload: JSON.parse(await text(request)) };
      response.end(reply);
    });
    const call = shellCall("echo 'ü' \\n %s");
    expect(await client(made, call)).toEqual({ code: 0, stdout: reply, stderr: "" });
    expect(heard).toEqual({
      method: "POST",
      url: "/hook",
      token: "Bearer secret",
      payload: { session_id: "s1", cwd: made.cwd, tool_use_id: "t1", ...call },
    });
  }, 60_000);

  it("says nothing when the daemon has nothing to say", async () => {
    const made = await project();
    await daemon(made, (_, response) => void response.end());
    expect(await client(made, shellCall("git push"))).toEqual({ code: 0, stdout: "", stderr: "" });
  }, 60_000);

  it.each<[string, RequestListener]>([
    ["leaves the call to it", (_, response) => void response.writeHead(409).end("Decide it yourself.")],
    ["fails", (_, response) => void response.writeHead(500).end("{}")],
    ["is killed in the middle of a call", (request) => void request.socket.destroy()],
    [
      "breaks off its answer",
      (request, response) => {
        response.writeHead(200, { "content-length": "1000" }).write('{"systemMessage":');
        setImmediate(() => request.socket.destroy());
      },
    ],
    ["is too slow", () => undefined],
    ["sends it elsewhere", (_, response) => void response.writeHead(302, { location: "/other" }).end()],
  ])(
    "decides here when the daemon %s",
    async (_, listener) => {
      const made = await project();
      await daemon(made, listener);
      expect(await client(made, shellCall("git push"))).toEqual(HERE);
    },
    60_000,
  );

  it("decides here when there is no curl", async () => {
    const made = await project();
    await daemon(made, (_, response) => void response.end("From the daemon."));
    const { PATH } = made.environment;
    const programs = join(made.folder, "bin");
    mkdirSync(programs);
    writeFileSync(join(programs, "curl"), "#!/bin/sh\nexit 127\n", { mode: 0o755 });
    made.environment.PATH = `${programs}:${PATH}`;
    expect(await client(made, shellCall("git push"))).toEqual(HERE);
  }, 60_000);

  it("passes on every other command, and what it ends with, also through a link", async () => {
    const { cwd, environment, folder } = await project();
    const link = join(folder, "tenterhook");
    symlinkSync(CLIENT, link);
    const child = spawn(link, ["validate", "no such file.yaml"], { cwd, env: environment });
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect([code, said]).toEqual([2, expect.stringContaining("no such file.yaml")]);
  }, 60_000);
});
