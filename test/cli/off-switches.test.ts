import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { offSwitches } from "../../src/install/off-switches.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FEATURE = "features.hooks is false there";
const DISABLED = "disableAllHooks is true there";

/** What turns an agent's hooks off, in a project and a home with these files. */
async function switchesOf(agent: string, files: Readonly<Record<string, string>>, variables: object = {}) {
  const folder = temporaryFolder();
  const root = join(folder, "project");
  const home = join(folder, "home");
  for (const [name, text] of Object.entries(files)) {
    const file = name.startsWith("~/") ? join(home, name.slice(2)) : join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const found = offSwitches(await integrationOf(agent), { root, home, environment: { ...variables } });
  return found.map(({ where, why }) => [where.replace(home, "~").replace(`${root}/`, ""), why]);
}

describe("what turns all hooks of an agent off", () => {
  it.each([
    ["codex", "~/.codex/config.toml", "[features]\nhooks = false\n", FEATURE],
    ["codex", ".codex/config.toml", "features = { hooks = false }\n", FEATURE],
    [
      "codex",
      "~/.codex/config.toml",
      "[features]\ncodex_hooks = false\n",
      "features.codex_hooks is false there",
    ],
    [
      "gemini",
      ".gemini/settings.json",
      '{"hooksConfig":{"enabled":false}}',
      "hooksConfig.enabled is false there",
    ],
    ["qwen", "~/.qwen/settings.json", '{"disableAllHooks":true}', DISABLED],
    ["copilot", ".github/copilot/settings.json", '{"disableAllHooks":true}', DISABLED],
    ["copilot", ".claude/settings.local.json", '{"disableAllHooks":true}', DISABLED],
    ["claude", ".claude/settings.local.json", '{"disableAllHooks":true}', DISABLED],
    [
      "pi",
      "~/.pi/agent/settings.json",
      '{"extensions":["-extensions/tenterhook.js"]}',
      'extensions has "-extensions/tenterhook.js" there',
    ],
    [
      "pi",
      ".pi/settings.json",
      '{"extensions":["!extensions/*.js"]}',
      'extensions has "!extensions/*.js" there',
    ],
  ])("%s: %s", async (agent, file, text, why) => {
    expect(await switchesOf(agent, { [file]: text })).toEqual([[file, why]]);
  });

  it.each([
    ["qwen", "QWEN_CODE_SAFE_MODE"],
    ["opencode", "OPENCODE_PURE"],
    ["kilo", "KILO_PURE"],
  ])("%s: the variable %s, unless it says no", async (agent, name) => {
    expect(await switchesOf(agent, {}, { [name]: "1" })).toEqual([[name, "it is set"]]);
    expect(await switchesOf(agent, {}, { [name]: "0" })).toEqual([]);
  });

  it.each([
    ["codex", "~/.codex/config.toml", "[features]\nhooks = true\n"],
    ["codex", "~/.codex/config.toml", "not = = toml"],
    ["copilot", "~/.copilot/settings.json", '{"disableAllHooks":true}'],
    [
      "pi",
      "~/.pi/agent/settings.json",
      '{"extensions":["!tenter*","+extensions/tenterhook.js","-extensions/other.js"]}',
    ],
  ])("%s: not what %s has: %s", async (agent, file, text) => {
    expect(await switchesOf(agent, { [file]: text })).toEqual([]);
  });
});
