import { readOwnFile } from "../../node/files/own-file.ts";
import { daemonPlace } from "./place.ts";

/** How agents ask the daemon of this user by HTTP; `undefined` when none has run yet. */
export function hookAddress(
  environment: NodeJS.ProcessEnv,
): { readonly origin: string; readonly token: string } | undefined {
  const place = daemonPlace(environment);
  const [port, token] = [readPort(place.port), readToken(place.hookToken)];
  return port === undefined || token === undefined
    ? undefined
    : { origin: `http://127.0.0.1:${port}`, token };
}

/** A token as a daemon has written it. */
export function readToken(file: string): string | undefined {
  const { text = "" } = readOwnFile(file, 1000);
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
}

/** The port of earlier daemons. */
export function readPort(file: string): number | undefined {
  const { text = "" } = readOwnFile(file, 1000);
  return /^[1-9]\d{3,4}$/.test(text) && Number(text) < 65_536 ? Number(text) : undefined;
}
