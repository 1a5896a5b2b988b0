import { MISSING } from "../plugins/wire.ts";
import { HOOK_COMMAND, type WantedEvent } from "../settings/agent-settings.ts";
import { OWNED_MARK } from "../settings/owned-mark.ts";
import { REJECT_NULL } from "./tools.ts";

/** Seconds until we are asked to end, and more seconds until we are killed. Cline waits 120, and then runs the tool. */
const DEADLINE = { asked: 105, ended: 5 };

/** The rest of a hook file: it calls us. */
export function scriptFor(events: readonly WantedEvent[]): string {
  const command = events[0]?.command ?? HOOK_COMMAND;
  // It does not wait for the event that says that a subagent starts.
  const isGate = events.some(({ native, gate }) => gate && native !== "TaskStart.subagent");
  return isGate ? gateScript(command) : `exec ${command}\n`;
}

/**
 * Cline takes nothing but JSON for a refusal, so that this script refuses when we did not answer in time, or not at all. A
 * tool that may run with `null` for its input is stopped by ending the run; so is every tool when somebody else's hook
 * could replace the input.
 */
function gateScript(command: string): string {
  return `payload=$(cat)
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
