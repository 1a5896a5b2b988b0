import type { Bridge, SettingsScope } from "../../adapters/bridge.ts";
import { isTenterhookError } from "../../core/errors.ts";
import type { Needs } from "./needs.ts";
import { SETTINGS_SCOPES, settingsOf } from "./settings-files.ts";

/** One settings file of an agent against what the hooks in force need. */
export interface Checked {
  readonly scope: SettingsScope;
  readonly file: string;
  /** The events we are called for. */
  readonly events: readonly string[];
  /** Events that hooks need and we are not called for. */
  readonly missing: readonly string[];
  /** Events we are called for and no hook needs. */
  readonly extra: readonly string[];
  /** Our entries are for the right events, and not as they would be written now. */
  readonly outdated?: true;
  /** Why the file can't be read. */
  readonly problem?: string;
  /** Why no hook of it runs. */
  readonly off?: string;
}

/** Looks at every settings file of an agent. Never throws. */
export function checkSettings(
  bridge: Bridge,
  needs: Needs,
  root: string,
  environment: NodeJS.ProcessEnv,
): readonly Checked[] {
  const wanted = needs.events.map(({ native }) => native);
  return SETTINGS_SCOPES.map((scope): Checked => {
    const nothing = { scope, events: [], missing: [], extra: [] };
    try {
      const { file, text } = settingsOf(bridge, scope, root, environment);
      try {
        const events = bridge.settings.installed(text);
        const off = bridge.switchedOff(text);
        const missing = events.length === 0 ? [] : wanted.filter((event) => !events.includes(event));
        const extra = events.filter((event) => !wanted.includes(event));
        const outdated =
          events.length > 0 &&
          missing.length + extra.length === 0 &&
          bridge.settings.install(text, needs.events) !== text;
        return {
          scope,
          file,
          events,
          missing,
          extra,
          ...(outdated ? { outdated } : {}),
          ...(off === undefined ? {} : { off }),
        };
      } catch (error) {
        return { ...nothing, file, problem: isTenterhookError(error) ? error.message : String(error) };
      }
    } catch (error) {
      return { ...nothing, file: scope, problem: isTenterhookError(error) ? error.message : String(error) };
    }
  });
}
