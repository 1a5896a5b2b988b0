import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bashTool } from "../../../src/agent/tools/bash/bash.ts";
import { readTool } from "../../../src/agent/tools/read.ts";
import type { ToolContext, ToolResult } from "../../../src/core/contracts/tool.ts";
import { needs } from "../../support/needs.ts";
import { workspace } from "./support/workspace.ts";

const bash = bashTool();

/** Commands that nobody else runs. */
const [TIMED_OUT, CANCELLED, CLOSED] = [
  `sleep 987.1${process.pid}`,
  `sleep 987.2${process.pid}`,
  `sleep 987.3${process.pid}`,
];

/** Numbers of processes whose command line holds a text. */
function processesWith(text: string): string {
  needs("ps");
  return execFileSync("sh", ["-c", `ps -eo args | grep -F '${text}' | grep -v grep || true`], {
    encoding: "utf8",
  });
}

const later: Promise<ToolResult>[] = [];
afterEach(() => {
  later.length = 0;
});

/** An agent that takes results later. */
function withLater(more: Partial<ToolContext["host"]> = {}): Pick<ToolContext, "host"> {
  return { host: { mode: "default", deliverLater: (result) => later.push(result), ...more } };
}

describe("Bash", () => {
  it("answers with the output of both streams", async () => {
    const { run } = workspace();
    const result = await run(bash, { command: "printf 'out\\n'; printf 'err\\n' >&2" });
    expect({ ...result, content: result.content.split("\n").toSorted() }).toEqual({
      content: ["err", "out"],
      data: { stdout: "out\n", stderr: "err\n", exit_code: 0, timed_out: false },
    });
    expect(await run(bash, { command: "true" })).toMatchObject({ content: "(no output)" });
  });

  it("says the exit code of a command that failed, and the signal that ended one", async () => {
    const { run } = workspace();
    expect(await run(bash, { command: "echo no; exit 3" })).toEqual({
      content: "no\nExit code 3.",
      is_error: true,
      data: { stdout: "no\n", stderr: "", exit_code: 3, timed_out: false },
    });
    expect(await run(bash, { command: "kill -9 $$" })).toMatchObject({
      content: "Ended by SIGKILL.",
      is_error: true,
    });
  });

  it("runs in the working folder, each time anew", async () => {
    const { outputOf } = workspace();
    expect(await outputOf(bash, { command: "mkdir sub && cd sub && export X=1 && pwd" })).toBe("sub");
    expect(await outputOf(bash, { command: "echo $X; pwd" })).toBe("\n<outside>/work");
  });

  it("knows bash, and nothing can be typed into it", async () => {
    const { outputOf } = workspace();
    expect(await outputOf(bash, { command: "[[ a == a ]] && cat; echo done" })).toBe("done");
  });

  it("withholds secrets, but those named when the tool was made", async () => {
    const { outputOf } = workspace(
      {},
      {
        environment: { PATH: process.env.PATH, ANTHROPIC_API_KEY: "k1", GITHUB_TOKEN: "k2", PLAIN: "p" },
      },
    );
    const command = "echo $ANTHROPIC_API_KEY-$GITHUB_TOKEN-$PLAIN";
    expect(await outputOf(bash, { command })).toBe("--p");
    expect(await outputOf(bashTool({ pass_environment: ["GITHUB_TOKEN"] }), { command })).toBe("-k2-p");
  });

  it("runs in the sandbox it is told, or not at all", async () => {
    const { run, outside, read } = workspace({}, { sandbox: "workspace-write" });
    const result = await run(bash, { command: "echo in > in; echo out > ../out" });
    expect(existsSync(`${outside}/out`)).toBe(false);
    const unavailable = result.content.startsWith("The sandbox workspace-write is not available");
    expect(unavailable ? result.is_error : read("in")).toBe(unavailable ? true : "in\n");
  });

  it("shows output while it comes", async () => {
    const pieces: [string, string | undefined][] = [];
    const { run } = workspace({}, { progress: (text, stream) => pieces.push([text, stream]) });
    await run(bash, { command: "echo one; echo two >&2" });
    expect(pieces.toSorted()).toEqual([
      ["one\n", "stdout"],
      ["two\n", "stderr"],
    ]);
  });

  it("ends a command that takes too long, with everything it started", async () => {
    // Its time is over when it has begun, however long that takes.
    const timeout = 500_000;
    const timers = vi.spyOn(globalThis, "setTimeout");
    const progress = () => {
      for (const [callback, milliseconds] of timers.mock.calls) if (milliseconds === timeout) callback();
    };
    const { run } = workspace({}, { progress });
    const result = await run(bash, { command: `${TIMED_OUT} & echo begun; ${TIMED_OUT}`, timeout });
    expect(result).toEqual({
      content: "begun\nTimed out after 500 s; the command and all it started were ended.",
      is_error: true,
      data: {
        stdout: "begun\n",
        stderr: "",
        exit_code: null,
        timed_out: true,
        // Killed if it does not end soon after it was asked to.
        exit_signal: expect.stringMatching(/^SIG(TERM|KILL)$/),
      },
    });
    expect(processesWith(TIMED_OUT)).toBe("");
  });

  it("ends when the call is cancelled, and tells what it wrote until then", async () => {
    const { root, context } = workspace();
    const controller = new AbortController();
    const progress = () => controller.abort(new Error("interrupted"));
    const call = bash.run(
      { command: `echo x; ${CANCELLED}` },
      { ...context, cwd: root, signal: controller.signal, progress },
    );
    expect(await call).toMatchObject({
      content: "x\nInterrupted; the command and all it started were ended.",
      is_error: true,
      data: { stdout: "x\n", timed_out: false },
    });
    expect(processesWith(CANCELLED)).toBe("");
  });

  it("cuts a long output in the middle and keeps the whole in a file that Read may read", async () => {
    const { run, outputOf } = workspace();
    const result = await run(bash, { command: "seq 1 100000; printf '😀%.0s' $(seq 1 9000)" });
    const [, path = ""] = /the whole output is in (\S+) …\]/.exec(result.content) ?? [];
    expect(result.content.length).toBeLessThan(31_000);
    expect(result.content.startsWith("1\n2\n3\n")).toBe(true);
    expect(result.content.endsWith("😀")).toBe(true);
    expect(/\p{Surrogate}/u.test(result.content)).toBe(false);
    expect(result.data).toMatchObject({ output_file: path, exit_code: 0, stdout: result.content });
    expect(readFileSync(path, "utf8")).toMatch(/^1\n[\s\S]*\n99999\n100000\n😀/u);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await outputOf(readTool, { file_path: path, offset: 50_000, limit: 1 })).toContain(
      " 50000\t50000",
    );
    expect(await outputOf(readTool, { file_path: path }, { memory: new Map() })).toContain(
      "outside the workspace",
    );
  });

  it("says how much of it is in the file when that does not take all", async () => {
    const { run } = workspace();
    const { content } = await run(bash, { command: "head -c 68000000 /dev/zero | tr '\\0' x; echo end" });
    const [, path = ""] = /the first 67108864 bytes are in (\S+) …\]/.exec(content) ?? [];
    expect(statSync(path).size).toBe(67_108_864);
    expect(content.endsWith("xend")).toBe(true);
  });
});

describe("Bash in the background", () => {
  it("answers at once and delivers the result when the command ends", async () => {
    const { run, write } = workspace({}, withLater());
    const started = await run(bash, {
      command: "until test -e go; do sleep 0.02; done; echo done",
      run_in_background: true,
    });
    const [, id, file] =
      /^Started in the background as (bash_\w+)\. Its output goes to (\S+);/.exec(started.content) ?? [];
    expect(started.data).toEqual({ background_id: id, output_file: file });
    expect(await run(readTool, { file_path: file })).toMatchObject({ content: `(${file} is empty)` });
    write("go", "");
    expect(await Promise.all(later)).toEqual([
      {
        content: `The background command ${id} has ended.\ndone`,
        data: { stdout: "done\n", stderr: "", exit_code: 0, timed_out: false, output_file: file },
      },
    ]);
  });

  it("ends with the agent, not with the call", async () => {
    const lifetime = new AbortController();
    const call = new AbortController();
    const { run } = workspace({}, { ...withLater({ lifetime: lifetime.signal }), signal: call.signal });
    await run(bash, { command: CLOSED, run_in_background: true });
    call.abort();
    lifetime.abort(new Error("the agent was closed"));
    const [result] = await Promise.all(later);
    expect(result).toMatchObject({
      content: expect.stringContaining("Interrupted; the command"),
      is_error: true,
    });
    expect(processesWith(CLOSED)).toBe("");
  });

  it("is refused where nobody takes results later", async () => {
    const { outputOf } = workspace();
    expect(await outputOf(bash, { command: "true", run_in_background: true })).toBe(
      "Commands can't run in the background here. Run it without run_in_background.",
    );
  });
});
