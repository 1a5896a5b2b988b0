import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ProgramError } from "../../src/node/process/program-error.ts";
import { type ProgramRun, runProgram } from "../../src/node/process/run-program.ts";
import { shellLine } from "../../src/node/process/start-program.ts";
import { endProcess, eventually, isAlive } from "../support/processes.ts";

const folder = mkdtempSync(join(tmpdir(), "tenterhook-program-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const base = {
  cwd: folder,
  environment: { PATH: process.env.PATH },
  maxOutputBytes: 1_000_000,
} as const;

/** Runs a shell line; answers how it went, with its output as text. */
async function shell(line: string, more: Partial<ProgramRun> = {}) {
  const result = await runProgram({
    ...base,
    signal: new AbortController().signal,
    ...shellLine(line),
    ...more,
  });
  return { ...result, stdout: result.stdout.toString(), stderr: result.stderr.toString() };
}

describe("a program", () => {
  it("is given its input and answers with its output, its exit code and nothing else", async () => {
    const { settled, ...result } = await shell("cat; echo oops >&2; exit 3", { input: '{"a":1}\n' });
    await settled;
    expect(result).toEqual({
      exit_code: 3,
      exit_signal: null,
      aborted: false,
      stdout: '{"a":1}\n',
      stderr: "oops\n",
      stdout_truncated: false,
      stdout_held: false,
    });
  });

  it("that does not read its input is no error, however long that is", async () => {
    expect(await shell("exec 0<&-; echo done", { input: "x".repeat(5_000_000) })).toMatchObject({
      exit_code: 0,
      stdout: "done\n",
    });
  });

  it("that nobody gives an input reads nothing", async () => {
    expect((await shell("wc -c")).stdout.trim()).toBe("0");
  });

  it("that a signal killed says which", async () => {
    expect(await shell("kill -9 $$")).toMatchObject({
      exit_code: null,
      exit_signal: "SIGKILL",
      aborted: false,
    });
  });

  it("is shown in whole characters while it runs, and cut between characters", async () => {
    const shown: string[] = [];
    const onOutput = (text: string) => shown.push(text);
    const line = "printf '\\303'; sleep 0.1; printf '\\244\\342\\202'; sleep 0.1; printf '\\254€€'";
    const whole = await shell(line, { onOutput });
    expect([whole.stdout, shown.join(""), shown.some((text) => text.includes("�"))]).toEqual([
      "ä€€€",
      "ä€€€",
      false,
    ]);
    shown.length = 0;
    const cut = await shell(line, { onOutput, maxOutputBytes: 7 });
    expect([cut.stdout_truncated, shown.join(""), cut.stdout]).toEqual([true, "ä€", "ä€"]);
  });

  it("keeps bytes that are no text as they are, up to where it is cut", async () => {
    const { stdout } = await runProgram({
      ...base,
      ...shellLine("printf '\\377\\200\\200\\200\\200'"),
      signal: new AbortController().signal,
      maxOutputBytes: 4,
    });
    expect([...stdout]).toEqual([0xff, 0x80, 0x80, 0x80]);
  });

  it("can write more than is kept without being held up", async () => {
    let bytes = 0;
    const result = await shell("head -c 3000000 /dev/zero; echo end >&2", {
      maxOutputBytes: 1000,
      onBytes: (chunk, stream) => {
        if (stream === "stdout") bytes += chunk.length;
      },
    });
    expect([result.stdout.length, result.stdout_truncated, result.stderr, bytes]).toEqual([
      1000,
      true,
      "end\n",
      3_000_000,
    ]);
  });

  it("that is not there, or has no folder, is missing by name", async () => {
    const signal = new AbortController().signal;
    const failed = async (more: Partial<ProgramRun>): Promise<unknown> => {
      const error = await runProgram({ ...base, signal, file: "true", ...more }).catch((reason) => reason);
      return error instanceof ProgramError && [error.kind, error.message];
    };
    expect(await failed({ file: "no-such-program" })).toEqual([
      "missing",
      'There is no program "no-such-program" on the PATH.',
    ]);
    expect(await failed({ file: "./nope" })).toEqual(["missing", "There is no program ./nope."]);
    expect(await failed({ cwd: join(folder, "gone") })).toEqual([
      "missing",
      `There is no folder ${folder}/gone to run true in.`,
    ]);
    expect(await failed({ file: folder })).toEqual([
      "missing",
      `${folder} may not be executed: check its permissions.`,
    ]);
  });
});

describe("what a program starts", () => {
  it("does not hold its end up by holding its pipes, and is ended", async () => {
    const result = await shell("sleep 300 & echo $!; echo answer >&2");
    expect([result.exit_code, result.stderr]).toEqual([0, "answer\n"]);
    await result.settled;
    expect(isAlive(Number(result.stdout))).toBe(false);
  });

  it("is let be when it let go of the pipes and the program ended by itself", async () => {
    const { stdout, settled } = await shell("sleep 300 >/dev/null 2>&1 </dev/null & echo $!");
    await settled;
    const pid = Number(stdout);
    expect(isAlive(pid)).toBe(true);
    endProcess(pid);
  });

  it("may still pass the answer on when the program is over", async () => {
    const script = "exec bash -c 'exec > >(cat); echo answer'";
    const answered = (stdout: Buffer) => stdout.toString() === "answer\n";
    expect((await shell(script, { answered })).stdout).toBe("answer\n");
  });
});

describe("an abort", () => {
  const ways: readonly (readonly [string, string])[] = [
    ["a child in its group", "sleep 300 & echo $!; wait"],
    ["a program that ignores SIGTERM", "trap '' TERM; echo $$; while :; do sleep 0.05; done"],
    ["a child in a session of its own", "setsid sleep 300 & echo $!; wait"],
    [
      "a child of a double fork",
      "(setsid sh -c 'trap \"\" TERM HUP; echo $$; exec sleep 300' &) ; sleep 300",
    ],
    ["a child that let go of the pipes", "sleep 300 >/dev/null 2>&1 & echo $!; wait"],
  ];
  it.each(ways)("ends %s before it is answered", async (_name, line) => {
    const controller = new AbortController();
    const result = await shell(line, {
      signal: controller.signal,
      onOutput: (text) => {
        if (text.includes("\n")) controller.abort();
      },
    });
    expect([result.aborted, isAlive(Number(result.stdout))]).toEqual([true, false]);
  });

  it("before the start starts nothing", async () => {
    await expect(shell("echo x", { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
  });

  it("of an outer run finds what an inner one started", async () => {
    const inner = `
      const { spawn } = require("node:child_process");
      const env = { ...process.env, TENTERHOOK_RUN: process.env.TENTERHOOK_RUN + "inner" };
      const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore", env });
      console.log(child.pid);
      setInterval(() => {}, 1000);`;
    const controller = new AbortController();
    const result = await runProgram({
      ...base,
      file: process.execPath,
      args: ["-e", inner],
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    await eventually(() => expect(isAlive(Number(result.stdout.toString()))).toBe(false));
  });
});
