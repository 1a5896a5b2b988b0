/** Browsers send a cookie to every port of a machine. What is kept here only this page reads, until its tab is closed. */
const KEY = "tenterhook-token";
const OTHER_TAB_MILLISECONDS = 300;

/** How this page logs in: `Login` of src/monitor/dashboard/assets.ts. Empty in a report. */
export const LOGIN = document.querySelector<HTMLMetaElement>("meta[name=login]")?.content ?? "";

/** The other tabs of this page, on the same port. One without a token sends null, and those that have one reply with it. */
const tabs = LOGIN === "link" || LOGIN === "token" ? new BroadcastChannel(KEY) : undefined;

export function hasToken(): boolean {
  return tabs === undefined || sessionStorage.getItem(KEY) !== null;
}

export function authorization(): Record<string, string> {
  const token = sessionStorage.getItem(KEY);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
  tabs?.postMessage(token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}

/** Takes the token of another tab, if this one has none. `onToken` is called when another tab gets one later. */
export async function shareToken(onToken: () => void): Promise<void> {
  if (tabs === undefined) return;
  let taken = onToken;
  tabs.onmessage = ({ data }) => {
    const own = sessionStorage.getItem(KEY);
    if (data === null) {
      if (own !== null) tabs.postMessage(own);
    } else if (own === null) {
      sessionStorage.setItem(KEY, data);
      taken();
    }
  };
  if (hasToken()) return;
  await new Promise<void>((resolve) => {
    taken = resolve;
    setTimeout(resolve, OTHER_TAB_MILLISECONDS);
    tabs.postMessage(null);
  });
  taken = onToken;
}
