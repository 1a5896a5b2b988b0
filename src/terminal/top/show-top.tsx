import { fullScreen } from "../ink/full-screen.ts";
import type { Paint } from "../paint.ts";
import type { TopPort } from "./port.ts";
import { Top } from "./top.tsx";

/** Shows all agents on a screen of its own until the user leaves. */
export function showTop(port: TopPort, paint: Paint, signal: AbortSignal): Promise<void> {
  return fullScreen(<Top port={port} paint={paint} />, signal);
}
