import { useLayoutEffect } from "preact/hooks";

/** True while somebody writes: then letters are text. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

/** Calls what belongs to a key, unless somebody writes. The next key finds what the last one has changed, however soon it comes. */
export function useKeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isWriting(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const act = keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
