import { Text, useApp, useInput } from "ink";
import { useState } from "react";
import { useScreenSize } from "../ink/screen-size.ts";
import { type Key, readKeys, stepsOf } from "../input/key.ts";
import { fittedLine } from "../layout.ts";
import type { Paint } from "../paint.ts";

/** Lines to scroll through, from their end. */
export function Pager({
  linesFor,
  paint,
}: {
  readonly linesFor: (width: number) => readonly string[];
  readonly paint: Paint;
}) {
  const { exit } = useApp();
  const { width, height } = useScreenSize();
  const [below, setBelow] = useState(0);
  const [kept, keep] = useState<{ readonly width: number; readonly lines: readonly string[] }>();
  const lines = kept?.width === width ? kept.lines : linesFor(width);
  if (kept?.width !== width) keep({ width, lines });
  const room = Math.max(1, height - 2);
  const most = Math.max(0, lines.length - room);
  useInput((input, inkKey) => {
    for (const key of readKeys(input, inkKey)) {
      if (leaves(key)) return exit();
      const steps = stepsOf(key, room - 1) ?? 0;
      setBelow((now) => Math.max(0, Math.min(most, now - steps)));
    }
  });
  const end = lines.length - Math.min(below, most);
  const shown = lines.slice(Math.max(0, end - room), end).map((line) => fittedLine(line, width));
  const place = lines.length <= room ? "all" : `line ${end} of ${lines.length}`;
  const foot = paint.dim(`  ↑↓ PgUp PgDn g G scroll   q back   ${place}`);
  return <Text wrap="truncate-end">{[...shown, foot].join("\n")}</Text>;
}

function leaves({ name, text, ctrl }: Key): boolean {
  return name === "escape" || text === "q" || (ctrl === true && (text === "o" || text === "c"));
}
