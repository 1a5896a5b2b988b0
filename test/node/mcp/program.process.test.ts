import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { isAlive } from "../../support/processes.ts";
import { clientOf, failureOf, options, program, textOf } from "./support.ts";

describe("a server that is a program", () => {
  it("is started at the first call, asked again without a new start, and lists all pages of its tools", async () => {
    const client = clientOf(program());
    expect(client.health()).toBe("not connected, 0 answered");
    const pid = await textOf(client, "pid");
    expect(await textOf(client, "pid")).toBe(pid);
    const tools = await client.listTools(options);
    expect(tools.length).toBeGreaterThan(15);
    expect(tools.find(({ name }) => name === "echo")).toEqual({
      name: "echo",
      description: "Does echo.",
      inputSchema: { type: "object", properties: {} },
      hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    });
    expect(client.health()).toBe("connected, 3 answered");
  });

  it("is given its arguments, variables and folder, and no secrets", async () => {
    const environment = { ...process.env, MY_API_KEY: "s3cret", ANTHROPIC_API_KEY: "s3cret", PLAIN: "yes" };
    const server = program("well", { env: { TOKEN: "${MY_API_KEY}", SIZE: "${NONE:-5}" }, cwd: tmpdir() });
    const client = clientOf(server, { environment });
    const variables = (await textOf(client, "variables")).split(" ");
    expect(variables).toEqual(expect.arrayContaining(["PATH", "PLAIN", "SIZE", "TOKEN"]));
    expect(variables).not.toContain("MY_API_KEY");
    expect(variables).not.toContain("ANTHROPIC_API_KEY");
    expect(await textOf(client, "variable", { name: "TOKEN" })).toBe("s3cret");
    expect(await textOf(client, "variable", { name: "SIZE" })).toBe("5");
  });

  it("may print to the wrong stream", async () => {
    expect(await textOf(clientOf(program()), "noise")).toBe("after noise");
  });

  it("that dies fails the call with its last words, and is there again for the next one", async () => {
    const client = clientOf(program());
    const first = await textOf(client, "pid");
    const other = client.callTool("slow", {}, options);
    const dying = client.callTool("die", { say: "Out of ink." }, options);
    const message = 'The MCP server "box" ended (exit code 3): Out of ink.';
    expect(await failureOf(dying)).toEqual(["error", message]);
    expect(await failureOf(other)).toEqual(["error", message]);
    expect(await textOf(client, "pid")).not.toBe(first);
  });

  it.each([
    ["ends at once", "error", 'The MCP server "box" ended (exit code 4): No licence found.'],
    [
      "prints garbage",
      "timeout",
      `The MCP server "box" did not answer in time: It printed what is no message: Unexpected token 'W', "Welcome to"... is not valid JSON.`,
    ],
    ["says nothing", "timeout", 'The MCP server "box" did not answer in time.'],
  ])("that %s is a failure", async (way, kind, message) => {
    const server =
      way === "prints garbage"
        ? { command: "sh", args: ["-c", "echo Welcome to the server!; cat >/dev/null"] }
        : program(way);
    // What it says at the start must come before the time is over.
    const client = clientOf(server, {}, way === "says nothing" ? 1_000 : 10_000);
    expect(await failureOf(client.callTool("pid", {}, options))).toEqual([kind, message]);
  });

  it.each([
    [
      { command: "no-such-server" },
      "missing",
      'The MCP server "box" can\'t be started: There is no program "no-such-server" on the PATH.',
    ],
    [{}, "missing", 'The MCP server "box" can\'t be reached: it needs either a command or a url.'],
    [
      { command: "x", env: { A: "${NOT_SET_ANYWHERE}" } },
      "missing",
      'The MCP server "box" can\'t be reached: the variable NOT_SET_ANYWHERE is not set.',
    ],
    [
      { url: "file:///etc" },
      "missing",
      'The MCP server "box" can\'t be reached: file: is neither http: nor https:.',
    ],
  ])("as %j can't be reached", async (server, kind, message) => {
    expect(await failureOf(clientOf(server).callTool("pid", {}, options))).toEqual([kind, message]);
  });

  it("that answers too much, or what is no result, is a failure and not an answer", async () => {
    const client = clientOf(program());
    expect(await failureOf(client.callTool("huge", { bytes: 5_000_000 }, options))).toEqual([
      "bad_output",
      'The MCP server "box" sent a message of more than 4000000 bytes.',
    ]);
    const wrong = clientOf(program("answers wrongly"));
    const noResult = ["bad_output", 'The MCP server "box" answered what is no MCP result.'];
    expect(await failureOf(wrong.callTool("pid", {}, options))).toEqual(noResult);
    expect(await failureOf(wrong.listTools(options))).toEqual(noResult);
    expect(await failureOf(client.callTool("nothing like it", {}, options))).toEqual([
      "refused",
      'The MCP server "box" refused: MCP error -32603: Tool nothing like it not found',
    ]);
  });

  it.each(["well", "ignores signals"])(
    "that behaves %s is gone when it was closed, with what it started",
    async (way) => {
      const client = clientOf(program(way));
      const pid = Number(await textOf(client, "pid"));
      const child = Number(await textOf(client, "child"));
      expect([isAlive(pid), isAlive(child)]).toEqual([true, true]);
      await client.close();
      expect([isAlive(pid), isAlive(child)]).toEqual([false, false]);
      expect(await textOf(client, "reply", { text: "again" })).toBe("again");
    },
  );
});
