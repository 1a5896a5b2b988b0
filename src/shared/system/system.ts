import { shellWord } from "../shell-word.ts";

/** What differs between systems. All else that asks which one this is, asks about one kind of process or notification. */
export interface System {
  /** One file is found by `.env` and by `.ENV`. */
  readonly ignoresCase: boolean;
  /** Files have modes that say who may read and write them. */
  readonly fileModes: boolean;
  /** A folder can be opened, so that its entries survive a power cut. */
  readonly opensFolders: boolean;
  /**
   * There is a POSIX shell in `/bin/sh`, with signals, `ps` and descriptors above 2: what starts programs shielded, and our
   * client, which asks the daemon in perl, stand on them.
   */
  readonly posixShell: boolean;
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

const LINUX: System = {
  ignoresCase: false,
  fileModes: true,
  opensFolders: true,
  posixShell: true,
  managedConfig: "/etc/tenterhook/hooks.yaml",
  managedClaude: "/etc/claude-code/managed-settings.json",
  managedGemini: "/etc/gemini-cli/settings.json",
  opener: ["xdg-open"],
  word: shellWord,
};

const SYSTEMS: Readonly<Record<string, System>> = {
  darwin: {
    ...LINUX,
    ignoresCase: true,
    managedConfig: "/Library/Application Support/Tenterhook/hooks.yaml",
    managedClaude: "/Library/Application Support/ClaudeCode/managed-settings.json",
    managedGemini: "/Library/Application Support/GeminiCli/settings.json",
    opener: ["open"],
  },
  win32: {
    ignoresCase: true,
    fileModes: false,
    opensFolders: false,
    posixShell: false,
    managedConfig: "C:\\ProgramData\\Tenterhook\\hooks.yaml",
    managedClaude: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
    managedGemini: "C:\\ProgramData\\gemini-cli\\settings.json",
    opener: ["rundll32", "url.dll,FileProtocolHandler"],
    word: powerShellWord,
  },
};

/** By the name that Node has for it; one that is not in the table is like Linux. */
export function systemOf(platform: string): System {
  return SYSTEMS[platform] ?? LINUX;
}

/** In PowerShell a comma makes a list, and `@` and `%` mean something at the beginning of a word. */
function powerShellWord(text: string): string {
  return /^[\w+=:./\\-]+$/.test(text) ? text : `'${text.replaceAll(/['\u2018\u2019]/g, "$&$&")}'`;
}
