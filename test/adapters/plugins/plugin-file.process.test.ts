import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { opencodeIntegration } from "../../../src/adapters/opencode/integration.ts";
import { piIntegration } from "../../../src/adapters/pi/integration.ts";
import { MISSING } from "../../../src/adapters/settings/installed-texts.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenterhook-plugin-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SESSION = { session: { get: async () => ({ data: {} }) }, tui: { showToast: async () => undefined } };
const BEFORE = { native: "tool.execute.before", timeout: 60, gate: true, matcher: "^(?:bash)$" };
const AFTER = { native: "tool.execute.after", timeout: 60, gate: false };

interface Loaded {
  readonly module: { readonly default: { setup(host: object): Promise<void> } };
  beforeCall(input: object, output: { args: Record<string, unknown> }): Promise<void>;
  afterCall(input: object, output: Record<string, unknown>): Promise<void>;
}

/** The plug-in as `install` writes it for opencode, with this shell script in place of our program. */
async function loaded(script: string, more: object = {}): Promise<Loaded> {
  const program = join(folder, "program.sh");
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const events = [BEFORE, AFTER].map((event) => ({ ...event, command: "./program.sh hook", ...more }));
  const file = join(folder, "tenterhook.js");
  writeFileSync(file, opencodeIntegration.settings.install(undefined, events) ?? "");
  const module = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const hooks = await module.default.server({ client: SESSION, directory: folder });
  return { module, beforeCall: hooks["tool.execute.before"], afterCall: hooks["tool.execute.after"] };
}

const CALL = { tool: "bash", sessionID: "ses_1", callID: "call_1" };
const call = () => ({ args: { command: "ls", description: "List" } });

describe("a call in the plug-in", () => {
  it("is refused with the reason", async () => {
    const { beforeCall } = await loaded(`echo '{"deny":"Not here."}'`);
    await expect(beforeCall(CALL, call())).rejects.toThrow("Not here.");
  });

  it("keeps its object when its input is rewritten, because the agent ignores a new one", async () => {
    const { beforeCall } = await loaded(`echo '{"input":{"command":"pwd"}}'`);
    const output = call();
    const { args } = output;
    await beforeCall(CALL, output);
    expect([output.args === args, args]).toEqual([true, { command: "pwd" }]);
  });

  it("is sent with all that hooks need", async () => {
    const { beforeCall } = await loaded('cat > "$(dirname "$0")/payload.json"');
    await beforeCall(CALL, call());
    expect(JSON.parse(readFileSync(join(folder, "payload.json"), "utf8"))).toEqual({
      plugin: "opencode",
      hook_event_name: "tool.execute.before",
      session_id: "ses_1",
      cwd: folder,
      tool_name: "bash",
      tool_use_id: "call_1",
      tool_input: { command: "ls", description: "List" },
    });
  });

  it("of a tool that no hook wants starts no process, and another copy of the plug-in may still rewrite it", async () => {
    const { beforeCall } = await loaded("exit 2");
    const { args } = call();
    await expect(beforeCall({ ...CALL, tool: "read" }, { args })).resolves.toBeUndefined();
    args.command = "pwd";
    expect(args).toEqual({ ...call().args, command: "pwd" });
  });

  it.each([
    ["writes nonsense", "echo nonsense", "could not decide"],
    ["answers with a list", "echo '[]'", "is not an object"],
    ["fails", "echo 'it broke' >&2; exit 2", "it broke"],
    ["fails without a word", "exit 7", "exit code 7"],
    ["is killed", "kill -9 $$", "SIGKILL"],
    ["reads nothing and fails", "exec <&-; exit 1", "exit code 1"],
  ])("is refused when our program %s", async (_what, script, reason) => {
    const { beforeCall } = await loaded(script);
    await expect(beforeCall(CALL, call())).rejects.toThrow(reason);
  });

  it("is refused when our program never answers", async () => {
    const { beforeCall } = await loaded("sleep 30", { timeout: 1 });
    await expect(beforeCall(CALL, call())).rejects.toThrow("no answer within 1 second");
  });

  it("is refused when our program is gone", async () => {
    const { beforeCall } = await loaded("exit 0");
    rmSync(join(folder, "program.sh"));
    await expect(beforeCall(CALL, call())).rejects.toThrow(MISSING);
  });

  it("asks a program that is kept in the user's folders, and never one of the project's", async () => {
    const plant = (path: string): void => {
      mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, path, "tenterhook"), "#!/bin/sh\necho '{}'\n", { mode: 0o755 });
    };
    const { beforeCall } = await loaded("exit 0", { command: "tenterhook hook" });
    const before = { cwd: process.cwd(), environment: process.env };
    process.chdir(folder);
    try {
      for (const path of ["tenterhook/program", "state/tenterhook/program"]) plant(path);
      for (const state of ["", "state"]) {
        process.env = { PATH: "/usr/bin:/bin", HOME: join(folder, "home"), XDG_STATE_HOME: state };
        await expect(beforeCall(CALL, call())).rejects.toThrow(MISSING);
      }
      plant("home/.local/state/tenterhook/program");
      await expect(beforeCall(CALL, call())).resolves.toBeUndefined();
    } finally {
      process.chdir(before.cwd);
      process.env = before.environment;
    }
  });
});

/** The plug-in as opencode 2 starts it: the hooks that it registers, by name. */
async function inSecond(script: string) {
  const { module } = await loaded(script);
  const hooks = new Map<string, (event: object) => Promise<void>>();
  const hook = async (name: string, handler: (event: object) => Promise<void>) => hooks.set(name, handler);
  const session = {
    get: async ({ sessionID }: { sessionID: string }) => (sessionID === "ses_2" ? { parentID: "ses_1" } : {}),
  };
  const host = { location: { directory: folder }, tool: { hook }, permission: { hook }, session };
  await module.default.setup(host);
  return (name: string, event: object) => hooks.get(name)?.(event) ?? expect.fail(name);
}

describe("a call in the plug-in in opencode 2, of which nobody has run the program", () => {
  const second = () => ({ tool: "shell", sessionID: "ses_2", id: "call_1", input: { command: "ls" } });

  it("is sent by the names of opencode 1, with the session of its parent", async () => {
    const fire = await inSecond('cat > "$(dirname "$0")/payload.json"');
    await fire("execute.before", second());
    expect(JSON.parse(readFileSync(join(folder, "payload.json"), "utf8"))).toMatchObject({
      hook_event_name: "tool.execute.before",
      session_id: "ses_1",
      agent_id: "ses_2",
      cwd: folder,
      tool_name: "bash",
      tool_input: { command: "ls" },
    });
  });

  it("is refused, and gets no permission either", async () => {
    const fire = await inSecond(`echo '{"deny":"Not here."}'`);
    await expect(fire("execute.before", second())).rejects.toThrow("Not here.");
    const evaluation = { source: { id: "call_1" }, effect: "allow" };
    await fire("evaluate", evaluation);
    expect(evaluation).toMatchObject({ effect: "deny", message: "Not here." });
    const other = { source: { id: "call_2" }, effect: "allow" };
    await fire("evaluate", other);
    expect(other.effect).toBe("allow");
  });

  it("runs as it was rewritten, and nobody changes it afterwards", async () => {
    const fire = await inSecond(`echo '{"input":{"command":"pwd"}}'`);
    const event = second();
    await fire("execute.before", event);
    expect(() => Object.assign(event.input, { command: "rm" })).toThrow("wanted to change");
    expect(event.input).toEqual({ command: "pwd" });
  });

  it("has its result replaced, with the context behind it", async () => {
    const fire = await inSecond(`echo '{"output":"[redacted]","context":"Take care."}'`);
    const result = { content: [{ type: "text", text: "secret" }] };
    await fire("execute.after", { ...second(), status: "completed", result });
    expect(result.content).toEqual([
      { type: "text", text: "[redacted]" },
      { type: "text", text: "Take care." },
    ]);
  });

  it("opencode 1, which calls this too and gives it no tools, is not disturbed", async () => {
    const { module } = await loaded("exit 2");
    await expect(module.default.setup({})).resolves.toBeUndefined();
  });
});

describe("a result in the plug-in", () => {
  it("is replaced where the user and the model see it, and gets the context", async () => {
    const { afterCall } = await loaded(`echo '{"output":"[redacted]","context":"Take care."}'`);
    const result = { output: "secret", metadata: { output: "secret" } };
    await afterCall({ ...CALL, args: {} }, result);
    expect(result).toEqual({
      output: "[redacted]\n\nTake care.",
      metadata: { output: "[redacted]" },
    });
  });

  it("of an MCP server keeps its form", async () => {
    const { afterCall } = await loaded(`echo '{"output":"[redacted]"}'`);
    const result = { content: [{ type: "text", text: "secret" }] };
    await afterCall({ ...CALL, args: {} }, result);
    expect(result.content).toEqual([{ type: "text", text: "[redacted]" }]);
  });
});

describe("the file that install writes", () => {
  it("imports nothing but modules of Node: a missing one would leave the agent without a gate", () => {
    for (const { settings } of [opencodeIntegration, piIntegration]) {
      const text = settings.install(undefined, [BEFORE]) ?? "";
      const imported = [...text.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name]) => name);
      expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([]);
    }
  });

  it("exports what opencode 1 and 2 load, and nothing else: both drop a plug-in for anything else", async () => {
    const file = join(folder, "plugin.mjs");
    writeFileSync(file, opencodeIntegration.settings.install(undefined, [BEFORE]) ?? "");
    const module: object = await import(/* @vite-ignore */ pathToFileURL(file).href);
    expect({ ...module }).toEqual({
      default: { id: `tenterhook${file}`, server: expect.any(Function), setup: expect.any(Function) },
    });
  });

  it("is the same when it is installed again, is drifted when its code was changed, and is removed", () => {
    const { settings } = opencodeIntegration;
    const text = settings.install(undefined, [BEFORE]);
    expect(settings.install(text, [BEFORE])).toBe(text);
    expect(settings.installed(text)).toEqual(["tool.execute.before"]);
    expect(settings.drifted(text, [BEFORE])).toEqual([]);
    expect(settings.drifted(text?.replace("throw new Error", "void new Error"), [BEFORE])).toMatchObject([
      { gate: true, different: ["code"] },
    ]);
    expect(settings.uninstall(text)).toBeUndefined();
  });

  it("is open for tools that hooks came to want later, which counts as drifted", () => {
    const { settings } = opencodeIntegration;
    const text = settings.install(undefined, [BEFORE]);
    expect(settings.drifted(text, [{ ...BEFORE, matcher: "^(?:bash|write)$" }])).toMatchObject([
      { gate: true, narrow: true },
    ]);
  });

  it("does not replace a file of somebody else", () => {
    expect(() => opencodeIntegration.settings.install("export const Mine = 1;\n", [BEFORE])).toThrow(
      /did not write this file/,
    );
    expect(opencodeIntegration.settings.uninstall("export const Mine = 1;\n")).toBe(
      "export const Mine = 1;\n",
    );
  });
});
