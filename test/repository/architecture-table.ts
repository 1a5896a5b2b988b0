/** An arrow to another folder. */
export interface Arrow {
  readonly to: string;
  /** Only these files of it, or files below these folders, which end with a slash. */
  readonly files?: readonly string[];
  /** Only types, which are gone after compilation. */
  readonly typesOnly?: true;
}

/** What the files of one folder may import beside each other. */
export interface Row {
  readonly mayImport: readonly Arrow[] | "everything" | "every folder but cli";
  /** Neither `node:` modules nor packages nor the globals of Node. */
  readonly pure?: true;
  /**
   * Its folders and the files directly in it, in order: each may import only those before it, types included. Every part
   * must be listed.
   */
  readonly order?: readonly string[];
  /** Each folder in it stands alone, except for these, which all may import. */
  readonly sharedParts?: readonly string[];
  /** The files directly in it that may import every part, because they list them. */
  readonly listsOfParts?: readonly string[];
  /** Files of it whose work is to load modules that users name: nobody can read where their imports go. */
  readonly loadModules?: readonly string[];
}

/** The arrows to these folders. */
function to(...folders: readonly string[]): readonly Arrow[] {
  return folders.map((folder) => ({ to: folder }));
}

/** What stands below `hook`, `monitor` and `agent`. */
const below = to("core", "shared", "rules", "node", "handlers", "adapters", "journal", "config");

/** The row of the files directly in `src/`, one for each subpath export. */
export const ENTRY_FILES = "(entry files)";

/** The architecture: which folder may import which. If a row turns out wrong, change it here and in the docs, and say why. */
export const ARCHITECTURE: Readonly<Record<string, Row>> = {
  core: {
    mayImport: [],
    pure: true,
    order: [
      "base",
      "contracts",
      "match",
      "events",
      "ports.ts",
      "registration",
      "session",
      "decide",
      "loops",
      "hooks.ts",
      "internals.ts",
      "create-hooks.ts",
    ],
  },
  shared: { mayImport: to("core"), pure: true },
  // What we use of each package that our files load when they need it.
  packages: { mayImport: to("core") },
  rules: {
    mayImport: to("core", "shared"),
    order: [
      "shell",
      "fields",
      "operators",
      "conditions",
      "rule.ts",
      "rule-error.ts",
      "template.ts",
      "language",
      "objects",
      "index",
      "compiled",
      "decision.ts",
      "examples.ts",
      "packs",
      "rules.ts",
      "permissions",
    ],
  },
  node: { mayImport: to("core", "shared", "packages"), loadModules: ["optional-package.ts"] },
  handlers: {
    mayImport: to("core", "shared", "rules", "node"),
    loadModules: ["module/module.ts"],
  },
  adapters: {
    mayImport: to("core", "shared", "node"),
    sharedParts: ["codec", "settings", "plugins", "import"],
    listsOfParts: [
      "agents.ts",
      "integrations.ts",
      "recorded-sessions.ts",
      "status-lines.ts",
      "turn-signs.ts",
    ],
  },
  journal: { mayImport: to("core", "shared", "node") },
  config: { mayImport: to("core", "shared", "rules", "node") },
  // What an agent's settings have and need. The monitor asks for events of its own, which what hooks report is made of.
  install: {
    mayImport: [
      ...to("core", "shared", "rules", "node", "handlers", "adapters", "config"),
      { to: "monitor", files: ["report/"] },
    ],
  },
  hook: {
    mayImport: [
      ...below,
      ...to("install"),
      // What hooks report; the rest of the monitor is handed the function that decides.
      { to: "monitor", files: ["report/"] },
      // Models and agents judge for hooks; an entry file puts them together.
      { to: ENTRY_FILES, files: ["index.ts", "judges.ts"] },
    ],
  },
  monitor: { mayImport: below },
  know: {
    mayImport: [...below, ...to("install", "hook"), { to: ENTRY_FILES, files: ["index.ts", "config.ts"] }],
  },
  agent: {
    mayImport: [...below, ...to("packages")],
    order: [
      "stop-reasons.ts",
      "turn-hooks.ts",
      "waiting-for.ts",
      "messages",
      "turn-ended.ts",
      "items.ts",
      "contracts.ts",
      "conversation",
      "telemetry",
      "model",
      "definitions",
      "tools",
      "transcripts",
      "options.ts",
      "option-groups.ts",
      "checks",
      "run",
      "subagents",
      "ready-made",
      "work.ts",
      "agent.ts",
      "ask-once.ts",
    ],
  },
  // Runs of agents as jobs.
  fleet: { mayImport: [...below, ...to("packages", "agent", "monitor")] },
  // The page in a browser: what the daemon sends it has types, and little else is shared.
  dashboard: {
    mayImport: [
      { to: "monitor", files: ["dashboard/wire.ts"], typesOnly: true },
      { to: "journal", files: ["activity/calls.ts", "activity/figures.ts"], typesOnly: true },
      { to: "shared", files: ["monitor/", "replay.ts"], typesOnly: true },
      // A call and an id read the same on the page and on terminals.
      { to: "shared", files: ["call-text.ts", "tags.ts"] },
    ],
  },
  // What is shown on terminals: screens, and the layout of texts. What a screen needs of the monitor or of an agent is handed to it.
  terminal: {
    mayImport: [
      ...to("core", "shared", "node"),
      { to: "agent", typesOnly: true },
      { to: "monitor", typesOnly: true },
      { to: ENTRY_FILES, files: ["agent.ts"], typesOnly: true },
    ],
  },
  [ENTRY_FILES]: { mayImport: "every folder but cli" },
  // bin.ts imports modules for the files of `tenterhook hook`, whose compiled code is cached and so can't import.
  cli: { mayImport: "everything", loadModules: ["bin.ts"] },
};
