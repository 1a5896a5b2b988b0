import { isRecord } from "../../core/base/json.ts";

type Settings = Readonly<Record<string, unknown>>;

const SCRIPT = /^[^\s]+\.(?:sh|bash|zsh|fish|ps1|py|js|mjs|cjs|ts|mts|cts|rb|pl|php|lua)$/;

/** What starts another program, which says more. */
const STARTERS =
  /^(?:env|exec|command|sudo|nohup|time|timeout|xargs|sh|bash|zsh|fish|dash|node|bun|deno|python\d*|ruby|perl|php|npx|bunx|uv|uvx|npm|pnpm|yarn|run|dlx|x|tool|then|do|if|while|until|for|test|cd|set|export|trap|\[+|!|\{)$/;

/** Names for the hooks of one file: after the script, or else the first program, that each runs. */
export function hookNames(prefix: string): (event: string, handler: Settings) => string {
  const taken = new Set<string>();
  return (event, handler) => {
    const own = kebab(workOf(handler) ?? event).slice(0, 40);
    const base = prefix === "" || prefix === own ? own : `${prefix}-${own}`;
    let name = base;
    for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
    taken.add(name);
    return name;
  };
}

/** What a handler runs or asks, in a word or two; `undefined` when it can't be said. */
function workOf(handler: Settings): string | undefined {
  const { url, tool, prompt } = handler;
  const line = [handler.command, handler.bash, handler.powershell].find((text) => typeof text === "string");
  const args = Array.isArray(handler.args) ? handler.args : [];
  if (typeof line === "string") return programIn([line, ...args.map(String)].join(" "));
  if (typeof url === "string") return URL.canParse(url) ? new URL(url).hostname : undefined;
  if (typeof tool === "string") return tool;
  return typeof prompt === "string" || isRecord(prompt) ? "prompt" : undefined;
}

/** The first script that a line names, wherever it stands; else the first program that is not there to start another. */
function programIn(line: string): string | undefined {
  const words = line
    .replaceAll(/["']/g, "")
    .split(/[\s;&|()<>`]+/)
    .filter((word) => word !== "" && !/^(?:-|\d+$|\w+=)/.test(word));
  const script = words.find((word) => SCRIPT.test(word));
  const program =
    script ?? words.find((word) => !STARTERS.test(lastPart(word)) && /^[\w./~$@{}-]+$/.test(word));
  const name = lastPart(program ?? words[0] ?? "").replace(script === undefined ? "" : /\.\w+$/, "");
  return kebab(name) === "" ? undefined : name;
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** The name of an event, an owner or a program as part of a hook's name. */
export function kebab(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase();
}
