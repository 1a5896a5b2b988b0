import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { installationOf } from "../../src/install/installation.ts";
import { liftsIn } from "../../src/install/lifts.ts";
import { rulesHook } from "../support/hook-definitions.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { newProject } from "./support/project.ts";

type Files = Readonly<Record<string, string | object>>;

const OURS = { type: "command", command: "tenterhook hook" };
const THEIRS = { type: "command", command: "guard.sh" };
const onCalls = (event: string, ...hooks: object[]) => ({
  hooks: { [event]: [{ hooks: [OURS] }, { hooks }] },
});
const MOD = { modules: ["./register.js"] };

/** What can lift our hooks in an agent, in a project and a home with these files. `$` is the folder of both. */
async function liftsOf(agent: string, files: Files, variables: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const [root, home] = [join(folder, "project"), join(folder, "home")];
  const inPlace = (text: string) => text.replaceAll("$", folder);
  for (const [name, content] of Object.entries(files)) {
    const file = name.startsWith("~/") ? join(home, name.slice(2)) : join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, inPlace(typeof content === "string" ? content : JSON.stringify(content, null, 2)));
  }
  const environment = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, inPlace(value)]),
  );
  const found = liftsIn(
    installationOf(await integrationOf(agent), {
      root,
      home,
      environment: { HOME: home, ...environment },
    }),
  );
  const short = (text: string) =>
    text.replaceAll(home, "~").replaceAll(`${root}/`, "").replaceAll(folder, "$");
  return found.map(({ where, line, what, way_out }) =>
    short(`${where}${line === undefined ? "" : `:${line}`}: ${what} ${way_out}`),
  );
}

const BEFORE_US = "is asked before Tenterhook, which it can pass over or keep from loading.";
const INSIDE =
  "inside Claude Code, where it can allow, change or run what Tenterhook refuses. Read it; remove";
const REWRITES = "may rewrite a call, and nobody judges the rewrite.";
const UNLESS = "unless you trust it.";

/** An installed plug-in with these hooks, which the settings switch on or off. */
function plugin(id: string, hooks: object, settings: Files): Files {
  const [name = ""] = id.split("@");
  return {
    "~/.claude/plugins/installed_plugins.json": {
      version: 2,
      plugins: { [id]: [{ scope: "user", installPath: `$/home/plugins/${name}` }] },
    },
    [`~/plugins/${name}/hooks/hooks.json`]: hooks,
    [`~/plugins/${name}/.claude-plugin/plugin.json`]: { name },
    ...settings,
  };
}

const TRUSTED = { "~/.claude.json": { projects: { "$/project": { hasTrustDialogAccepted: true } } } };

describe("what can lift our hooks in Claude Code", () => {
  it.each<readonly [what: string, files: Files, found: readonly string[]]>([
    [
      "a switch for all hooks",
      { ".claude/settings.local.json": '{\n  "disableAllHooks": true\n}' },
      [
        ".claude/settings.local.json:2: No hook runs, since disableAllHooks is true there. Take it out there.",
      ],
    ],
    [
      "plug-ins in front of ours",
      { "~/.claude/settings.json": { prependPlugins: ["a@m", "tenterhook@tenterhook", "z@m"] } },
      [
        `~/.claude/settings.json:3: The plug-in a@m ${BEFORE_US} Put tenterhook@tenterhook in front of it in prependPlugins.`,
      ],
    ],
    [
      "a plug-in in front that only has the name of ours",
      { "~/.claude/settings.json": { prependPlugins: ["tenterhook@evil", "tenterhook@tenterhook"] } },
      [
        `~/.claude/settings.json:3: The plug-in tenterhook@evil ${BEFORE_US} Put tenterhook@tenterhook in front of it in prependPlugins.`,
      ],
    ],
    [
      "plug-ins in front where ours is none",
      { "~/.claude/settings.json": { prependPlugins: ["a@m"] } },
      [`~/.claude/settings.json:3: The plug-in a@m ${BEFORE_US} Take it out of prependPlugins ${UNLESS}`],
    ],
    [
      "a list of marketplaces that can't be read",
      {
        "~/.claude/settings.json": { prependPlugins: ["tenterhook@tenterhook"] },
        "~/.claude/plugins/known_marketplaces.json": '{ "m": ',
      },
      [
        "~/.claude/plugins/known_marketplaces.json: Claude Code can't read its list of marketplaces, so it does not load Tenterhook's plug-in. Remove the file; Claude Code writes it anew.",
      ],
    ],
    [
      "our plug-in switched off by the project",
      { ".claude/settings.json": { enabledPlugins: { "tenterhook@tenterhook": false } } },
      [
        ".claude/settings.json:3: tenterhook@tenterhook is off there, so Claude Code does not load Tenterhook's plug-in. Take the line out.",
      ],
    ],
    [
      "a folder of plug-ins in the user's settings",
      { "~/.claude/settings.json": { env: { CLAUDE_CODE_PLUGIN_DIRS: "/opt/mods" } } },
      [
        `~/.claude/settings.json:3: CLAUDE_CODE_PLUGIN_DIRS has Claude Code load plug-ins from /opt/mods, which can allow what Tenterhook refuses. Take the folder out of CLAUDE_CODE_PLUGIN_DIRS ${UNLESS}`,
      ],
    ],
    [
      "variables by which our hooks are other ones",
      { ".claude/settings.json": { env: { EDITOR: "vi", PATH: "/fake" } } },
      [
        ".claude/settings.json:4: Claude Code starts Tenterhook's hooks with this PATH, by which they may be another program, or decide by another configuration. Take it out of env unless you mean that.",
      ],
    ],
    [
      "a mod among the user's skills",
      { "~/.claude/skills/nice/hooks/hooks.json": MOD },
      [
        `~/.claude/skills/nice/hooks/hooks.json:3: The plug-in ~/.claude/skills/nice runs ./register.js ${INSIDE} ~/.claude/skills/nice ${UNLESS}`,
      ],
    ],
    [
      "a mod among the user's skills that has the name of ours",
      { "~/.claude/skills/tenterhook/hooks/hooks.json": MOD },
      [
        `~/.claude/skills/tenterhook/hooks/hooks.json:3: The plug-in ~/.claude/skills/tenterhook runs ./register.js ${INSIDE} ~/.claude/skills/tenterhook ${UNLESS}`,
      ],
    ],
    [
      "a mod of a project that the user trusts, whatever its name",
      { ".claude/skills/tenterhook/hooks/hooks.json": MOD, ...TRUSTED },
      [
        `.claude/skills/tenterhook/hooks/hooks.json:3: The plug-in .claude/skills/tenterhook runs ./register.js ${INSIDE} .claude/skills/tenterhook ${UNLESS}`,
      ],
    ],
    [
      "an installed plug-in with a module",
      plugin("spy@m", MOD, { "~/.claude/settings.json": { enabledPlugins: { "spy@m": true } } }),
      [
        `~/plugins/spy/hooks/hooks.json:3: The plug-in spy runs ./register.js ${INSIDE} ~/plugins/spy ${UNLESS}`,
      ],
    ],
    [
      "a plug-in of a marketplace that is a folder, where it is read",
      {
        "~/.claude/settings.json": {
          enabledPlugins: { "spy@m": true, "off@m": false },
          extraKnownMarketplaces: { m: { source: { source: "directory", path: "$/home/market" } } },
        },
        "~/market/.claude-plugin/marketplace.json": { plugins: [{ name: "spy", source: "./plugins/spy" }] },
        "~/market/plugins/spy/.claude-plugin/plugin.json": { name: "spy" },
        "~/market/plugins/spy/hooks/hooks.json": MOD,
      },
      [
        `~/market/plugins/spy/hooks/hooks.json:3: The plug-in spy runs ./register.js ${INSIDE} ~/market/plugins/spy ${UNLESS}`,
      ],
    ],
    [
      "a hook of an installed plug-in",
      plugin("spy@m", onCalls("PreToolUse", THEIRS), {
        ".claude/settings.json": { enabledPlugins: { "spy@m": true } },
      }),
      [
        `~/plugins/spy/hooks/hooks.json:14: The hook guard.sh on PreToolUse ${REWRITES} Read it; remove the plug-in ${UNLESS}`,
      ],
    ],
    [
      "a hook of somebody else in the settings",
      { ".claude/settings.json": onCalls("PreToolUse", THEIRS) },
      [
        `.claude/settings.json:14: The hook guard.sh on PreToolUse ${REWRITES} tenterhook import claude --remove has Tenterhook run it.`,
      ],
    ],
  ])("%s", async (_what, files, found) => {
    expect(await liftsOf("claude", files)).toEqual(found);
  });

  it.each<readonly [variable: string, value: string, found: readonly string[]]>([
    [
      "CLAUDE_CODE_PLUGIN_DIRS",
      "$/home/mine",
      [
        "CLAUDE_CODE_PLUGIN_DIRS: CLAUDE_CODE_PLUGIN_DIRS names ~/mine, a plug-in called tenterhook, which takes the place of ours. Take the folder out of CLAUDE_CODE_PLUGIN_DIRS, or rename the plug-in.",
      ],
    ],
    [
      "CLAUDE_CODE_SIMPLE",
      "1",
      ["CLAUDE_CODE_SIMPLE: Claude Code starts without hooks and plug-ins. Unset CLAUDE_CODE_SIMPLE."],
    ],
    [
      "CLAUDE_CONFIG_DIR",
      "$/home/other",
      [
        "CLAUDE_CONFIG_DIR: Claude Code reads ~/other and not ~/.claude, which calls Tenterhook. tenterhook install claude --user",
      ],
    ],
  ])("the variable %s", async (variable, value, found) => {
    const files = {
      "~/mine/.claude-plugin/plugin.json": { name: "tenterhook" },
      "~/.claude/settings.json": { hooks: { PreToolUse: [{ hooks: [OURS] }] } },
    };
    expect(await liftsOf("claude", files, { [variable]: value })).toEqual(found);
  });

  it.each<readonly [what: string, files: Files]>([
    [
      "our own plug-in",
      plugin("tenterhook@tenterhook", MOD, {
        "~/.claude/settings.json": {
          prependPlugins: ["tenterhook@tenterhook"],
          enabledPlugins: { "tenterhook@tenterhook": true },
        },
      }),
    ],
    ["a skill without hooks", { "~/.claude/skills/nice/SKILL.md": "Be nice." }],
    ["a mod of a project that nobody trusts", { ".claude/skills/x/hooks/hooks.json": MOD }],
    ["what a project says of the order", { ".claude/settings.json": { prependPlugins: ["a@m"] } }],
    [
      "a variable in the project's settings",
      { ".claude/settings.json": { env: { CLAUDE_CODE_SIMPLE: "1" } } },
    ],
    ["a hook that can't rewrite a call", { ".claude/settings.json": onCalls("Stop", THEIRS) }],
    ["settings that nobody can read", { ".claude/settings.json": "{", "~/.claude/settings.json": "[1,]" }],
    [
      "a plug-in that the project switches off",
      plugin("spy@m", MOD, {
        "~/.claude/settings.json": { enabledPlugins: { "spy@m": true } },
        ".claude/settings.json": { enabledPlugins: { "spy@m": false } },
      }),
    ],
    [
      "a hook that rewrites where our plug-in sits in front, and judges what runs",
      {
        "~/.claude/settings.json": { prependPlugins: ["tenterhook@tenterhook"] },
        ".claude/settings.json": onCalls("PreToolUse", THEIRS),
      },
    ],
  ])("is not %s", async (_what, files) => {
    expect(await liftsOf("claude", files)).toEqual([]);
  });
});

describe("what can lift our hooks in other agents", () => {
  it.each<readonly [agent: string, file: string, content: string | object, found: string]>([
    [
      "codex",
      "~/.codex/hooks.json",
      onCalls("PreToolUse", THEIRS),
      `~/.codex/hooks.json:14: The hook guard.sh on PreToolUse ${REWRITES} tenterhook import codex --user --remove has Tenterhook run it.`,
    ],
    [
      "codex",
      ".codex/config.toml",
      'model = "m"\n[[hooks.PreToolUse]]\nhooks = [{ type = "command", command = "guard.sh" }]\n',
      ".codex/config.toml:2: A hook of somebody else on PreToolUse may rewrite a call, and nobody judges the rewrite. Take it out there, or have Tenterhook run it.",
    ],
    [
      "gemini",
      "~/.gemini/extensions/nice/hooks/hooks.json",
      onCalls("BeforeTool", THEIRS),
      `~/.gemini/extensions/nice/hooks/hooks.json:14: The hook guard.sh on BeforeTool ${REWRITES} Read it; remove the plug-in ${UNLESS}`,
    ],
    [
      "cursor",
      ".cursor/hooks.json",
      { version: 1, hooks: { preToolUse: [THEIRS] } },
      `.cursor/hooks.json:5: The hook guard.sh on preToolUse ${REWRITES} tenterhook import cursor --remove has Tenterhook run it.`,
    ],
    [
      "copilot",
      ".github/hooks/theirs.json",
      { version: 1, hooks: { preToolUse: [{ type: "command", bash: "guard.sh" }] } },
      `.github/hooks/theirs.json:5: The hook guard.sh on preToolUse ${REWRITES} tenterhook import copilot .github/hooks/theirs.json --remove has Tenterhook run it.`,
    ],
    [
      "opencode",
      ".opencode/plugins/nice.ts",
      "export const Nice = async () => ({});\n",
      `.opencode/plugins/nice.ts:1: The plug-in .opencode/plugins/nice.ts runs inside opencode, beside Tenterhook, and can run what Tenterhook refuses. Read it; remove it ${UNLESS}`,
    ],
    [
      "opencode",
      "opencode.json",
      '{\n  "plugin": [\n    ["nice", { "loud": true }]\n  ]\n}',
      `opencode.json:3: The plug-in nice runs inside opencode, beside Tenterhook, and can run what Tenterhook refuses. Take it out of plugin ${UNLESS}`,
    ],
    [
      "kilo",
      "~/.config/kilo/kilo.json",
      '{ "plugins": [{ "package": "nice" }] }',
      `~/.config/kilo/kilo.json:1: The plug-in nice runs inside Kilo, beside Tenterhook, and can run what Tenterhook refuses. Take it out of plugins ${UNLESS}`,
    ],
    [
      "pi",
      "~/.pi/agent/extensions/nice/index.ts",
      "export default () => {};\n",
      `~/.pi/agent/extensions/nice/index.ts:1: The extension ~/.pi/agent/extensions/nice/index.ts runs inside pi, beside Tenterhook, and can run what Tenterhook refuses. Read it; remove it ${UNLESS}`,
    ],
    [
      "pi",
      ".pi/settings.json",
      '{\n  "packages": ["npm:nice"]\n}',
      `.pi/settings.json:2: The extension npm:nice runs inside pi, beside Tenterhook, and can run what Tenterhook refuses. Take it out of packages ${UNLESS}`,
    ],
  ])("%s: %s", async (agent, file, content, found) => {
    expect(await liftsOf(agent, { [file]: content })).toEqual([found]);
  });

  it.each(["opencode", "kilo"])(
    "%s: the project's plug-ins switched off, where ours is one",
    async (agent) => {
      const variable = `${agent.toUpperCase()}_DISABLE_PROJECT_CONFIG`;
      expect(await liftsOf(agent, {}, { [variable]: "1" })).toEqual([
        expect.stringContaining(`${variable}: `),
      ]);
      const ours = {
        [`~/.config/${agent}/plugins/tenterhook.js`]:
          "// tenterhook install wrote this file, and tenterhook uninstall removes it.",
      };
      expect(await liftsOf(agent, ours, { [variable]: "1" })).toEqual([]);
    },
  );
});

describe("what a person reads about them", () => {
  const GUARD = rulesHook("guard", 'command contains "x" -> deny("No.")');
  const about = async (mods: readonly string[]) => {
    const project = newProject();
    const manifest = { name: "claude", version: "2.1.325", bin: { claude: "claude" } };
    project.write("../bin/package.json", JSON.stringify(manifest));
    project.write("../bin/tenterhook", "#!/bin/sh\n");
    project.environment.PATH = dirname(project.write("../bin/claude", "#!/bin/sh\n"));
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    for (const mod of mods)
      project.write(`../home/.claude/skills/${mod}/hooks/hooks.json`, JSON.stringify(MOD));
    const [first, doctor] = [await project.run([]), await project.run(["doctor", "--json"])];
    const findings: readonly { about: string; level: string; message: string }[] = JSON.parse(
      doctor.stdout,
    ).findings;
    return {
      first: first.stdout
        .split(/\n(?= {2}\S)/)
        .filter((row) => row.includes("tenterhook check"))
        .map((row) => row.replaceAll(/\s+/g, " ")),
      doctor: findings.flatMap(({ about, level, message }) =>
        message.includes("hooks/hooks.json") ? [`${about} ${level} ${message.split(": ")[0]}`] : [],
      ),
    };
  };

  it("doctor says each of them, and the first screen the only one", async () => {
    expect(await about(["nice"])).toEqual({
      first: [
        expect.stringMatching(/● +Claude Code +~\/\.claude\/skills\/nice\/hooks\/hooks\.json:1: The plug-in/),
      ],
      doctor: ["claude warning ~/.claude/skills/nice/hooks/hooks.json:1"],
    });
  });

  it("the first screen only counts several", async () => {
    expect(await about(["nice", "other"])).toEqual({
      first: [expect.stringMatching(/● +2 ways past your hooks +in Claude Code +tenterhook check/)],
      doctor: [
        "claude warning ~/.claude/skills/nice/hooks/hooks.json:1",
        "claude warning ~/.claude/skills/other/hooks/hooks.json:1",
      ],
    });
  });

  it("neither says anything where there is none", async () => {
    expect(await about([])).toEqual({ first: [], doctor: [] });
  });
});
