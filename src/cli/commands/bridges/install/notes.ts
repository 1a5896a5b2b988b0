import type { Bridge } from "../../../../adapters/bridge.ts";
import type { Config } from "../../../../config.ts";
import { calledProgram, ONLY_NPM } from "../../../bridges/called-program.ts";
import { SETTINGS_SCOPES, type SettingsFile, settingsOf } from "../../../bridges/settings-files.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { shortPath } from "../../../command-line/screen/text.ts";

/** What a user should know of a file that we were put into, and nothing could be done about. */
export function notesFor(
  bridge: Bridge,
  { file, scope, text }: SettingsFile,
  { trust }: Config,
  invocation: Invocation,
): readonly string[] {
  const { cwd, environment } = invocation;
  const off = bridge.switchedOff(text);
  const elsewhere = switchedOffElsewhere(bridge, file, trust.root, invocation);
  return [
    ...(calledProgram(cwd, environment).only_npm === undefined ? [] : [ONLY_NPM]),
    ...(off === undefined ? [] : [`None of the hooks in this file will run: ${off}.`]),
    ...elsewhere,
    ...(scope === undefined
      ? [
          "doctor and install --sync do not look at a file of your own: install into it again when the hooks change.",
        ]
      : []),
    ...(bridge.startsInRoot && scope !== "user" && scope !== undefined
      ? [
          `${bridge.title} reads this file only when it is started in ${shortPath(trust.root, cwd)}, not below; --scope user covers every folder.`,
        ]
      : []),
    ...(trust.state === "untrusted"
      ? ["The project's hooks are not trusted yet and will refuse: tenterhook trust shows what would run."]
      : []),
  ];
}

/** One file can switch off the hooks of all. */
function switchedOffElsewhere(
  bridge: Bridge,
  file: string,
  root: string,
  { cwd, environment }: Invocation,
): readonly string[] {
  return SETTINGS_SCOPES.flatMap((scope) => {
    try {
      const other = settingsOf(bridge, scope, root, environment);
      const off = other.file === file ? undefined : bridge.switchedOff(other.text);
      return off === undefined ? [] : [`No hook will run: ${shortPath(other.file, cwd)}: ${off}.`];
    } catch {
      // What we can't read is told by the doctor; it is not what was asked for here.
      return [];
    }
  });
}
