import type { ComponentChildren } from "preact";

interface LoadingProps {
  readonly what: string;
  /** Of the view, where nothing else of it is shown yet. */
  readonly title?: string;
}

const BONES = ["38%", "72%", "55%", "64%", "47%"];

/** What is shown before there is something to show. */
export function Loading({ what, title }: LoadingProps) {
  return (
    <Alone title={title}>
      <div class="bones" aria-busy="true">
        <span class="hidden">Loading {what} …</span>
        {BONES.map((width) => (
          <div key={width} aria-hidden="true">
            <i />
            <i style={{ width }} />
          </div>
        ))}
      </div>
    </Alone>
  );
}

/** With a title, all that a view shows. */
function Alone({
  title,
  children,
}: {
  readonly title: string | undefined;
  readonly children: ComponentChildren;
}) {
  if (title === undefined) return children;
  return (
    <>
      <div class="head">
        <h1>{title}</h1>
      </div>
      <section class="card">{children}</section>
    </>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <b>{title}</b>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

interface FailedProps {
  readonly problem: string;
  readonly again?: () => void;
  /** Of the view, where nothing else of it is shown. */
  readonly title?: string;
}

export function Failed({ problem, again, title }: FailedProps) {
  return (
    <Alone title={title}>
      <div class="empty failed" role="alert">
        <b>This could not be read</b>
        <p class="problem">{problem}</p>
        {again !== undefined && (
          <button type="button" class="btn" onClick={again}>
            Try again
          </button>
        )}
      </div>
    </Alone>
  );
}

/** What makes a part that scrolls by itself reachable from the keyboard. */
export function scrolled(label: string) {
  return { role: "region", tabIndex: 0, "aria-label": label } as const;
}
