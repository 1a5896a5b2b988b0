import { shellWord } from "../shell-word.ts";

/** Where a system has what is the same for all its users, and how people type there. */
export interface Places {
  /** The managed configuration: only an administrator can write there; no variable can name another place. */
  readonly managedConfig: string;
  /** The managed settings of agents. */
  readonly managedClaude: string;
  readonly managedGemini: string;
  /** What opens a link. */
  readonly opener: readonly [file: string, ...args: string[]];
  /** A text as one word of the shell in which people type commands. */
  word(text: string): string;
}

const LINUX: Places = {
  managedConfig: "/etc/tenterhook/hooks.yaml",
  managedClaude: "/etc/claude-code/managed-settings.json",
  managedGemini: "/etc/gemini-cli/settings.json",
  opener: ["xdg-open"],
  word: shellWord,
};

const PLACES: Readonly<Record<string, Places>> = {
  darwin: {
    managedConfig: "/Library/Application Support/Tenterhook/hooks.yaml",
    managedClaude: "/Library/Application Support/ClaudeCode/managed-settings.json",
    managedGemini: "/Library/Application Support/GeminiCli/settings.json",
    opener: ["open"],
    word: shellWord,
  },
  win32: {
    managedConfig: "C:\\ProgramData\\Tenterhook\\hooks.yaml",
    managedClaude: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
    managedGemini: "C:\\ProgramData\\gemini-cli\\settings.json",
    opener: ["rundll32", "url.dll,FileProtocolHandler"],
    word: powerShellWord,
  },
};

/** By the name that Node has for the system; one that is not in the table is like Linux. */
export function placesOf(platform: string): Places {
  return PLACES[platform] ?? LINUX;
}

/** In PowerShell a comma makes a list, and `@` and `%` mean something at the beginning of a word. */
function powerShellWord(text: string): string {
  return /^[\w+=:./\\-]+$/.test(text) ? text : `'${text.replaceAll(/['\u2018\u2019]/g, "$&$&")}'`;
}
