import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { needs } from "../support/needs.ts";
import { client, daemon, HERE, programs, project } from "./support/hook-client.ts";
import { patientClient } from "./support/patient-client.ts";
import { shellCall } from "./support/project.ts";

needs("perl");

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
