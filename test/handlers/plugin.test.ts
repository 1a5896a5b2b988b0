import { context, createHooks, definePlugin, deny, hook, type Plugin, rewrite } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { echo, says, scratch } from "../agent/support/agents.ts";
import { bashCall } from "../support/events.ts";
import { rulesHook } from "../support/hook-definitions.ts";

const acme = definePlugin({
  name: "acme",
  hooks: [
    hook("PreToolUse", { name: "no-sudo", tools: "Bash" }, ({ tool_input }) =>
      String(tool_input.command).startsWith("sudo") ? deny("Without sudo, please.") : undefined,
    ),
    hook("PreToolUse", { name: "quiet", tools: "Bash", recheck: false }, ({ tool_input }) =>
      tool_input.command === "npm ci" ? rewrite({ command: "npm ci --silent" }) : undefined,
    ),
    hook("SessionStart", {}, () => context("Tests run with make.")),
    rulesHook("no-latest", 'command matches ":latest" -> deny("Name a version.")'),
  ],
  rules: 'command runs "npm publish" -> deny("CI publishes.")',
  packs: ["git-safety"],
  tools: [echo],
});

const reasons = async (decide: (command: string) => Promise<{ readonly reason?: string }>) =>
  Promise.all(
    ["sudo ls", "docker pull a:latest", "npm publish", "ls"].map(async (one) => (await decide(one)).reason),
  );
const REFUSED = ["Without sudo, please.", "Name a version.", "CI publishes.", undefined];

describe("a plug-in", () => {
  it("is used by a hook set: functions, definitions, rules and packs, under its name, until it is removed", async () => {
    const hooks = createHooks();
    const off = await hooks.use(acme);
    await hooks.use(acme, "git-safety");
    const names = hooks.list().map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("acme/"))).toEqual([
      "acme/no-sudo",
      "acme/quiet",
      "acme/SessionStart",
      "acme/no-latest",
      "acme/rules",
    ]);
    expect(names.length).toBeGreaterThan(5);
    expect(await reasons((command) => hooks.fire(bashCall(command)))).toEqual(REFUSED);
    off();
    expect(hooks.list()).toEqual([]);
  });

  it("decides as one hook when its file is a module of a configuration", async () => {
    const hooks = createHooks();
    hooks.on(["PreToolUse", "SessionStart"], acme);
    expect(await reasons((command) => hooks.fire(bashCall(command)))).toEqual(REFUSED);
    expect((await hooks.fire(bashCall("npm ci"))).input).toEqual({ command: "npm ci --silent" });
    const start = { hook_event_name: "SessionStart", session_id: "s", cwd: "/" } as const;
    expect((await hooks.fire(start)).context.map(({ text }) => text)).toEqual(["Tests run with make."]);
  });

  it("gives an agent its hooks and its tools, before the first event", async () => {
    const heard: string[] = [];
    const watching = definePlugin({
      name: "watching",
      hooks: [
        hook(["SessionStart", "PostToolUse"], {}, ({ hook_event_name }) => void heard.push(hook_event_name)),
      ],
    });
    const agent = new Agent({
      model: scriptedModel([{ tool_calls: [says("hello")] }, { text: "Done." }]),
      tools: [],
      plugins: [acme, watching],
      cwd: scratch(),
    });
    await agent.run("Go.");
    await agent.close();
    expect(heard).toEqual(["SessionStart", "PostToolUse"]);
  });

  it.each([
    [{ name: "a", hook: [] }, 'Plug-in "a" has the unknown key "hook". Did you mean "hooks"?'],
    [{ name: "" }, "A plug-in needs a name"],
    [{ name: "a", hooks: {} }, 'Plug-in "a": hooks must be a list.'],
  ])("with a mistake is refused at once: %j", (given, message) => {
    expect(() => definePlugin(JSON.parse(JSON.stringify(given)) as Plugin)).toThrow(message);
    const model = scriptedModel([]);
    const plugins = [JSON.parse(JSON.stringify(given)) as Plugin];
    expect(() => new Agent({ model, plugins })).toThrow(message);
  });

  it("with a bad hook is refused when it is used, by name", async () => {
    const bad = definePlugin({ name: "bad", rules: "command runz x -> deny()" });
    await expect(createHooks().use(bad)).rejects.toThrow('Plug-in "bad": ');
  });
});
