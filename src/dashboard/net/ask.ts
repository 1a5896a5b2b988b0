import type { Failure } from "../../monitor/dashboard/wire.ts";
import { authorization } from "./token.ts";

/** What the server said in its own words. */
class ServerError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws ServerError; TypeError when the server can't be reached. */
export async function ask<Reply>(path: string, body?: unknown, signal?: AbortSignal): Promise<Reply> {
  // A link logs in whatever became of the token before.
  const shown = path === "login" ? {} : await authorization();
  const reply = await fetch(new URL(`api/${path}`, document.baseURI), {
    signal,
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: {
      ...shown,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
  });
  if (reply.ok) return reply.json();
  const failure: Partial<Failure> = await reply.json().catch(() => ({}));
  const { message = `The server said ${reply.status}.`, hint } = failure.error ?? {};
  throw new ServerError(reply.status, hint === undefined ? message : `${message} ${hint}`);
}

/** Words of an address; those without a value are left out. */
export function query(words: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(words).flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
