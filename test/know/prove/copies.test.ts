import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeIntegration } from "../../../src/adapters/claude/integration.ts";
import { PLUGIN } from "../../../src/adapters/claude/mod/wire.js";
import { codexTrust, entryName, trustHash } from "../../../src/adapters/codex/trust.ts";
import { integrationOf } from "../../../src/adapters/integrations.ts";
import { asksAboutShell } from "../../../src/know/prove/diagnose.ts";
import type { Driver } from "../../../src/know/prove/driver.ts";
import { claudeDriver } from "../../../src/know/prove/drivers/claude.ts";
import { codexDriver } from "../../../src/know/prove/drivers/codex.ts";
import { geminiDriver } from "../../../src/know/prove/drivers/gemini.ts";
import { type OwnCode, ownCode } from "../../../src/know/prove/own-code.ts";
import { makeThrowaway } from "../../../src/know/prove/throwaway.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The texts of files in the throw-away folder of a person who has these files; with those of their plug-ins that are chosen. */
async function copied(
  driver: Driver,
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
  isChosen?: (code: OwnCode) => boolean,
) {
  const folder = temporaryFolder();
  const home = join(folder, "me");
  const environmentOf = Object.entries(variables).map(([name, value]) => [name, value.replace("HOME", home)]);
  const real = { root: join(folder, "work/app"), home, environment: Object.fromEntries(environmentOf) };
  const pathIn = (places: { root: string; home: string }, name: string) =>
    name.startsWith("~/") ? join(places.home, name.slice(2)) : join(places.root, name);
  const moved = (text: string) => text.replaceAll("ROOT", real.root).replaceAll("HOME", real.home);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(pathIn(real, name)), { recursive: true });
    writeFileSync(pathIn(real, name), moved(text));
  }
  const integration = await integrationOf(driver.agent);
  const mine = isChosen && { mine: ownCode(integration, real).filter(isChosen) };
  const { places, environment, remove } = makeThrowaway({ driver, integration, real, ...mine });
  try {
    const texts = Object.keys(files).flatMap((name) => {
      try {
        const text = readFileSync(pathIn(places, name), "utf8");
        return [[name, text.replaceAll(places.root, "ROOT").replaceAll(places.home, "HOME")]];
      } catch {
        return [];
      }
    });
    return { texts: Object.fromEntries(texts), environment };
  } finally {
    remove();
  }
}

describe("what an agent gets in a throw-away folder", () => {
  it("has the settings of Claude Code without credentials, and no history", async () => {
    const { texts } = await copied(claudeDriver, {
      "~/.claude/settings.json":
        '{"hooks":{},"disableAllHooks":true,"env":{"A":"b"},"apiKeyHelper":"x","model":"m"}',
      "~/.claude/.credentials.json": "secret",
      "~/.claude/history.jsonl": "{}",
      ".claude/settings.local.json": '{"permissions":{"allow":["Bash"]}}',
      ".claude/hooks/guard.sh": "exit 0\n",
    });
    expect(texts).toEqual({
      "~/.claude/settings.json": '{"hooks":{},"disableAllHooks":true}',
      ".claude/settings.local.json": "{}",
      ".claude/hooks/guard.sh": "exit 0\n",
    });
  });

  it("has our plug-in first, from a copy, where the user's settings have it first", async () => {
    const seat = (folder: string) =>
      claudeIntegration.lastGate?.install('{"enabledPlugins":{"a@m":true}}', folder, false) ?? "";
    const { texts } = await copied(claudeDriver, {
      "~/.claude/settings.json": seat("HOME/seat"),
      "~/seat/tenterhook/hooks/hooks.json": '{"modules":["./register.js"]}',
    });
    const { enabledPlugins, ...first } = JSON.parse(texts["~/.claude/settings.json"] ?? "");
    expect([enabledPlugins, first, texts["~/seat/tenterhook/hooks/hooks.json"]]).toEqual([
      { [PLUGIN]: true },
      {
        extraKnownMarketplaces: { tenterhook: { source: { source: "directory", path: "HOME/seat" } } },
        prependPlugins: [PLUGIN],
      },
      '{"modules":["./register.js"]}',
    ]);
  });

  it("has the plug-ins of Claude Code where they are asked for, without their credentials and stores", async () => {
    const market = { source: { source: "directory", path: "HOME/market" } };
    const { texts, environment } = await copied(
      claudeDriver,
      {
        "~/.claude/settings.json": JSON.stringify({
          hooks: {},
          env: { A: "b" },
          enabledPlugins: { "spy@m": true },
          extraKnownMarketplaces: { m: market },
          pluginConfigs: { "spy@m": { options: { key: "secret" } } },
        }),
        "~/.claude/plugins/known_marketplaces.json": JSON.stringify({ m: market }),
        "~/.claude/plugins/data/spy/token": "secret",
        "~/.claude.json": JSON.stringify({
          oauthAccount: "secret",
          projects: { ROOT: { hasTrustDialogAccepted: true, history: ["secret"] } },
        }),
        "~/market/.claude-plugin/marketplace.json": '{"plugins":[{"name":"spy","source":"./spy"}]}',
        "~/market/spy/hooks/hooks.json": '{"modules":["./register.js"]}',
        "~/market/spy/.env": "KEY=secret",
        ".claude/skills/mine/hooks/hooks.json": '{"modules":["./mine.js"]}',
        ".claude/skills/other/hooks/hooks.json": '{"modules":["./other.js"]}',
        "~/more/hooks/hooks.json": '{"modules":["./more.js"]}',
      },
      { CLAUDE_CODE_PLUGIN_DIRS: "HOME/more" },
      ({ file }) => !file.includes("/other/"),
    );
    expect(texts).toEqual({
      "~/.claude/settings.json": JSON.stringify({
        hooks: {},
        enabledPlugins: { "spy@m": true },
        extraKnownMarketplaces: { m: market },
      }),
      "~/.claude/plugins/known_marketplaces.json": JSON.stringify({ m: market }),
      "~/.claude.json": '{"projects":{"ROOT":{"hasTrustDialogAccepted":true}}}',
      "~/market/.claude-plugin/marketplace.json": '{"plugins":[{"name":"spy","source":"./spy"}]}',
      "~/market/spy/hooks/hooks.json": '{"modules":["./register.js"]}',
      ".claude/skills/mine/hooks/hooks.json": '{"modules":["./mine.js"]}',
      "~/more/hooks/hooks.json": '{"modules":["./more.js"]}',
    });
    expect(environment.CLAUDE_CODE_PLUGIN_DIRS).toMatch(/tenterhook-prove-.*\/home\/more$/);
  });

  it("keeps settings unreadable that the agent can't read", async () => {
    const { texts } = await copied(claudeDriver, { "~/.claude/settings.json": '{ // mine\n "hooks": {} }' });
    expect(texts).toEqual({ "~/.claude/settings.json": "{" });
  });

  it("has what Codex trusts, by the new places, and nothing else of its configuration", async () => {
    const { texts } = await copied(codexDriver, {
      "~/.codex/config.toml": `model = "x"

[mcp_servers.a]
env = { TOKEN = "secret" }

[hooks.state."HOME/.codex/hooks.json:pre_tool_use:0:0"]
trusted_hash = "sha256:1"

[projects."ROOT"]
trust_level = "trusted"`,
    });
    expect(texts["~/.codex/config.toml"]).toBe(`[hooks.state."HOME/.codex/hooks.json:pre_tool_use:0:0"]
trusted_hash = "sha256:1"

[projects."ROOT"]
trust_level = "trusted"`);
  });

  it("has the folders that Gemini CLI trusts, by the new places, those above the project too", async () => {
    const { texts } = await copied(geminiDriver, {
      "~/.gemini/trustedFolders.json": '{"ROOT":"TRUST_FOLDER","HOME":"DO_NOT_TRUST"}',
      "~/.gemini/oauth_creds.json": "secret",
    });
    expect(texts).toEqual({
      "~/.gemini/trustedFolders.json": '{"ROOT":"TRUST_FOLDER","HOME":"DO_NOT_TRUST"}',
    });
  });

  it("has no variables that may be keys", async () => {
    const { environment } = await copied(
      claudeDriver,
      {},
      { PATH: "/bin", OPENAI_API_KEY: "secret", FOO: "bar" },
    );
    expect([environment.PATH, Object.values(environment).includes("secret"), environment.FOO]).toEqual([
      expect.stringMatching(/^\/bin:.*\/tenterhook\/program$/),
      false,
      undefined,
    ]);
  });
});

describe("why an agent does not run our hooks", () => {
  it("knows an entry of Codex that was trusted in another place", () => {
    const handler = { type: "command", command: "tenterhook hook", timeout: 600 };
    const other = { hooks: [{ type: "command", command: "true" }] };
    const text = JSON.stringify({ hooks: { PreToolUse: [other, { hooks: [handler] }] } });
    const record = (place: number) =>
      `[hooks.state."${entryName("/h.json", "PreToolUse", place, 0)}"]\ntrusted_hash = "${trustHash("PreToolUse", undefined, handler)}"\n`;
    const shifted = (place: number) => codexTrust.shifted({ file: "/h.json", text }, record(place));
    expect([shifted(0), codexTrust.shifted({ file: "/h.json", text }, "")]).toEqual([["PreToolUse"], []]);
  });

  it.each([
    ["claude", '{"allowManagedHooksOnly":true}', "allowManagedHooksOnly is true there"],
    ["codex", "allow_managed_hooks_only = true\n", "allow_managed_hooks_only is true there"],
  ])("knows managed settings of %s that forbid them", async (agent, text, why) => {
    const { switches } = await integrationOf(agent);
    const files = switches?.files?.({ root: "/r", home: "/h", environment: {} }) ?? [];
    expect([files.at(-1)?.switchedOff(text), files.at(-1)?.switchedOff("")]).toEqual([why, undefined]);
  });

  it.each(["claude", "codex", "gemini", "qwen"])(
    "takes the matcher that install writes for %s as one that asks about the shell",
    async (agent) => {
      const integration = await integrationOf(agent);
      const common = { events: ["PreToolUse"], timeout: 5 };
      const { events } = integration.settings.wanted([
        { ...common, only_changes: true },
        { ...common, tools: ["Bash"] },
      ]);
      expect(
        events.map(({ native: event, matcher }) => asksAboutShell(integration, { event, matcher })),
      ).toEqual([true]);
    },
  );
});
