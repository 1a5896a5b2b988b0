import { type PackRule, ruleLines, runsAny, touchesAny } from "./pack.ts";

/** What decides over the agent: only a person changes it. */
export const OWN_RULES: readonly PackRule[] = [
  {
    when: runsAny([
      "tenterhook trust",
      "{npx,pnpx,bunx} tenterhook trust",
      "{npm,pnpm,yarn,bun} {exec,x,dlx} tenterhook trust",
    ]),
    answer: "deny",
    reason: "Only a person may grant trust, in a terminal of their own.",
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

// One pattern for each program: the index can ask for the arguments of a pattern only when its program is plain.
const RUNNERS = ["npx", "pnpx", "bunx"];
const MANAGERS = ["npm", "pnpm", "yarn", "bun"];
const NAMES = "{tenterhook,tenterhook@*}";
const CHANGES_HOOKS = "{trust,disable,enable,uninstall,install,import}";

/** Git commands that set a whole folder back, and with it hooks and settings that are not committed. */
const SET_BACK = [
  "git stash {push,save}",
  ...["-u", "-a", "-k", "-p", "-S", "-m", "-q"].map((flag) => `git stash ${flag}`),
  "git reset --hard",
  "git checkout -f",
  "git switch -f",
  "git clean -f !-n",
];

/** One of these words is in every line that sets something back. */
export const SET_BACK_WORDS = ["stash", "reset", "checkout", "restore", "switch", "clean"];

/**
 * The rules of self-protection in the one-line language.
 *
 * @param files globs for what must not change: files, and folders that must not go.
 * @param trees globs for the folders around them, which may change but not go.
 */
export function selfProtectionRules(files: readonly string[], trees: readonly string[]): string {
  return ruleLines([
    {
      when: writesAny(files),
      answer: "ask",
      reason:
        "This changes the hooks that guard this agent, or a file they depend on. Only the user decides that.",
    },
    {
      when: `(${writesAny(trees)}) and ${runsAny(["@loses", "git {checkout,restore}"])}`,
      answer: "ask",
      reason: "This removes or sets back a folder with the hooks that guard this agent.",
    },
    {
      when: `${runsAny(SET_BACK)} or command matches '\\bgit\\s+stash\\s*([;&|)\\n]|$)'`,
      answer: "ask",
      reason: "This may set back the hooks that guard this agent, or the settings that call them.",
    },
    {
      when: runsAny([
        `tenterhook ${CHANGES_HOOKS}`,
        ...RUNNERS.map((program) => `${program} ${NAMES} ${CHANGES_HOOKS}`),
        ...MANAGERS.map((program) => `${program} {exec,x,dlx} ${NAMES} ${CHANGES_HOOKS}`),
        ...MANAGERS.map((program) => `${program} {uninstall,unlink,remove,rm,un,r} tenterhook`),
        "yarn global remove tenterhook",
      ]),
      answer: "ask",
      reason: "This changes which hooks guard this agent. Only the user decides that.",
    },
  ]);
}

function writesAny(globs: readonly string[]): string {
  return globs.map((glob) => `call writes ${JSON.stringify(glob)}`).join(" or ");
}
