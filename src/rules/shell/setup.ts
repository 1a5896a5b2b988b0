import type { Stream } from "./frame.ts";

/** Tools that print settings for the shell, made for `eval "$(tool …)"` and `source <(tool …)`. */
const PRINTS_SETUP =
  /^(?:ssh-agent|dircolors|lesspipe|resize|tset|keychain|gpg-agent|thefuck|register-python-argcomplete|luarocks path|opam env|docker-machine env|minikube (?:docker-env|podman-env)|conda shell\.\w+|(?:micro)?mamba shell|[\w-]+ (?:completions?|hook|init|shellenv|activate|shell-init|env(?: --[\w=-]+)*)(?: -{0,2}[\w=-]+)*)(?: -{0,2}[\w./=-]+)*$/;
const NEVER =
  /^(?:cat|echo|printf|curl|wget|env|base64|xxd|nc|python[\d.]*|node|perl|ruby|php|sh|bash|zsh|git|docker|ssh)(?:\s|$)/;

/** True when text comes from a local tool whose purpose is to set up the shell. */
export function printsSetup(stream: Stream): boolean {
  return (
    stream.from.length > 0 &&
    stream.from.every(
      (command) =>
        command.connects.length === 0 && PRINTS_SETUP.test(command.text) && !NEVER.test(command.text),
    )
  );
}
