import type { Integration, SettingsPlaces } from "../../../adapters/integration.ts";
import type { Judgement } from "../../../install/judgement.ts";
import type { Invocation } from "../../command-line/command.ts";
import { columns, counted, hanging, harmless, padded, wrapped } from "../../command-line/screen/text.ts";
import { guardRows } from "../../configured-hooks/guard.ts";

export interface SetUp {
  readonly packs: readonly string[];
  /** How many hooks of the agents' own settings run through us now. */
  readonly brought: number;
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
  { packs, brought, found, judgement, places, isUser, problems }: SetUp,
  { screen, cwd }: Pick<Invocation, "screen" | "cwd">,
): readonly string[] {
  const { green, yellow, red } = screen.paint;
  const rows = guardRows(judgement, cwd, Date.now());
  const lines: (readonly [mark: string, title: string, text: string])[] = [
    [green("✓"), "hooks.yaml", packs.length === 0 ? "no packs" : packs.join(", ")],
    ...(brought === 0
      ? []
      : [
          [
            green("✓"),
            "your hooks",
            `${counted(brought, "hook")} of your agents' settings ${brought === 1 ? "runs" : "run"} through Tenterhook now`,
          ] as const,
        ]),
    ...found.map(({ table: { title }, firstStart }) => {
      const row = rows.find(({ about }) => about === title);
      if (row === undefined) return [yellow("!"), title, "has nothing to ask"] as const;
      if (row.kind !== "guarded")
        return [yellow("!"), title, row.fix === undefined ? row.text : `${row.text}: ${row.fix}`] as const;
      const order = firstStart?.(places, isUser);
      return order === undefined
        ? ([green("✓"), title, `guarded in ${isUser ? "every" : "this"} project: ${row.text}`] as const)
        : ([yellow("!"), title, order] as const);
    }),
  ];
  const wide = Math.max(...lines.map(([, title]) => columns(title)));
  return [
    ...lines.map(([mark, title, text]) =>
      hanging(`  ${mark} ${padded(title, wide)}  `, harmless(text), screen.width, wide + 6),
    ),
    ...problems.map((problem) => red(wrapped(problem, screen.width, "  "))),
  ];
}
