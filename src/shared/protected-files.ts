// Files that decide what an agent may do, that run by themselves, or that hold credentials. Permissions ask before an edit,
// and rules treat credentials as secrets. The sandbox can't import core; a test compares its list with these.

export const OWN_FOLDERS: readonly string[] = [".tenterhook", ".agent"];

/** Folders of other agents. A path is the end of a longer one. */
export const AGENT_FOLDERS: readonly string[] =
  ".claude .claude-plugin .codex .gemini .crush .config/crush .cursor .windsurf .codeium/windsurf .kiro .qwen .factory .opencode .config/opencode .kilo .config/kilo .kilocode .pi .amp .config/amp .agents .clinerules .cline .roo .continue .copilot .github/hooks .github/copilot .devin .augment .junie .openhands .vibe .kimi .goose .grok .trae .zed".split(
    " ",
  );

/** Folders, in a project or a home, in which an agent finds hooks by their names, or code that it loads. */
export const AGENT_HOOK_FOLDERS: readonly string[] = [
  ".cline/hooks",
  ".clinerules/hooks",
  "Documents/Cline/Hooks",
  ".claude/plugins",
  ".claude/dev-mods",
  ".copilot/hooks",
  ".copilot/plugins",
  ".github/hooks",
  ".cursor/plugins",
  ".codex/plugins",
  ".factory/plugins",
  ...[".gemini", ".qwen"].map((folder) => `${folder}/extensions`),
  ...[".pi", ".pi/agent"].map((folder) => `${folder}/extensions`),
  ...[".opencode", ".config/opencode", ".kilo", ".kilocode", ".config/kilo"].flatMap((folder) =>
    ["plugin", "plugins", "tool", "tools"].map((name) => `${folder}/${name}`),
  ),
];

/** What a skill of an agent loads as code; its texts and the scripts that they name are none. */
export const SKILL_CODE: readonly string[] = ["skills", "commands", "agents"].flatMap((folder) => [
  `**/.claude/${folder}/**/{hooks,.claude-plugin}/**`,
  `**/.claude/${folder}/*/*.{js,mjs,cjs,ts,mts,cts}`,
]);

const CLINE_HOOKS =
  "PreToolUse PostToolUse TaskStart TaskResume TaskComplete TaskError TaskCancel SessionShutdown";

/** The files, in a project or a home, that make agents call us, or call no hooks at all. */
export const AGENT_SETTINGS: readonly string[] = [
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".claude.json",
  ".cursor/hooks.json",
  ".gemini/settings.json",
  ".codex/hooks.json",
  ".codex/config.toml",
  ".github/hooks/tenterhook.json",
  ".github/copilot/settings.json",
  ".github/copilot/settings.local.json",
  ".copilot/hooks/tenterhook.json",
  ".opencode/plugins/tenterhook.js",
  ".config/opencode/plugins/tenterhook.js",
  ".kilo/plugins/tenterhook.js",
  ".config/kilo/plugins/tenterhook.js",
  ".pi/settings.json",
  ".pi/agent/settings.json",
  ".pi/extensions/tenterhook.js",
  ".pi/agent/extensions/tenterhook.js",
  ".qwen/settings.json",
  ".augment/settings.json",
  ".augment/settings.local.json",
  ...["opencode", "kilo"].flatMap((name) =>
    ["", `.${name}/`, `.config/${name}/`].flatMap((folder) => [
      `${folder}${name}.json`,
      `${folder}${name}.jsonc`,
    ]),
  ),
  ...CLINE_HOOKS.split(" ").map((name) => `.cline/hooks/${name}.zsh`),
];

/** Settings of this machine that can forbid agents to call hooks. */
export const MANAGED_SETTINGS: readonly string[] = [
  "/etc/claude-code/managed-settings.json",
  "/etc/claude-code/managed-settings.d",
  "/Library/Application Support/ClaudeCode/managed-settings.json",
  "/Library/Application Support/ClaudeCode/managed-settings.d",
  "/etc/codex/requirements.toml",
];

/** Folders of git and of editors whose files run by themselves. */
export const TOOL_FOLDERS: readonly string[] =
  ".git .husky .githooks git-hooks .lefthook .lefthook-local .vscode .idea .devcontainer .fleet".split(" ");

/** Files that run when a shell or the user's session starts. */
export const LOGIN_FILES: readonly string[] = ".bashrc .bash_profile .profile .zshrc .zshenv".split(" ");

/** Other files of agents, git, shells and tools that run or configure programs. */
export const PROGRAM_FILES: readonly string[] = [
  ".mcp.json mcp.json hooks/hooks.json .clinerules .roomodes .cursorrules .windsurfrules opencode.json opencode.jsonc crush.json .crush.json crushrc .crushrc",
  ".gitconfig .gitmodules .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .overcommit.yml .huskyrc .huskyrc.json .simple-git-hooks.json",
  "lefthook.yml lefthook.yaml lefthook.json lefthook.toml .lefthook.yml .lefthook.yaml .lefthook.json .lefthook.toml lefthook-local.yml lefthook-local.yaml .lefthook-local.yml .lefthook-local.yaml",
  ".envrc .bash_login .bash_logout .zprofile .zlogin .inputrc",
  "mise.toml .mise.toml .yarnrc .yarnrc.yml .npmrc .pnpmfile.cjs",
].flatMap((names) => names.split(" "));

/** Folders in the user's home with keys and credentials. */
export const CREDENTIAL_FOLDERS: readonly string[] = ".ssh .gnupg .aws .azure .kube".split(" ");

/** Files in the user's home with credentials. */
export const CREDENTIAL_FILES: readonly string[] = ".netrc .npmrc .pypirc .git-credentials".split(" ");
