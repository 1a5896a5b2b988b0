import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import type { Finding } from "../../install/finding.ts";
import type { Judgement } from "../../install/judgement.ts";
import { DRIVERS } from "../../know/prove/drivers.ts";
import { counted } from "../command-line/screen/text.ts";
import { type GuardRow, guardRows } from "./guard.ts";

/** An agent that was made to call us. */
export interface Connected {
  readonly integration: Integration;
  /** True when it calls us in every project of this user. */
  readonly isUser: boolean;
  /** Its settings, and how they are. */
  readonly why?: string;
}

/** What keeps hooks from deciding, and a line for each agent that was connected. */
export function setUpFindings(
  connected: readonly Connected[],
  judgement: Judgement,
  places: SettingsPlaces,
  cwd: string,
): readonly Finding[] {
  const rows = guardRows(judgement, cwd, Date.now());
  return [
    ...rows.filter(({ agent }) => agent === undefined).map(findingOf),
    ...connected.flatMap(({ integration, isUser, why }) => {
      const { table, firstStart } = integration;
      const about = table.title;
      const own = rows.filter(({ agent }) => agent === about);
      const guards = own.find(({ kind }) => kind === "guarded");
      const order = guards && firstStart?.(places, isUser);
      const place = `in ${isUser ? "every" : "this"} project`;
      const message = guards === undefined ? `asks your hooks ${place}` : `guarded ${place}: ${guards.text}`;
      const line: Finding =
        order === undefined
          ? { level: "ok", about, message, why }
          : { level: "warning", about, message: order };
      return [
        ...(guards !== undefined || own.length === 0 ? [line] : []),
        ...own.filter(({ kind }) => kind !== "guarded").map(findingOf),
      ];
    }),
  ];
}

function findingOf({ kind, about, text, fix }: GuardRow): Finding {
  const level = kind === "refused" ? "error" : "warning";
  // What has no more to say is about all of the project.
  return text === ""
    ? { level, about: "project", message: about, fix }
    : { level, about, message: text, fix };
}

/** What shows that these agents obey, or what to try. */
export function nextStep(connected: readonly Connected[], names = ""): string {
  const provable = connected.filter(({ integration }) =>
    Object.hasOwn(DRIVERS, integration.adapter.name),
  ).length;
  return provable === 0
    ? '  Next: tenterhook explain "rm -rf ~"   try a command'
    : `  Next: ${`tenterhook prove ${names}`.trimEnd()}   ${counted(provable, "agent")}, about a minute`;
}
