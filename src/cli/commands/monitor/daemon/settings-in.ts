import { loadConfigCached } from "../../../../config.ts";
import type { SettingsFor } from "../../../../monitor/daemon/daemon.ts";
import { nearestFolder } from "../../../../node/files/nearest-folder.ts";

/** Reads what the monitor does by itself for an agent in a folder; nothing when that can't be read. */
export function settingsIn(environment: NodeJS.ProcessEnv, onError: (error: unknown) => void): SettingsFor {
  return async (cwd) => {
    try {
      return (await loadConfigCached({ cwd: nearestFolder(cwd), environment })).settings.monitor;
    } catch (error) {
      onError(error);
      return {};
    }
  };
}
