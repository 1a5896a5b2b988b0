import { describe, expect, it } from "vitest";
import { hooksFile, project } from "./support/project.ts";

/** The settings of files in YAML, by scope, and what is said not to count. */
async function merged(files: Readonly<Record<"managed" | "user" | "project" | "local", string>>) {
  const set = project({
    "managed/hooks.yaml": files.managed,
    "user/tenterhook/hooks.yaml": files.user,
    "hooks.yaml": files.project,
    "hooks.local.yaml": files.local,
  });
  const { settings, warnings, limits, sites } = await set.load();
  return { settings, limits, sites, messages: warnings.map(({ message }) => message) };
}

const none = { managed: "", user: "", project: "", local: "" };

describe("a project can only narrow what managed and user files allow:", () => {
  it("models may be chosen where they are left open, numbers only go down", async () => {
    const { settings, messages } = await merged({
      ...none,
      user: "models: { judge: a/judge, judge_budget: 50 }",
      project: "models: { default: b/agent, judge: b/weak, judge_budget: 1000, judge_cache_seconds: 9999 }",
      local: "models: { default: c/agent }",
    });
    expect(settings.models).toEqual({ default: "c/agent", judge: "a/judge", judge_budget: 50 });
    expect(messages).toEqual(
      [
        "models.judge_budget is ignored: 50 is the most a higher scope allows.",
        "models.judge_cache_seconds is ignored: 300 is the most a higher scope allows.",
        "models.judge is ignored: a higher scope has set it.",
      ].toSorted((a, b) => messages.indexOf(a) - messages.indexOf(b)),
    );
  });

  it("fewer agents may work at once, not more, and requests a minute are chosen where they are left open", async () => {
    const { settings, messages } = await merged({
      ...none,
      user: "agents: { max_concurrency: 4 }\nmodels: { rate_limit: { anthropic/*: 50 } }",
      project: "agents: { max_concurrency: 9 }\nmodels: { rate_limit: { anthropic/*: 500 } }",
    });
    expect([settings.agents, settings.models]).toEqual([
      { max_concurrency: 4 },
      { rate_limit: { "anthropic/*": 50 } },
    ]);
    expect(messages.toSorted()).toEqual([
      "agents.max_concurrency is ignored: 4 is the most a higher scope allows.",
      "models.rate_limit is ignored: a higher scope has set it.",
    ]);
  });

  it("conversations may be shortened earlier, not later, and the rest chosen where it is left open", async () => {
    const { settings, messages } = await merged({
      ...none,
      user: "compaction: { threshold_tokens: 50000, model: a/small }\ncheckpoints: { messages: 20 }",
      project:
        "compaction: { threshold_tokens: 90000, model: b/big, keep_tokens: 4 }\ncheckpoints: { messages: 5 }",
    });
    expect([settings.compaction, settings.checkpoints]).toEqual([
      { threshold_tokens: 50000, model: "a/small", keep_tokens: 4 },
      { messages: 20 },
    ]);
    expect(messages.toSorted()).toEqual([
      "checkpoints.messages is ignored: a higher scope has set it.",
      "compaction.model is ignored: a higher scope has set it.",
      "compaction.threshold_tokens is ignored: 50000 is the most a higher scope allows.",
    ]);
    const earlier = await merged({
      ...none,
      user: "compaction: { threshold_tokens: 50000 }",
      project: "compaction: { threshold_tokens: 40000 }",
    });
    expect([earlier.settings.compaction, earlier.messages]).toEqual([{ threshold_tokens: 40000 }, []]);
  });

  it("denials and questions add up; a mode is only ever stricter", async () => {
    const { settings, messages } = await merged({
      managed: "permissions: { deny: [A] }",
      user: "permissions: { deny: [B], ask: [C] }",
      project: "permissions: { mode: bypass, deny: [D], ask: [A] }",
      local: "permissions: { ask: [E] }",
    });
    expect(settings.permissions).toEqual({ deny: ["A", "B", "D"], ask: ["C", "A", "E"] });
    expect(messages).toEqual(["permissions.mode is ignored: it would be looser than default."]);
    const plan = await merged({
      ...none,
      user: "permissions: { mode: accept-edits }",
      project: "permissions: { mode: plan }",
    });
    expect([plan.settings.permissions, plan.messages]).toEqual([{ mode: "plan" }, []]);
  });

  it("what goes on unasked is the project's to say only where nobody above says it", async () => {
    const open = await merged({
      ...none,
      user: "permissions: { deny: [A] }",
      project: "permissions: { allow: [Read] }",
    });
    expect(open.settings.permissions).toEqual({ deny: ["A"], allow: ["Read"] });
    for (const user of ["permissions: { allow: [Read] }", "permissions: { mode: default, allow: [Read] }"]) {
      const { settings, messages } = await merged({
        ...none,
        user,
        project: "permissions: { allow: [Read, Bash] }",
      });
      expect(settings.permissions.allow).toEqual(["Read"]);
      expect(messages).toEqual([
        'permissions.allow "Bash" is ignored: a higher scope decides what runs without asking.',
      ]);
    }
    const strict = await merged({
      ...none,
      user: "permissions: { mode: dont-ask }",
      local: "permissions: { allow: [Bash] }",
    });
    expect(strict.settings.permissions).toEqual({ mode: "dont-ask" });
  });

  it("the sandbox and what is done where an agent can't obey are only ever stricter", async () => {
    const { settings, messages } = await merged({
      ...none,
      user: "sandbox: { mode: workspace-write }\ndegrade: { rewrite: observe }",
      project: "sandbox: { mode: off }\ndegrade: { ask: observe, rewrite: deny }",
    });
    expect([settings.sandbox, settings.degrade]).toEqual([{ mode: "workspace-write" }, { rewrite: "deny" }]);
    expect(messages).toEqual([
      "sandbox.mode is ignored: it would be looser than workspace-write.",
      "degrade.ask is ignored: it would be looser than deny.",
    ]);
    const strict = await merged({
      ...none,
      project: "sandbox: { mode: read-only }\ndegrade: { ask: refuse }",
    });
    expect([strict.settings.sandbox, strict.settings.degrade]).toEqual([
      { mode: "read-only" },
      { ask: "refuse" },
    ]);
  });

  it("servers and memory files are added to those above and never replace them", async () => {
    const { settings, messages } = await merged({
      ...none,
      user: "mcp_servers: { docs: { command: docs } }\nmemory: { files: [ME.md] }",
      project:
        "mcp_servers: { docs: { command: evil }, more: { url: 'http://localhost' } }\nmemory: { files: [X.md] }",
    });
    expect([settings.mcp_servers, settings.memory]).toEqual([
      { docs: { command: "docs" }, more: { url: "http://localhost" } },
      { files: ["ME.md"] },
    ]);
    expect(messages).toEqual(
      [
        "memory.files is ignored: a higher scope has set it.",
        "mcp_servers.docs is ignored: a higher scope has a server of that name.",
      ].toSorted((a, b) => messages.indexOf(a) - messages.indexOf(b)),
    );
  });

  it("a project may configure the monitor, but not to answer for the user", async () => {
    const { settings, messages } = await merged({
      ...none,
      user: "monitor: { on_idle: escalate }",
      project:
        "monitor: { on_idle: done, on_stop: { action: nudge, message: go }, on_prompt: { action: answer, default: y } }",
      local: "",
    });
    expect(settings.monitor).toEqual({ on_idle: "escalate", on_stop: { action: "nudge", message: "go" } });
    expect(messages).toEqual([
      "monitor.on_prompt is ignored: a project can't have questions answered, only escalate or fail.",
      "monitor.on_idle is ignored: a higher scope has set it.",
    ]);
  });

  it("a project can't redirect the user's notifications, run commands for them, or set answers", async () => {
    const webhook = "{ webhook: https://example.com/hook }";
    const { settings, messages } = await merged({
      ...none,
      user: "monitor: { notify: [{ desktop: true }], decisions: { plan: { timeout: 1h } } }",
      project: `monitor: { notify: [${webhook}, { command: ./x.sh }], decisions: { plan: { default: accept } } }`,
      local: "",
    });
    expect(settings.monitor).toEqual({
      notify: [{ desktop: true }],
      decisions: { plan: { timeout: "1h" } },
    });
    expect(messages).toEqual([
      "monitor.decisions is ignored: a project can't have questions answered.",
      "monitor.notify is ignored: a project can only notify the desktop and a webhook.",
      "monitor.notify is ignored: a higher scope has set it.",
    ]);
  });

  it("a project may notify the desktop and a webhook where the user has no channel, and no other one", async () => {
    const { settings } = await merged({
      ...none,
      project: `monitor: { notify: [{ command: ./x.sh }, { desktop: true }, { webhook: https://example.com/hook },
        { telegram: 1, token_env: ANTHROPIC_API_KEY, url: https://example.com },
        { ntfy: a, replies: b, url: https://example.com }] }`,
      local: "",
    });
    const notify = [{ desktop: true }, { webhook: "https://example.com/hook" }];
    expect(settings.monitor).toEqual({ notify });
  });

  it("limits go down, also from the default", async () => {
    const { limits, messages } = await merged({
      ...none,
      user: "hooks: { limits: { hook_turns: 20 } }",
      project: "hooks: { limits: { hook_turns: 15, stop_continuations: 100, turn_seconds: 60 } }",
    });
    expect(limits).toEqual({ hook_turns: 15, stop_continuations: 8, turn_seconds: 60 });
    expect(messages).toEqual([
      "hooks.limits.stop_continuations is 100, but a project may have at most 8, so 8 applies.",
    ]);
  });

  it("a user chooses freely where managed files say nothing", async () => {
    const user = `permissions: { mode: bypass, allow: [Bash] }
models: { judge_budget: 5000 }
degrade: { ask: observe }
monitor: { on_prompt: { action: answer, default: y } }
hooks: { limits: { stop_continuations: 100 } }
`;
    const { settings, limits, messages } = await merged({ ...none, user });
    const { permissions, models, degrade, monitor } = settings;
    expect({ permissions, models, degrade, monitor, limits, messages }).toEqual({
      permissions: { mode: "bypass", allow: ["Bash"] },
      models: { judge_budget: 5000 },
      degrade: { ask: "observe" },
      monitor: { on_prompt: { action: "answer", default: "y" } },
      limits: { stop_continuations: 100 },
      messages: [],
    });
  });

  it("and the user's files what the managed ones allow", async () => {
    const { settings, messages } = await merged({
      ...none,
      managed: "permissions: { mode: default, allow: [Read] }\nsandbox: { mode: read-only }",
      user: "permissions: { mode: bypass, allow: [Read, Bash] }\nsandbox: { mode: off }",
    });
    expect([settings.permissions, settings.sandbox]).toEqual([
      { mode: "default", allow: ["Read"] },
      { mode: "read-only" },
    ]);
    expect(messages.length).toBe(3);
  });
});

it("a hook lives by what its own scope and higher ones say", async () => {
  const { sites } = await merged({
    managed: hooksFile("m"),
    user: `${hooksFile("u").slice(0, -1)}, "models": { "judge_budget": 5 }, "mcp_servers": { "a": { "command": "a" } } }`,
    project: `${hooksFile("p").slice(0, -1)}, "models": { "judge": "x/y" }, "sandbox": { "mode": "read-only" }, "mcp_servers": { "b": { "command": "b" } } }`,
    local: hooksFile("l"),
  });
  const below = {
    judge: { model: "x/y", budget: 5 },
    mcp_servers: { a: { command: "a" }, b: { command: "b" } },
    sandbox: "read-only",
  };
  expect(sites).toEqual({
    managed: {},
    user: { judge: { budget: 5 }, mcp_servers: { a: { command: "a" } } },
    project: below,
    local: below,
  });
});

it("what one scope forbids goes for the judges of all", async () => {
  const { sites } = await merged({
    managed: hooksFile("m"),
    project: hooksFile("p"),
    user: `${hooksFile("u").slice(0, -1)}, "permissions": { "deny": ["Read(.env)"], "ask": ["Read(a)"] } }`,
    local: `${hooksFile("l").slice(0, -1)}, "permissions": { "deny": ["Read(b)"], "allow": ["Read(c)"] } }`,
  });
  const forbids = { deny: ["Read(.env)", "Read(b)"], ask: ["Read(a)"] };
  expect(sites).toEqual({
    managed: { forbids },
    user: { forbids },
    project: { forbids },
    local: { forbids },
  });
});
