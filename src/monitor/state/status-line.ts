import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { STATUS_LINES } from "../../adapters/status-lines.ts";
import { parseRecord, sameJson } from "../../core/base/json.ts";
import { tidy } from "../../node/files/folders.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { stateFolder } from "../../node/user-folders.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { SaidUsage } from "../../shared/said-usage.ts";

const MOST_BYTES = 100_000;
const TIDIED = { milliseconds: 7 * 24 * 60 * 60 * 1000, bytes: 10_000_000 };

/** A session that may be the name of a file. */
const SESSION = /^[\w-]+$/;

export type StatusLines = ReturnType<typeof statusLines>;

/** What agents tell their status lines, which `tenterhook agent status-line` leaves as one file for each session. */
export function statusLines(environment: NodeJS.ProcessEnv) {
  const folder = join(stateFolder(environment), "monitor", "status-line");
  const known = new Map<string, number>();
  return {
    /** What an agent says that is not known yet; `undefined` when there is nothing new. Never throws. */
    newIn({ host = "", session_id, said }: AgentStatus): SaidUsage | undefined {
      const read = STATUS_LINES.get(host);
      if (read === undefined || session_id === undefined || !SESSION.test(session_id)) return undefined;
      const file = join(folder, `${session_id}.json`);
      const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (mtimeMs === undefined || known.get(session_id) === mtimeMs) return undefined;
      const { text = "" } = readOwnFile(file, MOST_BYTES);
      const now = read(parseRecord(text));
      const isNews = Object.keys(now).length > 0 && !sameJson(now, said);
      // It is known when it has come back with the agent: nobody may have taken it in.
      if (!isNews) known.set(session_id, mtimeMs);
      return isNews ? now : undefined;
    },
    /** Deletes what nobody needs any more. */
    tidy(): void {
      if (existsSync(folder)) tidy(folder, TIDIED);
    },
  };
}
