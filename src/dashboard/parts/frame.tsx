import type { ComponentChildren } from "preact";
import { href } from "../net/route.ts";

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

/** The drawings of the navigation, by view. */
const PATHS = {
  agents:
    "M2 4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1.4a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1zM2 10.6a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z",
  inbox: "M2 9.5 4 3h8l2 6.5V13H2zM2 9.5h3.4l1 1.6h3.2l1-1.6H14",
  activity: "M2 13.5h12M4 11V7M7.3 11V3M10.6 11V8.5M13.6 11V5",
  hooks: "M8 2 3 4v4c0 3.2 2.2 5 5 6 2.8-1 5-2.8 5-6V4z",
  replay: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v2.8h2.8",
  prove: "M3 8.5 6.5 12 13 4.5",
} as const;

type IconName = keyof typeof PATHS;

function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

function Brand() {
  return (
    <div class="brand">
      <svg
        viewBox="0 0 18 18"
        fill="none"
        stroke="currentColor"
        stroke-width="1.7"
        stroke-linecap="round"
        aria-hidden="true"
      >
        <path d="M3 4h12M6 4v6.2a3.4 3.4 0 0 0 6.8.2" />
        <circle cx="12.8" cy="7.6" r=".4" fill="currentColor" />
      </svg>
      Tenterhook
    </div>
  );
}
