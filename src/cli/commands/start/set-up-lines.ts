import type { Integration, SettingsPlaces } from "../../../adapters/integration.ts";
import type { Judgement } from "../../../install/judgement.ts";
import { DRIVERS } from "../../../know/prove/drivers.ts";
import type { Invocation } from "../../command-line/command.ts";
import {
  columns,
  counted,
  dim,
  green,
  hanging,
  harmless,
  padded,
  red,
  wrapped,
  yellow,
} from "../../command-line/screen/text.ts";
import { guardRows } from "../../configured-hooks/guard.ts";

export interface SetUp {
  readonly packs: readonly string[];
  readonly found: readonly Integration[];
  readonly judgement: Judgement;
  /** Where it was looked for what agents trust. */
  readonly places: SettingsPlaces;
  /** True when it was set up for every project of this user. */
  readonly isUser: boolean;
  /** Why agents were left out. */
  readonly problems: readonly string[];
}

/** What was set up, a line for each file and agent, and what to do next. */
export function setUpLines(
  { packs, found, judgement, places, isUser, problems }: SetUp,
  { screen, cwd }: Pick<Invocation, "screen" | "cwd">,
): readonly string[] {
  const rows = guardRows(judgement, cwd, Date.now());
  const lines: (readonly [mark: string, title: string, text: string])[] = [
    [green("✓"), "hooks.yaml", packs.length === 0 ? "no packs" : packs.join(", ")],
    ...found.map(({ table: { title }, firstStart }) => {
      const row = rows.find(({ about }) => about === title);
      if (row === undefined) return [yellow("!"), title, "has nothing to ask"] as const;
      if (row.kind !== "guarded")
        return [yellow("!"), title, row.fix === undefined ? row.text : `${row.text}: ${row.fix}`] as const;
      const order = firstStart?.(places, isUser);
      return order === undefined
        ? ([green("✓"), title, `guarded in ${isUser ? "every" : "this"} project`] as const)
        : ([yellow("!"), title, order] as const);
    }),
  ];
  const wide = Math.max(...lines.map(([, title]) => columns(title)));
  const provable = found.filter(({ adapter }) => Object.hasOwn(DRIVERS, adapter.name)).length;
  const next =
    provable === 0
      ? 'tenterhook explain "rm -rf ~"   try a command'
      : `tenterhook prove   ${counted(provable, "agent")}, about a minute`;
  return [
    ...lines.map(([mark, title, text]) =>
      hanging(`  ${mark} ${padded(title, wide)}  `, harmless(text), screen.width, wide + 6),
    ),
    ...problems.map((problem) => red(wrapped(`Not installed: ${problem}`, screen.width, "  "))),
    "",
    `  Next: ${next}`,
    dim("  tenterhook check -v shows what else there is to know."),
  ];
}
