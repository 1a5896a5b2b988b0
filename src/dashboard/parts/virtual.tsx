import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  readonly row: (item: Item) => ComponentChildren;
  /** How high a row is before it was drawn. */
  readonly guess: number;
  readonly label: string;
  /** Called when the end comes near. */
  readonly onEnd?: (() => void) | undefined;
}

/** Drawn above and below what can be seen, in pixels. */
const MARGIN = 600;

/** A list of which only the rows near the window are drawn. Rows may differ in height. */
export function Virtual<Item>({ items, keyOf, row, guess, label, onEnd }: Props<Item>) {
  const box = useRef<HTMLUListElement>(null);
  const heights = useRef(new Map<string | number, number>());
  const [view, setView] = useState({ top: 0, bottom: 2000 });
  useEffect(() => {
    const look = (): void => {
      const { top = 0 } = box.current?.getBoundingClientRect() ?? {};
      setView((before) => {
        const next = { top: -top - MARGIN, bottom: -top + innerHeight + MARGIN };
        return Math.abs(next.top - before.top) < MARGIN / 4 && before.bottom >= next.bottom - MARGIN / 4
          ? before
          : next;
      });
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, []);
  useLayoutEffect(() => {
    for (const child of box.current?.children ?? [])
      if (child instanceof HTMLElement && child.dataset.key !== undefined)
        heights.current.set(child.dataset.key, child.offsetHeight);
  });
  const shown: Item[] = [];
  let [above, below, at] = [0, 0, 0];
  for (const item of items) {
    const height = heights.current.get(String(keyOf(item))) ?? guess;
    if (at + height < view.top) above += height;
    else if (at > view.bottom) below += height;
    else shown.push(item);
    at += height;
  }
  const isNearEnd = below < MARGIN;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, items.length]);
  return (
    <ul
      ref={box}
      class="rows"
      aria-label={label}
      style={{ paddingTop: `${above}px`, paddingBottom: `${below}px` }}
    >
      {shown.map((item) => (
        <li key={keyOf(item)} data-key={keyOf(item)}>
          {row(item)}
        </li>
      ))}
    </ul>
  );
}
