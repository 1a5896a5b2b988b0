import { didYouMean } from "../../../core/base/suggest.ts";
import type { CommandRun } from "../../command-line/command.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { candidates } from "./candidates.ts";

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

const FISH = `complete -c tenterhook -n 'not __fish_seen_subcommand_from validate explain import' -f
complete -c tenterhook -a '(tenterhook completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`;

const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["bash", BASH],
  ["zsh", ZSH],
  ["fish", FISH],
]);

export const run: CommandRun = async (invocation) => {
  const { screen, json, names } = invocation;
  const [shell = "", ...words] = names;
  if (shell === "words") {
    const found = await candidates(words, invocation);
    if (found.length > 0) screen.print(...found);
    return undefined;
  }
  const script = SCRIPTS.get(shell);
  if (script === undefined)
    throw usageError(
      `There is no completion for ${JSON.stringify(shell)}.${didYouMean(shell, SCRIPTS.keys())}`,
      `Shells: ${[...SCRIPTS.keys()].join(", ")}.`,
    );
  if (json) screen.json({ shell, script });
  else screen.print(script);
};
