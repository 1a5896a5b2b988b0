import type { Recognition } from "../recognition.ts";
import { PLUGIN_FIELD } from "./wire.ts";

/** Our plug-in names its agent. */
export function recognisePlugin(name: string): Recognition {
  return { name, recognises: (payload) => (payload[PLUGIN_FIELD] === name ? "by payload" : "no") };
}
