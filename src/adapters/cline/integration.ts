import { join } from "node:path";
import type { Integration } from "../integration.ts";
import type { AgentSettings, WantedEvent } from "../settings/agent-settings.ts";
import { FIND, HOOK_COMMAND, hookCommand, PROJECT_PROGRAM } from "../settings/hook-command.ts";
import { MISSING, OWNED_MARK } from "../settings/installed-texts.ts";
import { ownedFolder } from "../settings/owned-folder.ts";
import { cline, clineTable } from "./cline.ts";
import { CLINE_EVENTS } from "./events.ts";
import { REJECT_NULL } from "./tools.ts";

/** How long Cline waits for any hook. */
const WAITS_SECONDS = 120;

/** Of the endings that Cline knows, this one comes last: ours is the last input among the hooks of a folder. */
function nameOf(native: string): string {
  return `${native.split(".")[0]}.zsh`;
}

const CLINE_FILES: readonly string[] = [...new Set(Object.keys(CLINE_EVENTS).map(nameOf))];

const folder = ownedFolder({
  table: clineTable,
  usualSeconds: WAITS_SECONDS,
  toolEvents: new Set(),
  prompts: new Map([["PreToolUse", {}]]),
  comment: "#",
  head: "#!/bin/sh\n",
  bodyFor: scriptFor,
  nameOf,
});

/** The hook files of Cline: one for each event, found by its name. */
export const clineSettings: AgentSettings = {
  ...folder,
  wanted: (hooks) => {
    const { events, never_sent } = folder.wanted(hooks);
    const isFound = (native: string): boolean => CLINE_FILES.includes(nameOf(native));
    return {
      events: events
        .filter(({ native }) => isFound(native))
        .map((event) => ({ ...event, timeout: WAITS_SECONDS })),
      // It finds no file for an event that is newer than the table.
      never_sent: [
        ...never_sent,
        ...events.flatMap(({ native }) => (isFound(native) ? [] : [`${clineTable.name}:${native}`])),
      ],
    };
  },
};

export const clineIntegration: Integration = {
  adapter: cline,
  table: clineTable,
  program: "cline",
  since: { version: "3.0.65", older: "was not tried with Tenterhook." },
  shellCall: (command, cwd) => ({
    clineVersion: "",
    taskId: "explain",
    workspaceRoots: [cwd],
    workspaceInfo: { rootPath: cwd, hint: "" },
    hookName: "tool_call",
    tool_call: { id: "explain", name: "run_commands", input: { commands: [command] } },
  }),
  settings: clineSettings,
  scopes: ["project", "user"],
  settingsFile: (scope, { root, home, environment }) => {
    const users = environment.CLINE_DIR ?? join(home, ".cline");
    return join(scope === "user" ? users : join(root, ".cline"), "hooks");
  },
  settingsNames: CLINE_FILES,
  projectCommand: `"\${0%/*}"/../../${PROJECT_PROGRAM} hook`,
  startsInRoot: "unless git",
  warnings: [
    "Cline waits 120 seconds for a hook, and then runs the tool. What our hooks have not decided after 105 seconds is refused.",
    "Cline has no refusal that the model reads. A refused command becomes one that only prints the reason; other tools get an input that they reject, and three of these in a row end the run.",
    "A call of a tool of an MCP server or a plug-in is refused by ending the run, without a reason. So is every call if another PreToolUse file runs after ours, because the last input wins.",
    "Plug-ins of Cline can change a call after our hooks have judged it.",
    "Cline ends a turn although a Stop hook wants it to go on, and takes no context at the start of a session.",
  ],
  notes: [
    "Cline finds hooks by the names of files, one for each event. The ending `.zsh` makes it run ours last; they are scripts for `sh`.",
    "Cline was never seen to send an event for a prompt, so prompts can't be refused.",
    "Cline ignores exit codes: it runs a tool unless it reads a refusal as JSON. So the hook file refuses by itself when Tenterhook is missing, fails or prints nothing.",
    "`run_commands` takes several lines and runs them at the same time. Hooks get them as one `Bash` command, a line each; one with an open quote or here-document comes as `bash -c '…'`. After a rewrite they run as one command.",
    "`editor` is `Write` when it names no text to replace, else `Edit`. It can make a new file in both cases: name both in hooks that guard files.",
    "Context comes after the result of the call, cut after 50,000 characters.",
    "A rewrite of a result ends the run, because Cline can't replace a result.",
    "Messages to the user are shown nowhere; `tenterhook log` has them.",
  ],
};

/** Seconds until we are asked to end, and more seconds until we are killed. Cline waits 120, and then runs the tool. */
const DEADLINE = { asked: 105, ended: 5 };

/** The part of a hook file that calls us. */
function scriptFor(events: readonly WantedEvent[]): string {
  const command = events[0]?.command ?? HOOK_COMMAND;
  // Cline does not wait for a hook on the start of a subagent.
  const isGate = events.some(({ native, gate }) => gate && native !== "TaskStart.subagent");
  return isGate ? gateScript(command) : `exec ${hookCommand({ gate: false, command })}\n`;
}

/**
 * Cline takes nothing but JSON for a refusal, so this script refuses when we answer late or not at all. A tool that may
 * run with `null` for its input is stopped by ending the run; so is every tool when somebody else's hook could replace the
 * input.
 */
function gateScript(command: string): string {
  return `${FIND}
payload=$(cat)
reply=$(
  printf '%s' "$payload" | ${command} &
  ours=$!
  {
    trap 'kill -9 $!; exit' TERM
    sleep ${DEADLINE.asked} &
    wait $!
    kill $ours
    sleep ${DEADLINE.ended} &
    wait $!
    kill -9 $ours
  } >/dev/null 2>&1 &
  watch=$!
  wait $ours
  code=$?
  kill $watch
  exit $code
)
case $?$reply in
  0{*} | 2{*})
    printf '%s' "$reply"
    exit
    ;;
esac
why='Tenterhook did not decide, so this is refused.'
command -v ${command.replace(/ hook$/, "")} >/dev/null || why='${MISSING}'
tool=\${payload#*'"tool_call":{"id":"'}
tool=\${tool#*'","name":"'}
case \${tool%%'"'*} in
  ${REJECT_NULL.join(" | ")}) ;;
  *) alone=no ;;
esac
for file in .cline/hooks/* .clinerules/hooks/* "\${CLINE_DIR:-$HOME/.cline}"/hooks/* "$HOME"/Documents/Cline/Hooks/*; do
  case \${file##*/} in
    [Pp][Rr][Ee][Tt][Oo][Oo][Ll][Uu][Ss][Ee] | [Pp][Rr][Ee][Tt][Oo][Oo][Ll][Uu][Ss][Ee].*)
      grep -qF '${OWNED_MARK}' "$file" || alone=no
      ;;
  esac
done
if [ "$alone" = no ]; then
  printf '{"cancel":true,"errorMessage":"%s"}' "$why"
else
  printf '{"overrideInput":null,"contextModification":"%s"}' "$why"
fi
`;
}
