import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../src/node/process/run-program.ts";
import type { Sandbox } from "../../src/node/process/sandbox/sandbox.ts";
import { bubblewrap, type SandboxPlan, seatbelt } from "../../src/node/process/sandbox/systems.ts";
import { shellLine } from "../../src/node/process/start-program.ts";
import { noSandbox } from "../support/bubblewrap.ts";
import { needs } from "../support/needs.ts";
import { leaveOut } from "../support/not-here.ts";

const folder = mkdtempSync(join(tmpdir(), "tenterhook-sandbox-"));
const workspace = join(folder, "workspace");
const outside = join(folder, "outside");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  for (const path of [workspace, outside]) rmSync(path, { recursive: true, force: true });
  mkdirSync(join(workspace, ".tenterhook"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(workspace, "file"), "before");
  writeFileSync(join(workspace, ".tenterhook", "hooks.yaml"), "before");
});

async function run(line: string, sandbox: Sandbox, signal = new AbortController().signal) {
  const { exit_code, stdout, stderr, aborted } = await runProgram({
    ...shellLine(line),
    cwd: workspace,
    environment: { PATH: process.env.PATH, HOME: folder },
    signal,
    maxOutputBytes: 100_000,
    sandbox,
  });
  return { exit_code, aborted, stdout: stdout.toString(), stderr: stderr.toString() };
}

const readOnly: Sandbox = { mode: "read-only", workspace: [workspace] };
const writes: Sandbox = { mode: "workspace-write", workspace: [workspace] };

describe("in the sandbox", () => {
  leaveOut(noSandbox);

  it("read-only a program reads everything and changes nothing but a /tmp of its own", async () => {
    const line = `cat file; echo x > file; echo x > ${outside}/new; echo own > /tmp/own && cat /tmp/own`;
    const { stdout, exit_code } = await run(line, readOnly);
    expect([stdout, exit_code, readFileSync(join(workspace, "file"), "utf8")]).toEqual([
      "beforeown\n",
      0,
      "before",
    ]);
    expect([existsSync(join(outside, "new")), existsSync("/tmp/own")]).toEqual([false, false]);
  });

  it("workspace-write it changes the workspace and nothing else", async () => {
    const line = `echo after > file; mkdir sub && echo x > sub/new; echo x > ${outside}/new; echo x > $HOME/new`;
    await run(line, writes);
    expect([
      readFileSync(join(workspace, "file"), "utf8"),
      existsSync(join(workspace, "sub", "new")),
      existsSync(join(outside, "new")),
      existsSync(join(folder, "new")),
    ]).toEqual(["after\n", true, false, false]);
  });

  it("workspace-write it can't change what decides over it", async () => {
    expect((await run("echo after > .tenterhook/hooks.yaml", writes)).exit_code).not.toBe(0);
    expect(readFileSync(join(workspace, ".tenterhook", "hooks.yaml"), "utf8")).toBe("before");
  });

  it("it can't change secrets of the home, though the workspace is the home", async () => {
    mkdirSync(join(folder, ".ssh"), { recursive: true });
    writeFileSync(join(folder, ".ssh", "config"), "before");
    await run("echo after > $HOME/.ssh/config; echo x > $HOME/plain", { ...writes, workspace: [folder] });
    expect(readFileSync(join(folder, ".ssh", "config"), "utf8")).toBe("before");
    expect(existsSync(join(folder, "plain"))).toBe(true);
  });

  it("a link out of the workspace leads nowhere", async () => {
    symlinkSync(outside, join(workspace, "link"));
    await run("echo x > link/new", writes);
    expect(existsSync(join(outside, "new"))).toBe(false);
  });

  it("it reaches no network, not even this machine's, unless it is let", async () => {
    const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const line = `exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2>/dev/null`;
    const codes = [await run(line, writes), await run(line, { ...writes, network: true })];
    server.close();
    expect(codes.map(({ exit_code }) => exit_code === 0)).toEqual([false, true]);
  });

  it("its exit code, its output and its end are as outside", async () => {
    expect(await run("echo out; echo err >&2; exit 2", readOnly)).toEqual({
      exit_code: 2,
      aborted: false,
      stdout: "out\n",
      stderr: "err\n",
    });
    needs("ps");
    const sleep = `sleep 47${process.pid}`;
    const count = (): number =>
      Number(execFileSync("sh", ["-c", `ps -eo args | grep -cx '${sleep}' || true`]).toString());
    const controller = new AbortController();
    const running = run(`setsid ${sleep} & ${sleep}`, readOnly, controller.signal);
    while (count() < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    expect((await running).aborted).toBe(true);
    expect(count()).toBe(0);
  });

  it("a program that is not there is missing, as outside", async () => {
    const running = runProgram({
      file: "no-such-program",
      cwd: workspace,
      environment: {},
      signal: new AbortController().signal,
      maxOutputBytes: 10,
      sandbox: readOnly,
    });
    await expect(running).rejects.toMatchObject({
      kind: "missing",
      message: expect.stringContaining("no-such"),
    });
  });
});

describe("a sandbox that can't be had", () => {
  const path = process.env.PATH;

  it("is an error that says what to do, and nothing is run", async () => {
    process.env.PATH = outside;
    try {
      await expect(run(`touch ${outside}/ran`, readOnly)).rejects.toMatchObject({
        kind: "missing",
        message:
          "The sandbox read-only is not available: bwrap is not on the PATH; install the package bubblewrap. Nothing was run; sandbox: { mode: off } runs it without one.",
      });
    } finally {
      process.env.PATH = path;
    }
    expect(existsSync(join(outside, "ran"))).toBe(false);
  });

  it("because namespaces are forbidden says what bwrap says, again and again until it works", async () => {
    const bwrap = (text: string): void => writeFileSync(join(outside, "bwrap"), text, { mode: 0o755 });
    process.env.PATH = `${outside}:${path}`;
    try {
      bwrap("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2; exit 1\n");
      for (const time of ["first", "second"]) {
        await expect(run(`touch ${outside}/${time}`, readOnly)).rejects.toMatchObject({
          kind: "missing",
          message: expect.stringContaining("(bwrap: No permissions to create a new namespace)"),
        });
      }
      bwrap('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n');
      expect((await run("echo ran", readOnly)).stdout).toBe("ran\n");
    } finally {
      process.env.PATH = path;
    }
    expect(existsSync(join(outside, "first"))).toBe(false);
  });

  it("because the workspace is everything is an error too", async () => {
    process.env.PATH = `${outside}:${path}`;
    writeFileSync(join(outside, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    try {
      await expect(run("true", { ...writes, workspace: ["/"] })).rejects.toMatchObject({
        message: expect.stringContaining("nothing would be protected"),
      });
    } finally {
      process.env.PATH = path;
    }
  });
});

const plan: SandboxPlan = {
  file: "/bin/sh",
  args: ["-c", "x"],
  cwd: "/w/sub",
  home: "/h",
  mode: "workspace-write",
  workspace: ["/w"],
  network: false,
};

it("bwrap is told to bind everything read-only before the workspace, and the kept folders after it", () => {
  const args = bubblewrap(plan);
  const at = (...words: readonly string[]): number =>
    args.findIndex((_, index) => words.every((word, offset) => args[index + offset] === word));
  const order = [
    at("--ro-bind", "/", "/"),
    at("--tmpfs", "/tmp"),
    at("--bind", "/w", "/w"),
    at("--ro-bind-try", "/w/.tenterhook", "/w/.tenterhook"),
    at("--", "/bin/sh", "-c", "x"),
  ];
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect([order.includes(-1), args.includes("--unshare-net")]).toEqual([false, true]);
  expect(bubblewrap({ ...plan, mode: "read-only", network: true })).not.toContain("--bind");
  expect(bubblewrap({ ...plan, network: true })).not.toContain("--unshare-net");
});

it("the profile of macOS denies all writing, then allows the workspace, then denies what is kept in it", () => {
  const [flag, profile = "", ...rest] = seatbelt(plan);
  expect([flag, rest]).toEqual(["-p", ["/bin/sh", "-c", "x"]]);
  expect(
    profile.split("\n").filter((line) => line.includes("file-write") && !line.includes("/dev/")),
  ).toEqual([
    "(deny file-write*)",
    '(allow file-write* (subpath "/w"))',
    '(deny file-write-unlink (literal "/w/.git"))',
    '(deny file-write* (subpath "/w/.tenterhook"))',
    '(deny file-write* (subpath "/w/.agent"))',
    '(deny file-write* (subpath "/w/.claude"))',
    '(deny file-write* (subpath "/w/.git/hooks"))',
  ]);
  expect(profile).toContain("(deny network*)");
  expect(seatbelt({ ...plan, mode: "read-only" })[1]).not.toContain('(subpath "/w")');
});
