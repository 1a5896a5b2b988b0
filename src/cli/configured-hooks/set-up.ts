import type { Integration } from "../../adapters/integration.ts";
import { NOT_TRUSTED } from "../../core/base/untrusted.ts";
import type { Finding } from "../../install/finding.ts";
import type { Judgement } from "../../install/judgement.ts";
import { type GuardRow, guardRows } from "./guard.ts";

/** An agent that was made to call us. */
export interface Connected {
  readonly integration: Integration;
  /** True when it calls us in every project of this user. */
  readonly isUser: boolean;
}

/** What keeps hooks from deciding, and a line for each agent that was connected. */
export function setUpFindings(
  connected: readonly Connected[],
  judgement: Judgement,
  cwd: string,
): readonly Finding[] {
  const rows = guardRows(judgement, cwd, Date.now());
  const seen = new Map(connected.map((one) => [one.integration.table.title, one]));
  return [
    ...rows.filter(({ agent }) => agent === undefined).map(findingOf),
    ...[...seen].flatMap(([about, { isUser }]): readonly Finding[] => {
      const own = rows.filter(({ agent }) => agent === about);
      const place = `in ${isUser ? "every" : "this"} project`;
      const asks = `asks your hooks ${place}`;
      if (own.length === 0 && judgement.hooks.some(({ state }) => state === "untrusted"))
        return [{ level: "warning", about, message: `${asks}, and they are ${NOT_TRUSTED}` }];
      if (own.length === 0) return [{ level: "ok", about, message: asks }];
      return own.map((row) =>
        row.kind === "guarded"
          ? { level: "ok", about, message: `guarded ${place}: ${row.text}` }
          : findingOf(row),
      );
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
