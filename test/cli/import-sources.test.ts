import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { newProject, type Project } from "./support/project.ts";

const command = (line: string, more: object = {}) => ({ type: "command", command: line, ...more });
const group = (line: string, matcher?: string) => ({ matcher, hooks: [command(line)] });

const WHOLE_TURN = { turn_seconds: 86_400, turn_tokens: 1_000_000_000 };
const OWN_LOOP = { stop_continuations: 100, same_stop_reason: 8, ...WHOLE_TURN };

/** Runs `import claude` and returns the definitions that it wrote. */
async function imported(project: Project, ...args: readonly string[]) {
  const result = await project.run(["import", "claude", ...args, "--yes"]);
  expect([result.code, result.stderr]).toEqual([0, ""]);
  const { definitions } = parse(readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8")).hooks;
  return { definitions, output: result.stdout.replaceAll(/\s+/g, " ") };
}

describe("import claude", () => {
  it.each([
    ["its folder", "plugins/guard"],
    ["its hooks.json", "plugins/guard/hooks/hooks.json"],
  ])(
    "takes the hooks of a plug-in by %s, with its folder in place of CLAUDE_PLUGIN_ROOT",
    async (_what, path) => {
      const project = newProject();
      const line = `"\${CLAUDE_PLUGIN_ROOT}/scripts/guard.sh" $CLAUDE_PLUGIN_ROOT`;
      const hooks = { description: "Guards", hooks: { PreToolUse: [group(line, "Bash")] } };
      project.write("plugins/guard/hooks/hooks.json", JSON.stringify(hooks));
      project.write("plugins/guard/scripts/guard.sh", 'curl -H "Authorization: $DEPLOY_TOKEN" x\n');
      const { definitions } = await imported(project, path);
      const folder = join(project.cwd, "plugins/guard");
      expect(definitions).toEqual([
        {
          name: "guard",
          type: "command",
          matcher: { events: ["PreToolUse"], tools: ["Bash"] },
          command: line,
          payload: "native",
          written_for: "claude",
          set_env: {
            CLAUDE_PLUGIN_ROOT: folder,
            CLAUDE_PLUGIN_DATA: join(project.folder, "home/.claude/plugins/data/guard"),
          },
          env: ["DEPLOY_TOKEN"],
          timeout: 600,
          on_failure: { default: "open", untrusted: "closed", missing: "closed" },
          parallel: true,
          recheck: false,
        },
      ]);
    },
  );

  it("names the variables of a plug-in that it can't know, in a line or its script", async () => {
    const project = newProject();
    const hooks = {
      hooks: { Stop: [group(`"\${CLAUDE_PLUGIN_ROOT}/stop.sh" $CLAUDE_PLUGIN_OPTION_LEVEL`)] },
    };
    project.write("plugins/guard/hooks/hooks.json", JSON.stringify(hooks));
    project.write("plugins/guard/stop.sh", 'touch "$CLAUDE_PLUGIN_DATA/seen"\n');
    const { output } = await imported(project, "plugins/guard");
    expect(output).toContain(
      "Claude Code sets CLAUDE_PLUGIN_OPTION_LEVEL for plug-ins; here set_env has to.",
    );
  });

  it("takes the hooks that a plug-in's manifest names or contains", async () => {
    const project = newProject();
    project.write("one/.claude-plugin/plugin.json", JSON.stringify({ name: "one", hooks: "./more.json" }));
    project.write("one/more.json", JSON.stringify({ hooks: { Stop: [group("a")] } }));
    project.write("two/.claude-plugin/plugin.json", JSON.stringify({ hooks: { Stop: [group("b")] } }));
    const { definitions } = await imported(project, "one", "two");
    expect(definitions.map(({ command: line }: { command: string }) => line)).toEqual(["a", "b"]);
  });

  it("takes a file that consists of events", async () => {
    const project = newProject();
    project.write("hooks.json", JSON.stringify({ PreToolUse: [{ matcher: "Bash", command: "old.sh" }] }));
    const { definitions, output } = await imported(project, "--settings", "hooks.json");
    expect(definitions).toMatchObject([{ command: "old.sh", matcher: { tools: ["Bash"] } }]);
    expect(output).toContain("It is written in a form that Claude Code no longer loads");
  });

  it("takes the hooks in the front matter of agents, skills and commands", async () => {
    const project = newProject();
    const front = (name: string) =>
      `---\nname: ${name}\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ${name}.sh\ntools: Read\n---\nBe good.\n`;
    project.write(".claude/agents/reviewer.md", front("reviewer"));
    project.write(".claude/agents/plain.md", "---\nname: plain\ndescription: a: b\n---\nNothing.\n");
    project.write(".claude/skills/deploy/SKILL.md", front("deploy"));
    project.write(".claude/commands/ship.md", front("ship"));
    const { definitions, output } = await imported(project);
    expect(definitions).toMatchObject([
      {
        name: "reviewer",
        command: "reviewer.sh",
        matcher: { events: ["SubagentStop"], agents: ["reviewer"] },
      },
      { name: "deploy", command: "deploy.sh", matcher: { events: ["Stop"] } },
      { name: "ship", command: "ship.sh", matcher: { events: ["Stop"] } },
    ]);
    expect(output).toContain("It ran only while the skill deploy was in use; here it always runs.");
  });

  it("passes on the keys that a command or its script names, and no others", async () => {
    const project = newProject();
    project.write(
      "hooks/check.py",
      'import os\nkey = os.environ["SENTRY_AUTH_TOKEN"]\nhome = os.environ["HOME"]\n',
    );
    project.write("hooks/outer.sh", '. "$(dirname "$0")/lib/inner.sh"\n');
    project.write("hooks/lib/inner.sh", "echo $NPM_TOKEN\n");
    project.write(
      ".claude/settings.json",
      JSON.stringify({
        hooks: {
          PostToolUse: [
            group('python3 "$CLAUDE_PROJECT_DIR"/hooks/check.py'),
            group("curl -d @- $SLACK_WEBHOOK_URL"),
            group("gh pr list"),
            group("echo $HOME"),
            group("hooks/outer.sh"),
          ],
        },
      }),
    );
    const { definitions, output } = await imported(project);
    expect(definitions.map(({ env }: { env?: unknown }) => env)).toEqual([
      ["SENTRY_AUTH_TOKEN"],
      ["SLACK_WEBHOOK_URL"],
      ["GH_TOKEN", "GITHUB_TOKEN"],
      undefined,
      ["NPM_TOKEN"],
    ]);
    expect(output).toContain("It gets SENTRY_AUTH_TOKEN, which it uses; other keys and tokens are withheld.");
  });

  it.each([
    ["ends its loop itself", "grep -q stop_hook_active && exit 0; exit 2", {}, WHOLE_TURN],
    ["has a loop of its own", "exit 2", {}, OWN_LOOP],
    ["has a loop of its own in Python", "import sys; sys.exit(2)", {}, OWN_LOOP],
    ["replies that it blocks", `echo '{"decision": "block", "reason": "More."}'`, {}, OWN_LOOP],
    ["never continues a turn", "notify-send Done", {}, undefined],
    [
      "has the limit of its settings",
      "grep -q stop_hook_active || exit 2",
      { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "20" },
      { stop_continuations: 20, same_stop_reason: 20, ...WHOLE_TURN },
    ],
  ])(
    "sets the limits that a Stop hook relies on which %s, in the user's own file",
    async (_what, line, env, limit) => {
      const project = newProject();
      project.write(".claude/settings.json", JSON.stringify({ env, hooks: { Stop: [group("./go-on.sh")] } }));
      project.write("go-on.sh", `${line}\n`);
      await imported(project);
      const { stdout } = await project.run(["list", "--json"]);
      expect(stdout).toContain('"name": "go-on"');
      const file = join(project.cwd, "../config/tenterhook/hooks.yaml");
      const limits = existsSync(file) ? parse(readFileSync(file, "utf8")).hooks.limits : undefined;
      expect(limits).toEqual(limit);
    },
  );
});

describe("a guard of the end of a turn", () => {
  const limitsOf = (project: Project, file = "hooks.yaml") =>
    readFileSync(join(project.cwd, "../config/tenterhook", file), "utf8");

  it.each([
    ["codex", ".codex/hooks.json", { hooks: { SubagentStop: [group("./go-on.sh")] } }],
    ["cursor", ".cursor/hooks.json", { version: 1, hooks: { stop: [{ command: "./go-on.sh" }] } }],
    ["gemini", ".gemini/settings.json", { hooks: { AfterAgent: [group("./go-on.sh")] } }],
  ])("of %s still guards after a long turn when it was imported", async (agent, file, settings) => {
    const project = newProject();
    project.write(file, JSON.stringify(settings));
    project.write("go-on.sh", "grep -q stop_hook_active || exit 2\n");
    await project.run(["import", agent, "--yes"]);
    expect(parse(limitsOf(project)).hooks.limits).toMatchObject(WHOLE_TURN);
  });

  it("gets all its limits in TOML too, where some are set already", async () => {
    const project = newProject();
    mkdirSync(join(project.cwd, "../config/tenterhook"), { recursive: true });
    const before = "[hooks.limits]\nturn_tokens = 5 # few\n\n[hooks]\ntimeout = 9\n";
    writeFileSync(join(project.cwd, "../config/tenterhook/hooks.toml"), before);
    project.write(".claude/settings.json", JSON.stringify({ hooks: { Stop: [group("exit 2")] } }));
    await imported(project);
    expect(limitsOf(project, "hooks.toml")).toBe(
      "[hooks.limits]\nturn_tokens = 1000000000 # few\nstop_continuations = 100\nsame_stop_reason = 8\nturn_seconds = 86400\n\n[hooks]\ntimeout = 9\n",
    );
  });

  it("that gives up after a long turn is named by doctor, one that only notifies is not", async () => {
    const project = newProject();
    const native = { type: "command", payload: "native" };
    await project.configure([
      { ...native, name: "tests", command: "npm test || exit 2", matcher: { events: ["Stop"] } },
      { ...native, name: "bell", command: "printf '\\a'", matcher: { events: ["Stop"] } },
    ]);
    const said = async () => (await project.run(["doctor"])).stdout.replaceAll(/\s+/g, " ");
    expect(await said()).toMatch(
      /hook tests +It stops keeping the agent going after 1800 s or 2000000 tokens of a turn/,
    );
    expect(await said()).not.toContain("hook bell");
    mkdirSync(join(project.cwd, "../config/tenterhook"), { recursive: true });
    const raised = JSON.stringify({ hooks: { limits: WHOLE_TURN } });
    writeFileSync(join(project.cwd, "../config/tenterhook/hooks.json"), raised);
    expect(await said()).not.toContain("hook tests");
  });
});

it.each([
  [{}, "The model haiku needs a key"],
  [{ ANTHROPIC_API_KEY: "k" }, undefined],
])("a hook that asks a model says what is missing with %j", async (keys, expected) => {
  const project = newProject();
  Object.assign(project.environment, keys);
  const hooks = { PostToolUse: [{ hooks: [{ type: "prompt", prompt: "Fine?" }] }] };
  project.write(".claude/settings.json", JSON.stringify({ hooks }));
  const { definitions, output } = await imported(project);
  expect(definitions).toMatchObject([{ type: "llm", model: "haiku" }]);
  expect(/The model haiku needs a key/.exec(output)?.[0]).toBe(expected);
});
