import type { ComponentChildren } from "preact";

interface Props {
  readonly name: string;
  readonly number: string;
  /** Where the calls behind the number are. */
  readonly href?: string;
  readonly colour?: string;
  readonly children?: ComponentChildren;
}

/** A number with its name and a line about it. */
export function Tile({ name, number, href, colour = "", children }: Props) {
  return (
    <div class="tile">
      <span>{name}</span>
      <b class={colour}>{href === undefined ? number : <a href={href}>{number}</a>}</b>
      <small>{children}</small>
    </div>
  );
}
