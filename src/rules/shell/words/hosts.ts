import { canonicalHost } from "../../../core/match/url-hosts.ts";
import { withStars } from "./text.ts";

/**
 * The host of a URL, `user@host:path`, `host:port` or a bare name; `undefined` when there is none. Read as `curl` and `ssh`
 * read it, which differs from a browser (`core/match/url-hosts.ts`), and with parts that are not known.
 */
export function hostOf(address: string): string | undefined {
  const text = withStars(address)
    .trim()
    .replace(/^\/\/(?=[\w[])/, "smb://");
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)/i.exec(text);
  if (url !== null) return /^file:/i.test(text) ? undefined : clean(url[1] ?? "");
  const bare = /^(?:[^@/\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)/.exec(text);
  return bare?.[1] === undefined || text.startsWith("-") ? undefined : clean(bare[1]);
}

/** The host of `host:path` and `user@host:path`, the way `scp` and `rsync` read it; `undefined` for a local path. */
export function remoteHost(path: string): string | undefined {
  if (!path.includes(":")) return undefined;
  const text = withStars(path);
  if (/^(?:rsync|scp|sftp|ssh):\/\//.test(text)) return hostOf(text);
  const match = /^(?:[^@/:\s]+@)?(\[[^\]]+\]|[^/:@\s]+):/.exec(text);
  // One letter before the colon is a Windows drive.
  return match?.[1] === undefined || /^[A-Za-z]:[\\/]/.test(text) ? undefined : clean(match[1]);
}

/** The host of `/dev/tcp/host/port`. */
export function deviceHost(path: string): string | undefined {
  if (!path.startsWith("/dev/")) return undefined;
  const match = /^\/dev\/(?:tcp|udp)\/([^/]+)\//.exec(withStars(path));
  return match?.[1] === undefined ? undefined : clean(match[1]);
}

function clean(host: string): string {
  return canonicalHost(host.replace(/^\[|\]$/g, ""));
}

/** True for a name of this machine. */
export function isLocalHost(host: string): boolean {
  return /^(?:localhost|[\w-]+\.localhost|127(?:\.\d+){0,3}|::1|0\.0\.0\.0|0|host\.docker\.internal|kubernetes\.docker\.internal|unix)$/.test(
    host,
  );
}

/** True for `/dev/tcp/host/port` of another machine. */
export function isRemoteDevice(path: string): boolean {
  const host = deviceHost(path);
  return host !== undefined && !isLocalHost(host);
}
