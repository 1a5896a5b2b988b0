import { countSpooled } from "../../../../monitor/spool.ts";
import { counted } from "../../../command-line/screen/text.ts";
import type { Finding } from "./finding.ts";

/** How it stands with the daemon, which nothing needs. */
export function monitorFinding(environment: NodeJS.ProcessEnv): Finding {
  const waiting = countSpooled(environment);
  const more =
    waiting === 0 ? "" : ` ${counted(waiting, "event")} ${waiting === 1 ? "waits" : "wait"} for it.`;
  return {
    level: "ok",
    about: "monitor",
    message: `No daemon runs, and none is needed: hooks decide without it.${more}`,
  };
}
