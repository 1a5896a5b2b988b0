import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { describe, expect, it, onTestFinished } from "vitest";
import { program } from "../../node/mcp/support.ts";
import { bashCall } from "../../support/events.ts";
import { startHttpServer } from "../../support/mcp-servers/http.ts";
import { eventually, isAlive } from "../../support/processes.ts";
import { failureOf, sharedServer, withMcp } from "./support.ts";

const deny = JSON.stringify({ action: "deny", reason: "The tool says no." });

const decided = sharedServer();

describe("a hook that asks an MCP server", () => {
  it("reads the text of the answer as a reply", async () => {
    const decision = await decided({ input: { text: deny } });
    expect([decision.action, decision.reason]).toEqual(["deny", "The tool says no."]);
    expect((await decided({ input: { text: "" } })).action).toBe("continue");
    expect((await decided({ input: { text: '{"ok":true}' } })).runs[0]?.failure).toBeUndefined();
  });

  it("reads an answer that is data, and changes the call by it", async () => {
    const input = { action: "modify", modified_data: { args: { command: "ls" } } };
    const decision = await decided({ tool: "structured", input });
    expect([decision.action, decision.input]).toEqual(["continue", { command: "ls" }]);
  });

  const own = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "No." };
  it.each<readonly [string, readonly unknown[]]>([
    ["I looked at it.", ["continue", undefined]],
    ['{"status":"ok","reason":"words"}', ["continue", undefined]],
    [JSON.stringify({ hookSpecificOutput: { ...own, more: 1 }, seen: true }), ["deny", "No."]],
    [JSON.stringify(own), ["deny", expect.stringContaining("in a form that Claude Code ignores")]],
  ])("with payload: native reads the answer as Claude Code does: %s", async (text, expected) => {
    const definition = { input: { text }, payload: "native" } as const;
    const { action, reason } = await decided(definition, { ...bashCall("ls"), native: { prompt_id: "p" } });
    expect([action, reason]).toEqual(expected);
  });

  it("with payload: native rewrites as Claude Code does", async () => {
    const updatedInput = { command: "pwd" };
    const text = JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } });
    const definition = { input: { text }, payload: "native", on_failure: "open" } as const;
    const { action, input } = await decided(definition, { ...bashCall("ls"), native: { prompt_id: "p" } });
    expect([action, input]).toEqual(["continue", updatedInput]);
  });

  it("with payload: native fails for a refusal that Claude Code does not read", async () => {
    const answer = { content: [], structuredContent: { hookSpecificOutput: own } };
    const definition = { tool: "answer", input: answer, payload: "native" } as const;
    const { action } = await decided(definition, { ...bashCall("ls"), native: { prompt_id: "p" } });
    expect(action).toBe("deny");
  });

  it("with payload: native fills in fields that only the agent has, and those of other hooks", async () => {
    const text = '{"decision":"block","reason":"${prompt_id} ${tool_input.command}"}';
    const native = { prompt_id: "p1", tool_input: { command: "rm" } };
    const { reason } = await decided({ input: { text }, payload: "native" }, { ...bashCall("ls"), native });
    expect(reason).toBe("p1 ls");
  });

  const says = (text: string) => ({ content: [{ type: "text", text }] });
  const resource = { type: "resource", resource: { uri: "a:b", text: deny } };
  const DIFFERENT = "The structured content and the text of the tool's answer say different things.";
  it.each<readonly [Readonly<Record<string, unknown>>, readonly unknown[]]>([
    [{ ...says(deny), structuredContent: {} }, ["bad_output", DIFFERENT]],
    [{ ...says("{}"), structuredContent: JSON.parse(deny) }, ["bad_output", DIFFERENT]],
    [{ ...says(`so: ${deny}`), structuredContent: {} }, ["bad_output", DIFFERENT]],
    [{ ...says("fine"), structuredContent: { result: deny } }, ["bad_output", DIFFERENT]],
    [
      { content: [{ type: "text", text: "checked" }, resource] },
      ["bad_output", "The tool answered resource where text was expected."],
    ],
    [{ ...says(deny), isError: true }, ["error", `The tool "answer" failed: ${deny}`]],
    [{ ...says(deny), structuredContent: JSON.parse(deny) }, [undefined, undefined]],
    [{ ...says("I looked."), structuredContent: JSON.parse(deny) }, [undefined, undefined]],
    [{ ...says(deny), structuredContent: { result: deny } }, [undefined, undefined]],
    [{ content: [], structuredContent: { result: deny } }, [undefined, undefined]],
  ])("refuses or fails for a refusal in any part of the answer: %j", async (answer, failure) => {
    const [action, ...failed] = failureOf(await decided({ tool: "answer", input: answer }));
    expect([action, failed]).toEqual(["deny", failure]);
  });

  it.each([
    { content: [], structuredContent: { result: null } },
    { content: [], structuredContent: { ok: true } },
    { content: [{ type: "text", text: '{"ok":true}' }], structuredContent: { ok: true } },
  ])("has no opinion when the tool has none: %j", async (answer) => {
    expect(failureOf(await decided({ tool: "answer", input: answer }))).toEqual([
      "continue",
      undefined,
      undefined,
    ]);
  });

  it("gives the tool what the event says", async () => {
    const event = bashCall("", { tool_input: { answer: deny } });
    expect((await decided({ input: { text: "${tool_input.answer}" } }, event)).reason).toBe(
      "The tool says no.",
    );
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, readonly unknown[]]>([
    ["fail", { why: "No ink." }, ["deny", "error", 'The tool "fail" failed: No ink.']],
    [
      "throws",
      {},
      [
        "deny",
        "error",
        expect.stringContaining('The MCP server "box" refused: MCP error -32603: The tool threw.'),
      ],
    ],
    ["die", { say: "Bye." }, ["deny", "error", 'The MCP server "box" ended (exit code 3): Bye.']],
    ["ech", {}, ["deny", "missing", 'The MCP server "box" has no tool "ech". Did you mean "echo"?']],
    ["reply", { text: '{"action":"dny"}' }, ["deny", "bad_output", expect.stringContaining("dny")]],
    [
      "answer",
      { content: [] },
      ["deny", "bad_output", expect.stringContaining("The tool answered nothing.")],
    ],
    ["answer", {}, ["deny", expect.any(String), expect.any(String)]],
    ["reply", { text: 'note: {"deci' }, ["deny", "bad_output", expect.stringContaining("in the middle")]],
    ["image", {}, ["deny", "bad_output", "The tool answered image where text was expected."]],
    ["huge", { bytes: 1_000_001 }, ["deny", "bad_output", "The tool answered more than 1000000 characters."]],
    [
      "huge",
      { bytes: 5_000_000 },
      ["deny", "bad_output", 'The MCP server "box" sent a message of more than 4000000 bytes.'],
    ],
  ])("fails closed when %s %j", async (tool, input, failure) => {
    expect(failureOf(await decided({ tool, input }))).toEqual(failure);
  });

  it("runs out of time when the tool does", async () => {
    const slow = await withMcp({ tool: "slow", timeout: 0.5 });
    const started = await slow.fire(bashCall("ls"));
    expect([started.action, started.runs[0]?.failure?.kind]).toEqual(["deny", "timeout"]);
  });

  it("asks a server at an address", async () => {
    const server = await startHttpServer();
    onTestFinished(() => server.close());
    const hooks = await withMcp({ input: { text: deny } }, { box: { url: server.url } });
    expect((await hooks.fire(bashCall("ls"))).reason).toBe("The tool says no.");
    await hooks.close();
    // It does not wait long for the server, which may be busy.
    await eventually(() => expect(server.sessions.size).toBe(0));
  });

  it("shares the server with the other hooks of the set, and the last one to go ends it", async () => {
    const hooks = createHooks();
    const site = { root: process.cwd(), mcp_servers: { box: program() } };
    const matcher = { events: ["UserPromptSubmit"] } as const;
    const definition = { type: "mcp", server: "box", tool: "pid", matcher } as const;
    const off = await hooks.add({ ...definition, name: "one" }, site);
    await hooks.add({ ...definition, name: "two" }, site);
    const ask = async () => {
      const event = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: "/", prompt: "x" } as const;
      return (await hooks.fire(event)).context.map(({ text }) => Number(text));
    };
    const [first = 0, second = 0] = await ask();
    expect(second).toBe(first);
    expect(hooks.stats().map(({ health }) => health)).toEqual([
      "connected, 2 answered",
      "connected, 2 answered",
    ]);
    off();
    expect(await ask()).toEqual([first]);
    await hooks.close();
    await eventually(() => expect(isAlive(first)).toBe(false));
    expect((await ask())[0]).not.toBe(first);
    await hooks.close();
  });
});

describe("which server is asked", () => {
  const folder = (mcpJson?: unknown): string => {
    const root = mkdtempSync(join(tmpdir(), "mcp-json-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    if (mcpJson !== undefined)
      writeFileSync(join(root, ".mcp.json"), typeof mcpJson === "string" ? mcpJson : JSON.stringify(mcpJson));
    return root;
  };

  it("is found in .mcp.json too, and the configuration goes before", async () => {
    const root = folder({ mcpServers: { box: { type: "stdio", ...program() } } });
    const hooks = await withMcp({ input: { text: deny } }, {}, root);
    expect((await hooks.fire(bashCall("ls"))).reason).toBe("The tool says no.");
    const configured = await withMcp({}, { box: { command: "no-such-program" } }, root);
    expect(failureOf(await configured.fire(bashCall("ls")))[2]).toContain("no-such-program");
  });

  it.each<readonly [unknown, string]>([
    [undefined, 'There is no MCP server "box" in mcp_servers or .mcp.json. Did you mean "bow"?'],
    [{ mcpServers: {} }, 'There is no MCP server "box" in mcp_servers or .mcp.json. Did you mean "bow"?'],
    [
      { mcpServers: { box: { type: "sse", url: "http://x" } } },
      'the server "box" uses the transport sse, which http has replaced.',
    ],
    [{ mcpServers: { box: { command: 7 } } }, "must give command, url and cwd as strings."],
    [{ mcpServers: { box: { command: "x", args: [1] } } }, "must give args as a list of strings."],
    [
      { mcpServers: { box: { command: "x", env: { A: 1 } } } },
      "must give env and headers as strings by name.",
    ],
    ["{", ".mcp.json can't be read: "],
    [[], 'expected { "mcpServers": { name: { "command": … } } }'],
  ])(
    "as %j it is not there: a problem when the hook is added, a refusal when it is asked",
    async (file, message) => {
      const hooks = await withMcp({}, { bow: program() }, folder(file));
      expect(hooks.list()[0]?.problem).toContain(message);
      const [action, kind, problem] = failureOf(await hooks.fire(bashCall("ls")));
      expect([action, kind]).toEqual(["deny", "missing"]);
      expect(problem).toContain(message);
    },
  );

  it("must be a program that is there", async () => {
    const hooks = await withMcp({}, { box: { command: "no-such-program" } });
    expect(hooks.list()[0]?.problem).toBe(
      'The MCP server "box" can\'t be started: There is no program "no-such-program" on the PATH.',
    );
    expect(failureOf(await hooks.fire(bashCall("ls"))).slice(0, 2)).toEqual(["deny", "missing"]);
  });

  it.each<readonly [object, string]>([
    [{ server: "" }, 'Hook "guard": server is ""; it must be a non-empty string.'],
    [{ tool: undefined }, 'Hook "guard": tool is missing; it must be a non-empty string.'],
    [{ input: [] }, 'Hook "guard": input is []; it must be an object.'],
    [{ input: { a: { b: "${tool_input" } } }, 'In input: "${tool_input" is no placeholder'],
    [{ input: { a: "${}" } }, "is no placeholder"],
    [{ input: { a: "${a | json}" } }, "is no placeholder"],
  ])("and a definition with %j is refused", async (definition, message) => {
    await expect(withMcp(definition)).rejects.toThrow(message);
  });
});
