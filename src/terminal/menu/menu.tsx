import { render, Text, useApp, useInput } from "ink";
import { useEffect, useRef, useState } from "react";
import { assumeSize } from "../ink/full-screen.ts";
import { useScreenSize } from "../ink/screen-size.ts";
import { readKeys, stepsOf } from "../input/key.ts";
import { columns, cut } from "../layout.ts";
import type { Paint } from "../paint.ts";

export interface MenuItem<Value> {
  readonly value: Value;
  readonly title: string;
  /** What it changes. */
  readonly note: string;
}

/** Asks for one of several things, below what is on the terminal. `undefined` for none. The choice stays visible. */
export async function showMenu<Value>(
  items: readonly MenuItem<Value>[],
  paint: Paint,
  signal: AbortSignal,
): Promise<Value | undefined> {
  assumeSize(process.stdout);
  let chosen: Value | undefined;
  const app = render(
    <Menu
      items={items}
      paint={paint}
      onChoose={(value) => {
        chosen = value;
      }}
    />,
    { exitOnCtrlC: false, patchConsole: false },
  );
  const leave = (): void => app.unmount();
  signal.addEventListener("abort", leave, { once: true });
  await app.waitUntilExit();
  signal.removeEventListener("abort", leave);
  return chosen;
}

function Menu<Value>({
  items,
  paint,
  onChoose,
}: {
  readonly items: readonly MenuItem<Value>[];
  readonly paint: Paint;
  readonly onChoose: (value: Value | undefined) => void;
}) {
  const { exit } = useApp();
  const { width } = useScreenSize();
  // Keys may come before the screen is drawn again.
  const latest = useRef(0);
  const [at, setAt] = useState(0);
  const [isOver, end] = useState(false);
  // What was chosen is drawn first.
  useEffect(() => {
    if (isOver) exit();
  }, [isOver, exit]);
  const hasEnded = useRef(false);
  useInput((input, inkKey) => {
    for (const key of readKeys(input, inkKey)) {
      if (hasEnded.current) return;
      const { name, text } = key;
      const isInterrupt = key.ctrl === true && text === "c";
      hasEnded.current = isInterrupt || name === "return" || name === "escape" || text === "q";
      if (isInterrupt) process.emit("SIGINT");
      if (name === "return") onChoose(items[latest.current]?.value);
      if (hasEnded.current) return end(true);
      const steps = stepsOf(key, items.length) ?? 0;
      latest.current = Math.max(0, Math.min(items.length - 1, latest.current + steps));
      setAt(latest.current);
    }
  });
  const lines = items.map(({ title, note }, index) => {
    const told = cut(note, Math.max(0, width - columns(title) - 9));
    return index === at ? `  ${paint.bold(`› ${title}`)}   ${told}` : `    ${title}   ${paint.dim(told)}`;
  });
  return <Text wrap="truncate-end">{[...lines, "", paint.dim("  ↑↓ enter, q quits")].join("\n")}</Text>;
}
