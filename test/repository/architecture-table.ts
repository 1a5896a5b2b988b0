/** An arrow to another folder. */
export interface Arrow {
  readonly to: string;
  /** Only these files of it. */
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
  /** The file directly in it that may import every part, because it lists them. */
  readonly listOfParts?: string;
  /** Files of it whose work is to load modules that users name: nobody can read where their imports go. */
  readonly loadModules?: readonly string[];
}

const core: Arrow = { to: "core" };
const rules: Arrow = { to: "rules" };
const node: Arrow = { to: "node" };

/** The row of the files directly in `src/`, one for each subpath export. */
export const ENTRY_FILES = "(entry files)";

/** The architecture: which folder may import which. If a row turns out wrong, change it here and in the docs, and say why. */
export const ARCHITECTURE: Readonly<Record<string, Row>> = {
  core: {
    mayImport: [],
    pure: true,
    order: [
      "base",
      "monitor",
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
  rules: { mayImport: [core] },
  node: {
    // One table of the words that name secrets, and one helper each for JSON, for text and for what was thrown.
    mayImport: [
      { to: "core", files: ["base/error-text.ts", "base/json.ts", "base/text.ts", "match/secret-words.ts"] },
      { to: "core", typesOnly: true },
    ],
  },
  handlers: { mayImport: [core, rules, node], loadModules: ["module/import-module.ts"] },
  config: { mayImport: [core, rules, node] },
  models: { mayImport: [core, node] },
  tools: { mayImport: [core, rules, node] },
  agent: { mayImport: [core, rules, node] },
  stores: { mayImport: [core, node] },
  adapters: {
    mayImport: [core, node],
    sharedParts: ["codec", "settings", "plugins", "import"],
    listOfParts: "agents.ts",
  },
  monitor: { mayImport: [core, node] },
  [ENTRY_FILES]: { mayImport: "every folder but cli" },
  // bin.ts imports modules for the files of `tenterhook hook`, whose compiled code is cached and so can't import.
  cli: { mayImport: "everything", loadModules: ["bin.ts"] },
};
