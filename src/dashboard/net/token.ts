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

/** @throws Error when the server has not shown that it knows the token. */
export async function authorization(): Promise<Record<string, string>> {
  const token = sessionStorage.getItem(KEY);
  if (token === null) return {};
  proven ??= LOGIN === "link" ? knows(token).catch(() => false) : Promise.resolve(true);
  if (await proven) return { authorization: `Bearer ${token}` };
  proven = undefined;
  throw new Error("The daemon does not answer.");
}

/** Whether the daemon is there. A program that listens at its port after it must not get the token. */
let proven: Promise<boolean> | undefined;

/** For a connection that has ended. */
export function doubtServer(): void {
  proven = undefined;
}

async function knows(token: string): Promise<boolean> {
  const [, id = ""] = token.split("_");
  const challenge = crypto.randomUUID();
  const reply = await fetch(new URL(`api/proof?${new URLSearchParams({ id, challenge })}`, document.baseURI));
  if (reply.status === 401) forgetToken();
  const { proof }: { readonly proof: string } = await reply.json();
  const hash = hexOf(await crypto.subtle.digest("SHA-256", bytesOf(token)));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(hash), algorithm, false, ["sign"]);
  return proof === hexOf(await crypto.subtle.sign("HMAC", key, bytesOf(`${challenge} ${location.host}`)));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
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
