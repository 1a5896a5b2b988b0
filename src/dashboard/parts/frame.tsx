import type { ComponentChildren } from "preact";
import { href } from "../net/route.ts";
import { Brand, Icon, type IconName } from "./icons.tsx";

export interface NavigationItem {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** How many wait there. */
  readonly open?: number;
}

interface Props {
  readonly items: readonly NavigationItem[];
  readonly current: string;
  readonly foot: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What is around every view. */
export function Frame({ items, current, foot, children }: Props) {
  return (
    <div class="frame">
      <nav aria-label="Main">
        <Brand />
        {items.map(({ path, name, icon, open = 0 }) => (
          <a key={path} href={href(path)} aria-current={current === path ? "page" : undefined}>
            <Icon name={icon} />
            {name}
            {open > 0 && (
              <span class="badge">
                {open}
                <span class="hidden"> open</span>
              </span>
            )}
          </a>
        ))}
        <div class="foot">{foot}</div>
      </nav>
      {children}
    </div>
  );
}
