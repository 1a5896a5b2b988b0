import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HookDefinition } from "tenterhook";
import { describe, expect, it } from "vitest";
import { bashCall } from "../support/events.ts";
import { needs } from "../support/needs.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { heldTimeout, scriptFolder, withCommand } from "./support/commands.ts";

const { root, write } = scriptFolder();

describe("3: a gate's timeout", () => {
  const LEAVES = [
    "sleep 300 & echo $! > pid; sleep 300",
    "setsid sh -c 'echo $$ > pid; exec sleep 300' & sleep 300",
    "(setsid sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 1; done' >/dev/null 2>&1 &) ; sleep 300",
  ];
  it.each(LEAVES)("does not let the tool run, and no grandchild lives on: %s", async (command) => {
    const file = write("pid", "");
    const { timeout, end } = heldTimeout();
    const { hooks } = await withCommand(root, { command, timeout });
    const deciding = hooks.fire(bashCall());
    await eventually(() => expect(readFileSync(file, "utf8")).toMatch(/^\d+\n$/));
    end();
    const { action, runs } = await deciding;
    expect([action, runs[0]?.failure?.kind]).toEqual(["deny", "timeout"]);
    expect(isAlive(Number(readFileSync(file, "utf8")))).toBe(false);
  });

  it("never runs the tool of a call", async () => {
    const { hooks } = await withCommand(root, { command: "sleep 300", timeout: 0.2 });
    let ran = false;
    const execute = async (): Promise<void> => {
      ran = true;
    };
    const call = hooks.toolCall({ ...bashCall(), execute });
    await expect(call).rejects.toMatchObject({ code: "tool_denied" });
    expect(ran).toBe(false);
  });
});

it("the decision returns at exit although a grandchild holds the pipes, with the answer it left in them", async () => {
  const { hooks } = await withCommand(root, {
    command: 'sleep 300 & echo $! > holder; echo \'{"action":"deny","reason":"answered"}\'',
    timeout: 200,
  });
  expect((await hooks.fire(bashCall())).reason).toBe("answered");
  await hooks.close();
  const holder = Number(readFileSync(join(root, "holder"), "utf8"));
  await eventually(() => expect(isAlive(holder)).toBe(false));
});

describe("4: a hook that crashes", () => {
  it.each(["kill -ABRT $$", "exit 139", "exec python3 -c 'raise ValueError()'", "exec node -e 'throw 1'"])(
    "neither kills the run nor opens the gate: %s",
    async (command) => {
      if (command.includes("python3")) needs("python3");
      const { hooks } = await withCommand(root, { command });
      const { action, runs, user_messages } = await hooks.fire(bashCall());
      expect([action, runs[0]?.failure?.kind, user_messages.length]).toEqual(["deny", "error", 1]);
    },
  );
});

describe("15: text of several bytes", () => {
  it("is cut on a character boundary wherever it is cut", async () => {
    const { hooks, runEvents } = await withCommand(root, {
      command: `exec node -e 'process.stderr.write("a" + "€".repeat(400000)); process.exitCode = 2'`,
    });
    const { action, reason = "", runs } = await hooks.fire(bashCall());
    const shown = runEvents.flatMap((event) => (event.type === "output" ? [event.text] : [])).join("");
    expect([action, runs[0]?.failure]).toEqual(["deny", undefined]);
    expect([reason.includes("�"), /^a€+…$/.test(reason)]).toEqual([false, true]);
    expect([shown.length, /^a€+$/.test(shown)]).toEqual([333_334, true]);
  });

  it("comes through whole, however the pipe splits it", async () => {
    write(
      "slow.mjs",
      'for (const byte of Buffer.from("ä€𝄞")) { process.stderr.write(Buffer.from([byte])); await new Promise((go) => setTimeout(go, 5)); }\nprocess.exitCode = 2;',
    );
    const { hooks, runEvents } = await withCommand(root, { script: "slow.mjs" });
    expect((await hooks.fire(bashCall())).reason).toBe("ä€𝄞");
    expect(runEvents.flatMap((event) => (event.type === "output" ? [event.text] : [])).join("")).toBe("ä€𝄞");
  });
});

it("17: a cancelled run has an end for every begin", async () => {
  const { hooks, runEvents } = await withCommand(root, { command: "echo $$; exec sleep 300" });
  const controller = new AbortController();
  const deciding = hooks.fire(bashCall(), { signal: controller.signal });
  await eventually(() => expect(runEvents.map(({ type }) => type)).toContain("output"));
  controller.abort();
  const { action, runs } = await deciding;
  expect([action, runs[0]?.failure?.kind]).toEqual(["deny", "cancelled"]);
  expect(runEvents.map(({ type }) => type)).toEqual(["begin", "output", "end"]);
  const pid = runEvents.flatMap((event) => (event.type === "output" ? [Number(event.text)] : []))[0] ?? 0;
  expect(isAlive(pid)).toBe(false);
});

describe("20: never an allow by accident", () => {
  const ACCIDENTS: readonly (readonly [Partial<HookDefinition>, string])[] = [
    [{ command: ["no-such-binary"] }, "missing"],
    [{ command: "no-such-binary" }, "missing"],
    [{ script: "no-such-script.sh" }, "missing"],
    [{ script: "no-such-script.py" }, "missing"],
    [{ command: "echo '{\"ok\":true'" }, "bad_output"],
    [{ command: "echo '{\"ok\":true} trailing'" }, "bad_output"],
    [{ command: 'echo \'{"permissionDecision":"allow"}\'' }, "bad_output"],
    [{ command: 'echo \'{"decision":"approve","alow":1}\'' }, "bad_output"],
    [{ command: 'printf \'{"decision":"approve"}\\377\'' }, "bad_output"],
    [{ command: 'echo \'{"decision":"approve"}\'; exit 1' }, "error"],
    [{ command: 'echo \'{"decision":"approve"}\'; kill -KILL $$' }, "error"],
  ];
  it.each(ACCIDENTS)("%j", async (definition, kind) => {
    const { hooks } = await withCommand(root, definition);
    const { action, runs } = await hooks.fire(bashCall());
    expect([action, runs[0]?.failure?.kind]).toEqual(["deny", kind]);
  });
});
