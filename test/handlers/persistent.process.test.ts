import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Decision, HookDefinition } from "tenterhook";
import { describe, expect, it } from "vitest";
import { WorkerPool } from "../../src/handlers/persistent/worker-pool.ts";
import { mustBeBuilt, ROOT } from "../repository/support/files.ts";
import { bashCall } from "../support/events.ts";
import { eventually, isAlive, processesWith } from "../support/processes.ts";
import { heldTimeout, scriptFolder, withCommand } from "./support/commands.ts";

const { root, write } = scriptFolder();

/** A persistent hook in JavaScript: `answer(event, line)` is what it writes for each line; nothing when undefined. */
function persistent(name: string, answer: string, more: Partial<HookDefinition> = {}) {
  write(
    `${name}.mjs`,
    `import { createInterface } from "node:readline";
let count = 0;
const reply = (event, more = {}) => JSON.stringify({ request_id: event.request_id, ...more }) + "\\n";
const deny = (event, reason) => reply(event, { action: "deny", reason: String(reason) });
for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  const command = event.tool_input.command;
  count += 1;
  ${answer}
}`,
  );
  return withCommand(root, { script: `${name}.mjs`, mode: "persistent", ...more });
}

function failureOf({ action, runs }: Decision): unknown {
  return [action, runs[0]?.failure?.kind, runs[0]?.failure?.message];
}

describe("a persistent hook", () => {
  it("is one process for all events, which is asked line by line", async () => {
    const { hooks } = await persistent(
      "one",
      'process.stdout.write(deny(event, [process.pid, count, command].join(" ")));',
    );
    const reasons: string[] = [];
    for (const command of ["a", "ä\n€", "c"])
      reasons.push((await hooks.fire(bashCall(command))).reason ?? "");
    const [pid = "0"] = reasons[0]?.split(" ") ?? [];
    expect(reasons).toEqual([`${pid} 1 a`, `${pid} 2 ä\n€`, `${pid} 3 c`]);
    expect(hooks.stats()[0]?.health).toBe("1 running, 3 answered, 0 replaced");
    await hooks.close();
    expect([isAlive(Number(pid)), hooks.stats()[0]?.health]).toEqual([
      false,
      "0 running, 3 answered, 0 replaced",
    ]);
    expect((await hooks.fire(bashCall("again"))).reason).toMatch(/^\d+ 1 again$/);
    await hooks.close();
  });

  it("leaves no process when it is taken out while an event that asks it is being decided", async () => {
    const { hooks, off } = await persistent(
      "removed",
      "process.stdout.write(deny(event, String(process.pid)));",
    );
    hooks.on("PreToolUse", { priority: 1 }, async () => off());
    const { reason = "0" } = await hooks.fire(bashCall());
    expect(reason).toMatch(/^\d+$/);
    await eventually(() => expect(isAlive(Number(reason))).toBe(false));
  });

  it("answers nothing but its request_id to have no opinion", async () => {
    const { hooks } = await persistent("none", "process.stdout.write(reply(event));");
    expect(await hooks.fire(bashCall())).toMatchObject({ action: "continue", runs: [{ name: "guard" }] });
    await hooks.close();
  });

  it("shows what it says on stderr while it is asked", async () => {
    const answer = `process.stderr.write("thinking\\n");
      const { existsSync } = await import("node:fs");
      while (!existsSync("heard")) await new Promise((resolve) => setTimeout(resolve, 20));
      process.stdout.write(reply(event));`;
    const { hooks, runEvents } = await persistent("loud", answer);
    const deciding = hooks.fire(bashCall());
    const outputs = () =>
      runEvents.flatMap((event) => (event.type === "output" ? [[event.stream, event.text]] : []));
    await eventually(() => expect(outputs()).toEqual([["stderr", "thinking\n"]]));
    write("heard", "");
    expect((await deciding).action).toBe("continue");
    await hooks.close();
  });

  it("answers events that come at once one after the other, or with a pool side by side", async () => {
    const answer = "setTimeout(() => process.stdout.write(deny(event, process.pid)), 20);";
    for (const [pool, most] of [
      [1, 1],
      [3, 3],
    ] as const) {
      const { hooks } = await persistent(`pool-${pool}`, answer, { pool });
      const events = Array.from({ length: 9 }, (_, number) =>
        bashCall(`${number}`, { session_id: `s${number}` }),
      );
      const decisions = await Promise.all(events.map((event) => hooks.fire(event)));
      const pids = new Set(decisions.map(({ reason }) => reason));
      expect([decisions.every(({ action }) => action === "deny"), pids.size <= most]).toEqual([true, true]);
      await hooks.close();
      expect([...pids].filter((pid) => isAlive(Number(pid)))).toEqual([]);
    }
  });
});

describe("what is no answer is a failure, and the process is replaced", () => {
  const WRONG: readonly (readonly [string, string, string])[] = [
    [
      "an answer to another request",
      'process.stdout.write(reply({ request_id: "x" }));',
      "of another request",
    ],
    ["an answer without an id", 'process.stdout.write("{}\\n");', "lacks the request_id"],
    ["garbage", 'process.stdout.write("ok\\n");', "not a JSON object"],
    ["a list", 'process.stdout.write("[]\\n");', "not a JSON object"],
    ["an answer twice", "process.stdout.write(reply(event) + reply(event));", "more than one line"],
    ["bytes that are no UTF-8", "process.stdout.write(Buffer.from([0x7b, 0xff, 0x0a]));", "UTF-8"],
    [
      "a key twice",
      'process.stdout.write(reply(event, { ok: false }).replace("}", ",\\"ok\\":true}"));',
      "twice",
    ],
    ["an unknown key", "process.stdout.write(reply(event, { allow: true }));", "allow"],
    ["a line without an end", 'process.stdout.write("x".repeat(1_000_001));', "more than 1000000 bytes"],
    ["its end", "process.exit(3);", "exit code 3"],
    ["a crash", 'process.stderr.write("why\\n", () => process.kill(process.pid, "SIGKILL"));', "why"],
  ];
  it.each(WRONG)(
    "an invalid answer is a failure, and the process is replaced: %s",
    async (name, wrong, message) => {
      const answer = `if (command === "wrong") { ${wrong} } else process.stdout.write(deny(event, process.pid));`;
      const { hooks } = await persistent(name.replaceAll(/\W/g, "-"), answer, { on_failure: "closed" });
      const before = (await hooks.fire(bashCall("right"))).reason;
      const failed = await hooks.fire(bashCall("wrong"));
      expect(failureOf(failed)).toEqual([
        "deny",
        expect.stringMatching(/error|bad_output/),
        expect.stringContaining(message),
      ]);
      const after = (await hooks.fire(bashCall("right"))).reason;
      expect([/^\d+$/.test(after ?? ""), after === before]).toEqual([true, false]);
      await hooks.close();
      expect([before, after].filter((pid) => isAlive(Number(pid)))).toEqual([]);
    },
  );

  it("a second answer that comes later is never taken for the next one, which is refused once", async () => {
    const answer = `process.stdout.write(reply(event));
      const { existsSync } = await import("node:fs");
      while (!existsSync("more")) await new Promise((resolve) => setTimeout(resolve, 20));
      process.stdout.write(deny(event, 1));`;
    const { hooks } = await persistent("doubled", answer);
    expect((await hooks.fire(bashCall())).action).toBe("continue");
    const more = write("more", "");
    await eventually(() => expect(hooks.stats()[0]?.health).toBe("0 running, 1 answered, 1 replaced"));
    expect(failureOf(await hooks.fire(bashCall()))).toEqual([
      "deny",
      "bad_output",
      expect.stringContaining("each request has one answer"),
    ]);
    rmSync(more);
    expect((await hooks.fire(bashCall())).action).toBe("continue");
    await hooks.close();
  });

  it("no answer in time ends the process with everything it started", async () => {
    const answer = `if (command === "hang") {
      const { spawn } = await import("node:child_process");
      const child = spawn("sh", ["-c", "trap '' TERM; sleep 300"], { detached: true, stdio: "ignore" });
      process.stderr.write(child.pid + " " + process.pid + "\\n");
    } else process.stdout.write(deny(event, "alive"));`;
    const { timeout, end } = heldTimeout();
    const { hooks, runEvents } = await persistent("hang", answer, { timeout });
    const output = () => runEvents.flatMap((event) => (event.type === "output" ? [event.text] : [])).join("");
    const deciding = hooks.fire(bashCall("hang"));
    await eventually(() => expect(output()).toMatch(/^\d+ \d+\n$/));
    end();
    expect(failureOf(await deciding)).toEqual(["deny", "timeout", "No answer within 600 s."]);
    await eventually(() => expect(output().trim().split(" ").map(Number).filter(isAlive)).toEqual([]));
    expect((await hooks.fire(bashCall("more"))).reason).toBe("alive");
    await hooks.close();
  });
});

describe("a process that dies", () => {
  it("between events is started anew with the next one", async () => {
    const answer = "process.stdout.write(deny(event, process.pid), () => process.exit());";
    const { hooks } = await persistent("mortal", answer);
    const first = (await hooks.fire(bashCall())).reason ?? "";
    await eventually(() => expect(hooks.stats()[0]?.health).toContain("0 running"));
    expect((await hooks.fire(bashCall())).reason).not.toBe(first);
    await hooks.close();
  });

  it("at every start is started less and less often, and every event is refused meanwhile", async () => {
    const { hooks } = await withCommand(root, { command: "exit 1", mode: "persistent" });
    for (let time = 0; time < 4; time += 1) expect((await hooks.fire(bashCall())).action).toBe("deny");
    expect(hooks.stats()[0]?.health).toMatch(/^\d running, 0 answered, 4 replaced, failed 4 times in a row/);
    await hooks.close();
  });

  it("because it is not there is missing", async () => {
    const { hooks } = await withCommand(root, { command: ["no-such-program"], mode: "persistent" });
    expect(failureOf(await hooks.fire(bashCall()))).toEqual([
      "deny",
      "missing",
      'There is no program "no-such-program" on the PATH.',
    ]);
  });
});

it("an event that ran out of time while its process was being started leaves no process and no turn taken", async () => {
  const mark = `slow-start-${process.pid}-${Math.random()}`;
  const file = write("forever.sh", "echo started >&2; exec sleep 600");
  const call = {
    file: "/bin/sh",
    args: [file],
    cwd: root,
    environment: { PATH: process.env.PATH, MARK: mark },
  };
  const pool = new WorkerPool(() => call, 1);
  for (let time = 0; time < 2; time += 1) {
    const controller = new AbortController();
    const asking = pool.lend(
      // The start of a program in a sandbox takes its time; whatever ends the event can come then.
      async (worker) => {
        controller.abort(new Error("too late"));
        return worker.ask("{}\n", controller.signal, () => undefined);
      },
      controller.signal,
    );
    await expect(asking).rejects.toThrow("too late");
    expect(processesWith(mark)).toEqual([]);
  }
  await pool.close();
  expect(pool.health()).toBe("0 running, 0 answered, 2 replaced");
});

it("an idle process does not keep ours alive, and ends with it", async () => {
  write(
    "idle.mjs",
    'for await (const line of process.stdin) process.stdout.write(JSON.stringify({ request_id: JSON.parse(line).request_id, action: "deny", reason: String(process.pid) }) + "\\n");',
  );
  mustBeBuilt();
  write(
    "ours.mjs",
    `import { createHooks } from ${JSON.stringify(join(ROOT, "dist/index.js"))};
const hooks = createHooks();
await hooks.add({ name: "x", type: "command", script: "idle.mjs", mode: "persistent", matcher: { events: ["PreToolUse"] } });
console.log((await hooks.fire({ hook_event_name: "PreToolUse", session_id: "s", cwd: "/", tool_name: "Bash", tool_input: {} })).reason);`,
  );
  const child = spawn(process.execPath, ["ours.mjs"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, "close");
  const pid = Number(Buffer.concat(chunks).toString());
  expect([code, pid > 0]).toEqual([0, true]);
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

it("a pool that is no small number is refused", async () => {
  await expect(withCommand(root, { command: "cat", mode: "persistent", pool: 0 })).rejects.toMatchObject({
    message: 'Hook "guard": pool is 0; it must be a whole number from 1 to 8.',
  });
});
