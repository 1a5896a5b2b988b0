import { type PackRule, runsAny, touchesAny } from "./pack.ts";

/** What decides over the agent: only a person changes it. */
export const OWN_RULES: readonly PackRule[] = [
  {
    when: runsAny([
      "tenterhook trust",
      "{npx,pnpx,bunx} tenterhook trust",
      "{npm,pnpm,yarn,bun} {exec,x,dlx} tenterhook trust",
    ]),
    answer: "deny",
    reason: "Only a person may grant trust: ask the user to run `tenterhook trust` in their own terminal.",
  },
  {
    when: runsAny([
      "tenterhook {disable,uninstall}",
      "{npx,pnpx,bunx} tenterhook {disable,uninstall}",
      "{npm,pnpm,yarn,bun} {exec,x,dlx} tenterhook {disable,uninstall}",
    ]),
    answer: "ask",
    reason: "This turns off hooks that guard the agent.",
  },
  {
    when: touchesAny("writes", ["~/.local/state/tenterhook/**", "~/.cache/tenterhook/**"]),
    answer: "deny",
    reason: "An agent must not change what the user trusts or what hooks have recorded.",
  },
  {
    when: touchesAny("writes", ["~/.config/tenterhook/**"]),
    answer: "ask",
    reason: "This changes the user's own hooks.",
  },
];
