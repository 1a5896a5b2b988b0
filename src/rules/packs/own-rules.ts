import { callTouches, type PackRule, ruleLines, runsAny, touchesAny } from "./pack.ts";

const MANAGERS = ["npm", "pnpm", "yarn", "bun"];
const NAMES = "{tenterhook,tenterhook@*}";
/** What decides over the agent: only a person changes it. */
export const OWN_RULES: readonly PackRule[] = [
  {
    id: "grant-trust",
    when: runsAny(["tenterhook trust"]),
    answer: "deny",
    reason: "Only a person may grant trust, in a terminal of their own.",
    instead: "Ask the user to run tenterhook trust.",
    stops: ["tenterhook trust --yes", "npx tenterhook trust -y"],
    passes: ["tenterhook list", "npx tenterhook explain event.json"],
  },
  {
    id: "switch-off-hooks",
    when: runsAny(["tenterhook {off,disable,uninstall}"]),
    reason: "This turns off hooks that guard the agent.",
    instead: "Tell the user which rule is in the way, and why.",
    stops: ["tenterhook off safe-shell-files", "npx tenterhook uninstall claude"],
    passes: ["tenterhook check", "tenterhook list safe-shell-files"],
  },
  {
    id: "hook-state",
    when: touchesAny("writes", ["~/.local/state/tenterhook/**", "~/.cache/tenterhook/**"]),
    answer: "deny",
    reason: "An agent must not change what the user trusts or what hooks have recorded.",
    instead: "Read it with tenterhook log or tenterhook list.",
    stops: ["echo {} > ~/.local/state/tenterhook/trust/x.json"],
    passes: ["tenterhook log"],
  },
  {
    id: "user-hooks",
    when: touchesAny("writes", ["~/.config/tenterhook/**"]),
    reason: "This changes the user's own hooks.",
    instead: "Show the user the lines to change.",
    stops: ["echo x >> ~/.config/tenterhook/hooks.yaml"],
    passes: ["cat ~/.config/tenterhook/hooks.yaml"],
  },
];

/** What answers for the user, ends the program that waits for it, or lets our own agent work unasked. `resume` answers a session. */
const ANSWERS = [
  "answer",
  "decisions resolve",
  "fleet answer",
  "{daemon,monitor} {stop,restart,disable,serve,join,leave,token}",
  "sessions {resume,fork}",
  "{resume,fork,dashboard,web,away,back}",
  "{run,chat} -y",
  "{run,chat} --mode bypass",
];

/** What takes along or prints the files of a whole folder. */
const READS_TREES = [
  "tar",
  "zip",
  "7z",
  "rsync",
  "scp -r",
  "cp -r",
  "cp -R",
  "cp -a",
  "grep -r",
  "grep -R",
  "rg",
  "ag",
];

/** The daemon's sockets by their whole names, which end other names as well: webhook.sock. */
const SOCKETS = ["daemon.sock", "hook.sock"]
  .flatMap((name) => ["-U", ..."/ =:'\"(}*\t\n"].map((before) => before + name))
  .map((text) => `command contains ${JSON.stringify(text)}`)
  .join(" or ");

/** Ends our program, so that the call it decides about goes on undecided, or finds it to be ended. */
const ENDS_PROGRAM = [
  runsOnOurs("pkill killall killall5 skill fuser stop-process taskkill"),
  `(${runsOnOurs("pgrep pidof")} and (command contains "kill" or command runs "kill" or command dynamic))`,
].join(" or ");

/** One of these programs gets the name of ours. */
function runsOnOurs(programs: string): string {
  const tests = programs.split(" ").map((name) => `command runs "${name} *tenterhook*" ignoring case`);
  return `(${tests.join(" or ")})`;
}

/** How agents are started so that they call no hooks, those of the user alone, or hooks that nobody has looked at. */
const WITHOUT_HOOKS = [
  "{claude,qwen} --bare",
  "{claude,qwen} --safe-mode",
  "claude --setting-sources",
  "claude --plugin-dir",
  "codex --disable *{hooks,plugins}*",
  "codex -c *{hooks,plugins,marketplace}*",
  "codex features disable *hooks*",
  "{gemini,qwen} -e none",
  "pi --no-extensions",
  "pi -e",
  "{opencode,kilo,kilocode} --pure",
];
/** Settings that our program has written, as its help shows it. */
const OWN_SETTINGS = '^claude [^;&|]*--settings[= ]"?[$][(]tenterhook agent settings [\\w.-]+[)]';
const TURNED_OFF = ["disableAllHooks", "hooksConfig"];

const CHANGES = "{install,i,add,link,new,init,create,enable,disable,uninstall,remove,rm,update,upgrade}";

/** How agents get, lose or change what they load as code. */
const CHANGES_PLUGINS = [
  `{claude,codex,copilot,droid,opencode,kilo,kilocode,auggie,amp,cursor-agent} {plugin,plugins} {marketplace,marketplaces} ${CHANGES}`,
  `{claude,codex,copilot,droid,opencode,kilo,kilocode,auggie,amp,cursor-agent} {plugin,plugins} ${CHANGES}`,
  `{gemini,qwen} {extension,extensions} ${CHANGES}`,
  "{gemini,qwen} hooks",
  "{claude,copilot,opencode} config {set,add,remove,rm}",
  "{skills,add-skill,openskills} {add,install,i}",
  "pi {install,remove,uninstall,update,config}",
];

/** What puts a whole folder somewhere: a skill that is made so may have code in it that nobody has named. */
const PUTS_FOLDERS = ["cp -r", "cp -R", "cp -a", "mv", "rsync", "ln", "git clone", "tar", "unzip"];
const SKILL_FOLDERS = ["**/.claude/skills", "**/.claude/skills/*"];

/** What gives a file another name. */
const LINKS = ["ln", "link", "cp -l", "cp -s"];

/** Our program's own files: by another name it would not be known. */
const NAMES_OF_PROGRAM = [
  "**/bin/tenterhook",
  "**/.bin/tenterhook",
  "**/node_modules/tenterhook",
  "**/tenterhook/dist/tenterhook.cjs",
  "**/node_modules/tenterhook/dist",
];

/** Where our program is, as a line asks the shell. */
const OWN_PROGRAM = "\\b(?:which|command\\s+-[vV]|type\\s+-[pP]|hash\\s+-t)\\s+tenterhook\\b";

/** What must not change, as globs. */
interface ProtectedGlobs {
  /** Files, and folders that must not go, by their place. */
  readonly files: readonly string[];
  /** Our program, by its place. Its folder may go, as when `node_modules` is deleted. */
  readonly program: readonly string[];
  /** The same in any folder. A wildcard such as `src/**` does not count as naming them. */
  readonly anywhere: readonly string[];
  /** The files of folders in which every file counts, also a new one. A wildcard does not count as naming them. */
  readonly inside: readonly string[];
  /** The folders around them, which may change but not go. */
  readonly trees: readonly string[];
  /** The names of their folders. */
  readonly folders: readonly string[];
  /** What answers in the user's name need: it must not be read. */
  readonly monitor: readonly string[];
  /** The folder of our state and those around it. */
  readonly above: readonly string[];
  /** The folder of the user's configuration and those around it. */
  readonly aboveConfig: readonly string[];
}

/** One name for all its rules: `self_protection` switches them off together. */
const SELF_PROTECTION = "self-protection";

/** The rules of self-protection in the one-line language. */
export function selfProtectionRules({
  files,
  program,
  anywhere,
  inside,
  trees,
  folders,
  monitor,
  above,
  aboveConfig,
}: ProtectedGlobs): string {
  return ruleLines([
    {
      id: SELF_PROTECTION,
      when: [
        writesAny([...files, ...program]),
        touchesAny("writes", anywhere, ANY_CASE),
        `(${writesAny(inside)}) and not command contains "*"`,
      ].join(" or "),
      reason:
        "This changes the hooks that guard this agent, or a file they depend on. Only the user decides that.",
      instead: "Show the user the change; they make it.",
    },
    {
      id: SELF_PROTECTION,
      when: `(${writesAny(trees)}) and command runs "@loses"`,
      reason: "This removes a folder with the hooks that guard this agent.",
      instead: "Name the files in it that should go.",
    },
    {
      id: SELF_PROTECTION,
      when: `${runsAny(PUTS_FOLDERS)} and (${writesAny([...above, ...aboveConfig])})`,
      reason:
        "This moves a folder with the hooks that guard this agent, or puts files into it that nobody has named.",
      instead: "Name the files that should change.",
    },
    {
      id: SELF_PROTECTION,
      when: [
        `${runsAny(LINKS)} and (${callTouches("reads", files, ANY_CASE)})`,
        `${runsAny([...LINKS, "@changes"])} and (${callTouches("reads", NAMES_OF_PROGRAM, ANY_CASE)})`,
      ].join(" or "),
      reason: "This makes a second name for the hooks that guard this agent or their program.",
      instead: "Link the other files by their names.",
    },
    {
      id: SELF_PROTECTION,
      when: `command runs "xargs" and command runs "@loses" and (${folders.map((name) => `command contains ${JSON.stringify(name)}`).join(" or ")})`,
      reason: "This may delete the hooks that guard this agent: what is deleted can't be known before.",
      instead: "List what it finds first, and name what should go.",
    },
    {
      id: SELF_PROTECTION,
      when: `command matches '${OWN_PROGRAM}' and ${runsAny(["@loses", "@changes"])}`,
      reason: "This may remove the program that runs the hooks of this agent.",
      instead: "Ask the user to do it.",
    },
    {
      id: SELF_PROTECTION,
      when: `${runsAny([
        "tenterhook {trust,off,on,disable,enable,uninstall,install,import,init,add,use,update,promote}",
        // Only the shell knows which of them it is.
        "tenterhook [$`]*",
        ...MANAGERS.map((program) => `${program} {install,i,add,link} ${NAMES}`),
        ...MANAGERS.map((program) => `${program} {uninstall,unlink,remove,rm,un,r} tenterhook`),
        "yarn global remove tenterhook",
      ])} or (${runsAny(["{node,nodejs,bun,deno,tsx,ts-node}"])} and (command contains "grantTrust" or command contains "revokeTrust"))`,
      reason: "This changes which hooks guard this agent. Only the user decides that.",
      instead: "Tell the user which command to run, and why.",
    },
    {
      id: SELF_PROTECTION,
      when: [
        ENDS_PROGRAM,
        runsAny([...WITHOUT_HOOKS, "@preloads"]),
        `(command runs "claude --settings" and not command matches '${OWN_SETTINGS}')`,
        `${runsAny(["{claude,qwen,gemini,copilot}"])} and (${TURNED_OFF.map((name) => `command contains ${JSON.stringify(name)}`).join(" or ")})`,
      ].join(" or "),
      reason: "This ends the hooks that guard this agent, or starts an agent without hooks.",
      instead: "Start agents with their hooks, and end only what you started.",
    },
    {
      id: SELF_PROTECTION,
      when: `${runsAny(CHANGES_PLUGINS)} or ((${runsAny(PUTS_FOLDERS)} or command matches "copytree|cpSync|cp_r|extractall|symlink|rename") and (${callTouches("writes", SKILL_FOLDERS, ANY_CASE)})) or ${runsAny(["git {submodule,subtree} add *.claude/skills*", "{degit,tiged} *.claude/skills*"])}`,
      reason:
        "This changes what agents load as code, which can answer in place of the hooks that guard them.",
      instead: "Tell the user which command to run, and why.",
    },
    {
      id: SELF_PROTECTION,
      when: [
        runsAny(ANSWERS.map((words) => `tenterhook ${words}`)),
        runsAny(["systemctl * *tenterhook*", "launchctl * *tenterhook*"]),
        // The daemon's socket and token, and what answers on the user's phone need.
        SOCKETS,
        callTouches("reads", monitor),
        `command contains "tenterhook/monitor"`,
        `${runsAny(READS_TREES)} and (${callTouches("reads", above)})`,
      ].join(" or "),
      reason: "This answers a question in the user's name, or stops the monitor. Only the user does that.",
      instead: "Wait for the user's answer.",
    },
  ]);
}

/** Many file systems find a file by a name in another case. */
const ANY_CASE = " ignoring case";

function writesAny(globs: readonly string[]): string {
  return callTouches("writes", globs, ANY_CASE);
}
