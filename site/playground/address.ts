import type { Given } from "./engine.ts";
import type { Described } from "./machine.ts";

/** All that the page shows: what is asked, and the machine it is asked on. */
export interface State extends Omit<Given, "packs">, Described {
  readonly packs: readonly string[];
}

export const DEFAULTS: State = {
  call: "git push --force origin main",
  rules: "",
  packs: ["safe-shell", "protect-secrets", "git-safety"],
  home: "/home/you",
  folder: "/home/you/shop",
  files: ".env\nsrc/index.ts\nbuild/",
  variables: "",
};

const TEXTS = ["call", "rules", "home", "folder", "files", "variables"] as const;

/** The part of the address after `#`, which browsers never send. What is as usual is left out. */
export function addressOf(state: State): string {
  const given = new URLSearchParams();
  for (const name of TEXTS) if (state[name] !== DEFAULTS[name]) given.set(name, state[name]);
  if (state.packs.join() !== DEFAULTS.packs.join()) given.set("packs", state.packs.join(" "));
  const text = given.toString();
  return text === "" ? "" : `#${text}`;
}

/** What an address says, and the usual for the rest. */
export function stateAt(hash: string): State {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const texts = Object.fromEntries(TEXTS.map((name) => [name, given.get(name) ?? DEFAULTS[name]]));
  const packs = given.get("packs")?.split(" ").filter(Boolean);
  return { ...DEFAULTS, ...texts, packs: packs ?? DEFAULTS.packs };
}
