// The doors into the tools that people use already, in dist/doors: a plug-in for Claude Code and its marketplace, one for
// Codex, an extension for Gemini CLI, a skill, an entry for SchemaStore. Their hooks are those that `install` writes.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ADDRESS } from "./address.mjs";
import { importSource } from "./docs/source-tables.mjs";
import { root } from "./run.mjs";

export const DOORS = join(root, "dist/doors");

/** The plug-in's name, and its marketplace's. `tenterhook@tenterhook` is the one that `install` writes. */
const NAME = "tenterhook-guard";
const MARKETPLACE = "tenterhook-plugins";
const ABOUT =
  "Your hooks decide what the agent may do: they refuse a call, rewrite it, ask you, or keep it going. Needs: npm install -g tenterhook";

/** What agents are asked about. A call of an event without a hook costs a question to the daemon. */
const EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStop"];
const WANTED = [{ events: EVENTS, timeout: 30 }];

/** @param {string} [folder] */
export async function buildDoors(folder = DOORS) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const write = (/** @type {string} */ file, /** @type {object} */ content) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${JSON.stringify(content, undefined, 2)}\n`);
  };
  const about = { name: NAME, version, description: ABOUT, license: "MIT" };
  const author = { name: "Tenterhook" };
  rmSync(folder, { recursive: true, force: true });

  const claude = `claude/${NAME}`;
  write("claude/.claude-plugin/marketplace.json", {
    name: MARKETPLACE,
    owner: author,
    description: "Tenterhook for Claude Code",
    plugins: [{ name: NAME, source: `./${NAME}`, description: ABOUT }],
  });
  write(`${claude}/.claude-plugin/plugin.json`, { ...about, author });
  const hooks = await hooksOf("claude/integration.ts", "claudeSettings");
  write(`${claude}/hooks/hooks.json`, { ...hooks, modules: ["./register.js"] });
  const mod = join(root, "src/adapters/claude/mod");
  for (const file of readdirSync(mod).filter((one) => one.endsWith(".js") && one !== "register.js"))
    cpSync(join(mod, file), join(folder, claude, "hooks", file));
  // In the plug-in all files are beside each other.
  const register = readFileSync(join(root, "doors/claude/register.js"), "utf8");
  const beside = register.replaceAll("../../src/adapters/claude/mod/", "./");
  writeFileSync(join(folder, claude, "hooks/register.js"), beside);

  const codex = `codex/plugins/${NAME}`;
  write("codex/.agents/plugins/marketplace.json", {
    name: MARKETPLACE,
    plugins: [{ name: NAME, source: { source: "local", path: `./plugins/${NAME}` } }],
  });
  write(`${codex}/.codex-plugin/plugin.json`, { ...about, skills: "./skills/", hooks: "./hooks/hooks.json" });
  write(`${codex}/hooks/hooks.json`, await hooksOf("codex/integration.ts", "codexSettings"));

  write("gemini/gemini-extension.json", { name: NAME, version, description: ABOUT });
  write("gemini/hooks/hooks.json", await hooksOf("gemini/integration.ts", "geminiSettings"));

  for (const place of [claude, codex, "gemini"])
    cpSync(join(root, "doors/skill"), join(folder, place, "skills/tenterhook-rules"), { recursive: true });
  cpSync(join(root, "doors/skill"), join(folder, "skill/tenterhook-rules"), { recursive: true });
  cpSync(join(root, "doors/action"), join(folder, "action"), { recursive: true });
  write("schemastore/catalog-entry.json", {
    name: "Tenterhook hooks",
    description: "Hooks that decide what AI agents may do",
    fileMatch: ["hooks", "hooks.local"].flatMap((name) =>
      ["yaml", "yml", "json"].map((suffix) => `**/.tenterhook/${name}.${suffix}`),
    ),
    // It takes no entry without an address, and there is none before the project is published.
    ...(ADDRESS === undefined ? {} : { url: `${ADDRESS}/raw/v${version}/schema/hooks.schema.json` }),
  });
}

/**
 * @param {string} file
 * @param {string} name
 * @returns {Promise<object>} the section that `install` writes for an agent.
 */
async function hooksOf(file, name) {
  const { [name]: settings } = await importSource(root, `adapters/${file}`);
  const { events } = settings.wanted(WANTED);
  return JSON.parse(settings.install(undefined, events));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDoors();
