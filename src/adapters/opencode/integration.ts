import type { Integration } from "../integration.ts";
import { forkIntegration } from "../plugins/opencode/integration.ts";
import { opencode, opencodeTable } from "./opencode.ts";

const isSecond = (version: string): boolean => /^(?:[2-9]|\d\d)/.test(version);

export const opencodeIntegration: Integration = {
  ...forkIntegration({
    adapter: opencode,
    table: opencodeTable,
    folder: ".opencode",
    variable: "OPENCODE_CONFIG_DIR",
    since: "1.18.18",
    notes: [
      "opencode 2 loads the same file and no plug-in of opencode 1, which only its log says. Its package is not on npm, so nobody has run it: this follows its documentation. `check` says before the first call when an older file of ours would not load.",
      "In opencode 2 the plug-in asks about calls and their results alone, not about prompts and the end of a turn; tools that a script calls in code mode may pass it.",
    ],
  }),
  // It drops a plug-in without `setup`, and says so in its log alone.
  unloaded: (version, text) =>
    isSecond(version) && text !== undefined && !text.includes(" as default")
      ? `opencode ${version} does not load this plug-in, which is for opencode 1`
      : undefined,
  unproven: (version) =>
    isSecond(version)
      ? "There our plug-in asks about calls and their results alone, not about prompts and the end of a turn, and tools that a script calls in code mode may pass it."
      : undefined,
};
