import { loadConfig } from "../../../config.ts";
import { didYouMean } from "../../../core/base/suggest.ts";
import { AGENT_NAMES } from "../../../core/events/agent-names.ts";
import { PACK_RULES, PACKS } from "../../../rules/packs/packs.ts";
import {
  type CommandOption,
  type CommandRow,
  type CommandRun,
  type Completes,
  type Invocation,
  listedCommands,
  optionsOf,
} from "../../command-line/command.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { sessionStore } from "../agent/sessions/session-store.ts";

const BASH = `_tenterhook() {
  local line="\${COMP_LINE:0:COMP_POINT}" words current IFS
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current="\${words[\${#words[@]}-1]}"
  IFS=$'\\n'
  COMPREPLY=($(tenterhook completion words -- "\${words[@]:1}" 2>/dev/null))
  # Bash completes only what follows the last colon.
  [[ $current == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*:}"}"}")
}
complete -o default -F _tenterhook tenterhook`;

const ZSH = `_tenterhook() {
  local -a found
  found=(\${(f)"$(tenterhook completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _tenterhook tenterhook`;

const FISH = `complete -c tenterhook -n 'not __fish_seen_subcommand_from check explain import' -f
complete -c tenterhook -a '(tenterhook completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`;

const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["bash", BASH],
  ["zsh", ZSH],
  ["fish", FISH],
]);

export const run: CommandRun = async (invocation) => {
  const { names, program: words = [] } = invocation;
  const [shell = ""] = names;
  if (shell === "words") {
    const found = await candidates(words, invocation);
    return { json: found, blocks: found };
  }
  const script = SCRIPTS.get(shell);
  if (script === undefined)
    throw usageError(
      `There is no completion for ${JSON.stringify(shell)}.${didYouMean(shell, SCRIPTS.keys())}`,
      `Shells: ${[...SCRIPTS.keys()].join(", ")}.`,
    );
  return { json: { shell, script }, blocks: script };
};

/** The words that can replace the last one, which may be empty. Never rejects: a shell has nobody to tell. */
async function candidates(words: readonly string[], invocation: Invocation): Promise<readonly string[]> {
  const current = words.at(-1) ?? "";
  const found = await offered(words, invocation).catch(() => []);
  return [...new Set(found)].filter((word) => word.startsWith(current)).sort();
}

async function offered(words: readonly string[], invocation: Invocation): Promise<readonly string[]> {
  const listed = listedCommands(invocation.table);
  const [first = "", ...more] = words;
  if (words.length < 2) return [...listed.map(({ name }) => name), "help", "--help", "--version"];
  if (first === "help") return listed.map(({ name }) => name);
  const [row, rest] = commandAt([...listed, ...invocation.table.unlisted], first, more);
  if (row === undefined) return [];
  const { option, position } = placeOf(row, rest.slice(0, -1));
  if (option !== undefined) return wordsFor([option.choices ?? option.completes ?? []], invocation);
  if (rest.at(-1)?.startsWith("-") === true)
    return [...optionsOf(row).flatMap(({ flags }) => namesOf(flags)), "--help"];
  const own = (row.commands ?? []).filter(({ hidden }) => hidden !== true).map(({ name }) => name);
  const { completes = [] } = row.arguments?.at(Math.min(position, row.arguments.length - 1)) ?? {};
  return [...own, ...(await wordsFor(completes, invocation))];
}

/** The command that words name, and the words after it but for the last one, which is being typed. */
function commandAt(
  commands: readonly CommandRow[],
  name: string,
  rest: readonly string[],
): readonly [CommandRow | undefined, readonly string[]] {
  const row = commands.find((one) => one.name === name);
  const [next = "", ...more] = rest;
  const below = more.length === 0 ? undefined : row?.commands?.find((one) => one.name === next);
  return below === undefined ? [row, rest] : commandAt(row?.commands ?? [], next, more);
}

/** The position of the next word: the option it is the value of, else how many arguments came before. */
function placeOf(
  row: CommandRow,
  before: readonly string[],
): { readonly option?: CommandOption; readonly position: number } {
  let option: CommandOption | undefined;
  let position = 0;
  for (const word of before) {
    if (word.startsWith("-")) {
      const found = optionsOf(row).find(({ flags }) => namesOf(flags).includes(word));
      option = found?.flags.includes("<") === true ? found : undefined;
    } else if (option === undefined) position += 1;
    else if (!option.flags.includes("...")) option = undefined;
  }
  return { option, position };
}

/** `-y, --yes`: both. */
function namesOf(flags: string): readonly string[] {
  return flags.split(/[\s,]+/).filter((word) => word.startsWith("-"));
}

async function wordsFor(wanted: readonly Completes[], invocation: Invocation): Promise<readonly string[]> {
  const lists = await Promise.all(
    wanted.map((one) => (typeof one === "string" ? NAMES[one](invocation) : one)),
  );
  return lists.flat();
}

const NAMES: Readonly<
  Record<Extract<Completes, string>, (invocation: Invocation) => Promise<readonly string[]>>
> = {
  hooks: async ({ cwd, environment, signal }) => {
    const { definitions } = await loadConfig({ cwd, environment, signal });
    return definitions.map(({ name }) => name);
  },
  packs: async () => [...PACKS.keys()],
  rules: async () => [...PACK_RULES.keys()],
  agents: async () => AGENT_NAMES,
  sessions: async ({ environment, signal }) => {
    const store = sessionStore(environment);
    try {
      const { transcripts } = await store.list({ root: true, limit: 100, signal });
      return transcripts.map(({ agent_id }) => agent_id);
    } finally {
      await store.close();
    }
  },
};
