import type { Stream } from "../interpret/frame.ts";

/** Tools that print settings for the shell, made for `eval "$(tool …)"` and `source <(tool …)`. */
const TOOLS = new Set(
  "ssh-agent dircolors lesspipe resize tset keychain gpg-agent thefuck register-python-argcomplete".split(
    " ",
  ),
);

/** The same for one subcommand of a tool. */
const SUBCOMMANDS =
  /^(?:luarocks path|opam env|docker-machine env|minikube (?:docker-env|podman-env)|conda shell\.\w+|(?:micro)?mamba shell|[\w-]+ (?:completions?|hook|init|shellenv|activate|shell-init|env))$/;

const NEVER =
  /^(?:cat|echo|printf|curl|wget|env|base64|xxd|nc|python[\d.]*|node|perl|ruby|php|sh|bash|zsh|git|docker|ssh)$/;

/** True when text comes from a local tool whose purpose is to set up the shell. */
export function printsSetup(stream: Stream): boolean {
  return (
    stream.from.length > 0 &&
    stream.from.every((command) => command.connects.length === 0 && isSetup(command.text))
  );
}

/** Word by word: one expression for all of them can be made to try every way to share the dashes out. */
function isSetup(text: string): boolean {
  const [tool = "", ...rest] = text.split(" ");
  if (NEVER.test(tool)) return false;
  const options = TOOLS.has(tool) ? rest : rest.slice(1);
  if (options === rest || SUBCOMMANDS.test(`${tool} ${rest[0] ?? ""}`))
    return options.every((word) => /^[\w./=-]+$/.test(word));
  return false;
}
