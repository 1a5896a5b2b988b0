import { loadsCode } from "../../../shared/code-variables.ts";
import { shown } from "../words/text.ts";
import type { ProgramRow } from "./program-row.ts";

type Acts = Pick<ProgramRow, "acts">;

/** Variables of the line that bring code into this program, or for which this holds. */
function variables(others: (name: string) => boolean): Acts {
  return {
    acts: ({ scope: { tables } }) =>
      [...tables.variables]
        .filter(
          ([name, value]) => others(name) || loadsCode(name, value === undefined ? undefined : shown(value)),
        )
        .map(([name]) => ({ kind: "preloads", target: name })),
  };
}

const LOADING_OPTION =
  /^(?:-r|--require|--import|--(?:experimental-)?loader|--preload|--inspect\S*|-[MI]\S*)(?:=|$)/;
const OPTION_OF_WRAPPER = /^--(?:node-options|preload|audit|library-path)(?:=|$)/;

/** What the options of an engine, or of a wrapper, load before the program: as if a variable did. */
export function loadedByOptions(words: readonly string[], isWrapper: boolean): string | undefined {
  const pattern = isWrapper ? OPTION_OF_WRAPPER : LOADING_OPTION;
  return words.find((word) => pattern.test(shown(word)));
}

/** By these our daemon finds the settings and the database elsewhere that answer in its user's name. */
const SETTINGS_OF_OURS = /^(?:XDG_CONFIG_HOME|TENTERHOOK_DATABASE_URL)$/;

export const PRELOADS_OF_OURS = variables((name) => SETTINGS_OF_OURS.test(name));

/** By these an agent finds its settings elsewhere, or leaves hooks out. */
const SETTINGS =
  /^(?:HOME|XDG_CONFIG_HOME|CLAUDE_(?:CONFIG_DIR|CODE_(?:SIMPLE|PLUGIN_DIRS))|(?:CODEX|COPILOT|GEMINI_CLI|QWEN)_HOME|COPILOT_ALLOW_ALL|QWEN_CODE_(?:SAFE_MODE|SIMPLE)|(?:OPENCODE|KILO)_(?:CONFIG\w*|PURE|PERMISSION)|PI_CODING_AGENT_DIR|GEMINI_CLI_(?:SYSTEM_SETTINGS_PATH|TRUST_WORKSPACE)|GOOSE_MODE)$/;

export const PRELOADS_OF_AGENTS = variables((name) => SETTINGS.test(name));
