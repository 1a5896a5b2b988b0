import { loadConfigCached } from "../../../../config/open.ts";
import type { SettingsFor } from "../../../../monitor/daemon/open-monitor.ts";
import { nearestFolder } from "../../../../node/files/nearest-folder.ts";

/** Agents and their decisions are many, their folders few. */
const SAME_MILLISECONDS = 1000;

/** Reads what the monitor does by itself for an agent in a folder; nothing when that can't be read. */
export function settingsIn(environment: NodeJS.ProcessEnv, onError: (error: unknown) => void): SettingsFor {
  const recent = new Map<string, ReturnType<SettingsFor>>();
  let since = 0;
  const read: SettingsFor = async (cwd) => {
    try {
      return (await loadConfigCached({ cwd: nearestFolder(cwd), environment })).settings.monitor;
    } catch (error) {
      onError(error);
      return {};
    }
  };
  return (cwd) => {
    const now = Date.now();
    if (Math.abs(now - since) > SAME_MILLISECONDS) {
      recent.clear();
      since = now;
    }
    const settings = recent.get(cwd) ?? read(cwd);
    recent.set(cwd, settings);
    return settings;
  };
}
