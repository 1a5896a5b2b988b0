import type { PathNormaliser } from "../../core/match/paths.ts";

/** Folders whose files decide what an agent may do, or run by themselves. A path here is the end of a longer one. */
const FOLDERS: Readonly<Record<string, string>> = {
  "our own": ".tenterhook .agent",
  agents:
    ".claude .claude-plugin .codex .gemini .cursor .windsurf .codeium/windsurf .kiro .qwen .factory .opencode .amp .config/amp .agents .clinerules .cline .roo .continue .copilot .github/hooks .github/copilot .devin .augment .junie .openhands .vibe .kimi .goose .grok .trae .zed",
  git: ".git .husky .githooks git-hooks .lefthook .lefthook-local",
  editors: ".vscode .idea .devcontainer .fleet",
};

/** Single files of the same kind, by name. */
const FILES: Readonly<Record<string, string>> = {
  agents:
    ".mcp.json mcp.json hooks/hooks.json .clinerules .roomodes .cursorrules .windsurfrules opencode.json opencode.jsonc",
  git: ".gitconfig .gitmodules .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .overcommit.yml .huskyrc .huskyrc.json .simple-git-hooks.json",
  lefthook:
    "lefthook.yml lefthook.yaml lefthook.json lefthook.toml .lefthook.yml .lefthook.yaml .lefthook.json .lefthook.toml lefthook-local.yml lefthook-local.yaml .lefthook-local.yml .lefthook-local.yaml",
  shells:
    ".envrc .bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .inputrc",
  tools: "mise.toml .mise.toml .yarnrc .yarnrc.yml .npmrc .pnpmfile.cjs",
};

const GUARDED = new RegExp(`(?:^|/)(?:${anyOf(FOLDERS)})(?:/|$)|(?:^|/)(?:${anyOf(FILES)})$`, "i");

function anyOf(groups: Readonly<Record<string, string>>): string {
  return Object.values(groups).join(" ").replaceAll(".", "\\.").replaceAll(" ", "|");
}

/** True for a file that needs a question even where edits are accepted, however its path is read. */
export function isGuarded(path: string, cwd: string, paths: PathNormaliser): boolean {
  return paths.spellings(path, cwd).some((spelling) => GUARDED.test(spelling));
}
