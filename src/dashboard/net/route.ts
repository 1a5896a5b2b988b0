import { useEffect, useState } from "preact/hooks";

/** The address below the place where the page is mounted. */
export interface Route {
  readonly path: string;
  readonly words: URLSearchParams;
}

function here(): Route {
  const base = new URL(document.baseURI).pathname;
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : "";
  return { path: `/${path}`, words: new URLSearchParams(location.search) };
}

const listeners = new Set<() => void>();

/** The address of a view, for a link. */
export function href(path: string): string {
  return new URL(path.replace(/^\//, ""), document.baseURI).pathname + path.replace(/^[^?]*/, "");
}

export function go(path: string, replace = false): void {
  const address = href(path);
  if (replace) history.replaceState(null, "", address);
  else {
    history.pushState(null, "", address);
    scrollTo(0, 0);
  }
  for (const listener of listeners) listener();
}

/** Changes a word of the address without a new entry in the history. */
export function goWords(change: Readonly<Record<string, string | undefined>>): void {
  const { path, words } = here();
  for (const [key, value] of Object.entries(change))
    if (value === undefined || value === "") words.delete(key);
    else words.set(key, value);
  const text = words.toString();
  go(`${path}${text === "" ? "" : `?${text}`}`, true);
}

export function useRoute(): Route {
  const [route, set] = useState(here);
  useEffect(() => {
    const change = (): void => set(here());
    /** Follows a link inside the page. Each part of the page that knows the route listens: the first one follows. */
    const click = (event: MouseEvent): void => {
      if (event.defaultPrevented) return;
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain =
        event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (link === null || !isPlain || link.target !== "" || link.origin !== location.origin) return;
      event.preventDefault();
      history.pushState(null, "", link.href);
      scrollTo(0, 0);
      for (const listener of listeners) listener();
    };
    listeners.add(change);
    addEventListener("popstate", change);
    document.addEventListener("click", click);
    return () => {
      listeners.delete(change);
      removeEventListener("popstate", change);
      document.removeEventListener("click", click);
    };
  }, []);
  return route;
}
