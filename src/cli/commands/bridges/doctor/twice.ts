import type { Bridge, SettingsScope } from "../../../../adapters/bridge.ts";
import type { Config } from "../../../../config.ts";
import { settingsOf } from "../../../bridges/settings-files.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import { isSameHook } from "../import/configuration.ts";
import { sourcesOf } from "../import/sources.ts";
import type { Finding } from "./checks.ts";

/** Hooks that are in the agent's own files and, imported, in the configuration. Never throws. */
export function twiceFindings(
  bridge: Bridge,
  { definitions, trust }: Config,
  { cwd, environment }: Invocation,
): readonly Finding[] {
  const { name: about } = bridge.adapter;
  const { importing } = bridge;
  if (importing === undefined) return [];
  const ours = definitions.filter(({ enabled }) => enabled);
  const found = new Map<string, Finding>();
  for (const scope of bridge.scopes) {
    for (const { file, foreign } of sourcesIn(bridge, scope, trust.root, environment)) {
      for (const { definition } of importing.importHooks(foreign).hooks) {
        const twin = ours.find(
          (one) => definition !== undefined && isSameHook({ ...one.definition }, definition),
        );
        if (twin === undefined) continue;
        const message = `${twin.name} runs twice: the original is still in ${shortPath(file, cwd)}. tenterhook import ${about} --scope ${scope} --remove takes it out.`;
        found.set(`${file} ${twin.name}`, { level: "warning", about, message });
      }
    }
  }
  return [...found.values()];
}

function sourcesIn(
  bridge: Bridge,
  scope: SettingsScope,
  root: string,
  environment: NodeJS.ProcessEnv,
): ReturnType<typeof sourcesOf> {
  try {
    return sourcesOf(bridge, settingsOf(bridge, scope, root, environment), root);
  } catch {
    // The check of settings reports files that can't be read.
    return [];
  }
}
