import { describe, expect, it } from "vitest";
import { kill } from "../../support/faults/kill.ts";
import { eventually, isAlive } from "../../support/processes.ts";
import { clientOf, failureOf, options, program, textOf } from "./support.ts";

describe("a server that is a program", () => {
  it("that is stuck is left, and replaced", async () => {
    const client = clientOf(program());
    const first = Number(await textOf(client, "pid"));
    const stuck = client.callTool("stuck", {}, { ...options, milliseconds: 50 });
    expect((await failureOf(stuck))[0]).toBe("timeout");
    expect(Number(await textOf(client, "pid"))).not.toBe(first);
    await eventually(() => expect(isAlive(first)).toBe(false));
  });

  it.each([">&1", ">&2"])("is quoted without half a character, from %s", async (stream) => {
    const line = `x${"🙂".repeat(400)}`;
    const client = clientOf({
      command: "sh",
      args: ["-c", `read -r request; printf '%s\n' "$0" ${stream}; exit 4`, line],
    });
    const [, message] = await failureOf(client.callTool("pid", {}, options));
    expect(message).toContain("🙂");
    expect(Buffer.from(message).toString()).toBe(message);
    expect(message).not.toMatch(/\\ud/);
  });

  it("waits longer from failure to failure before it is started again", async () => {
    const client = clientOf(program("ends at once"));
    for (let failures = 1; failures <= 3; failures += 1) {
      await failureOf(client.callTool("pid", {}, options));
      const times = failures === 1 ? "failed 1 times in a row" : `failed ${failures} times in a row`;
      expect(client.health()).toBe(`not connected, 0 answered, ${times}`);
    }
  });

  it("is not asked by more than a few at once: a loop ends", async () => {
    const client = clientOf(program());
    await textOf(client, "pid");
    const aborts = Array.from({ length: 64 }, () => new AbortController());
    const calls = aborts.map(({ signal }) => client.callTool("slow", {}, { signal }));
    expect(await failureOf(client.callTool("pid", {}, options))).toEqual([
      "error",
      'The MCP server "box" is not asked: 64 calls are under way: does it cause the events it is asked about?',
    ]);
    for (const abort of aborts) abort.abort();
    await Promise.allSettled(calls);
  });

  it("that was killed while nobody asked is there again for the next call", async () => {
    const client = clientOf(program());
    const pid = Number(await textOf(client, "pid"));
    kill(pid);
    await eventually(() => expect(client.health()).toMatch(/^not connected/));
    expect(await textOf(client, "reply", { text: "hello" })).toBe("hello");
  });

  it("is let go at once when the caller does not want to wait any more", async () => {
    const client = clientOf(program());
    const reason = new Error("changed my mind");
    const abort = new AbortController();
    await textOf(client, "pid");
    const slow = client.callTool("slow", {}, { signal: abort.signal });
    abort.abort(reason);
    await expect(slow).rejects.toBe(reason);
    const late = new AbortController();
    const silent = clientOf(program("says nothing"));
    const connecting = silent.callTool("pid", {}, { signal: late.signal });
    late.abort(reason);
    await expect(connecting).rejects.toBe(reason);
    await expect(silent.callTool("pid", {}, { signal: late.signal })).rejects.toBe(reason);
  });
});
