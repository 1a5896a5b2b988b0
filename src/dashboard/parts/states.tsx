import type { ComponentChildren } from "preact";

/** What a view shows before it has something to show. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="empty" aria-busy="true">
      <div class="bones" aria-hidden="true">
        <i /> <i /> <i />
      </div>
      Loading {what} …
    </div>
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

export function Failed({ problem, again }: { readonly problem: string; readonly again?: () => void }) {
  return (
    <div class="empty failed" role="alert">
      <b>This could not be read.</b>
      <p class="problem">{problem}</p>
      {again !== undefined && (
        <button type="button" class="btn" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
