import type { OneRun } from "../bridge.ts";
import type { WantedEvent } from "../settings/agent-settings.ts";
import { handlerFor } from "./settings.ts";
import { entryName, TRUST_KEY, TRUST_SECTION, trustHash } from "./trust.ts";

/** Where Codex 0.166.0 says that hooks in its arguments come from. */
const ARGUMENTS = "/<session-flags>/config.toml";

/**
 * Our entries as arguments of Codex, each with the trust of the user who starts it: the same place in its record that
 * `install --trust` writes, for this run alone. Other hooks that the user has not trusted stay untrusted.
 */
export const codexOneRun: OneRun = {
  started: ({ args }, { events }) => ({
    args: [
      ...events.flatMap((event) => ["-c", `hooks.${event.native}=${toml([groupFor(event)])}`]),
      "-c",
      `${TRUST_SECTION}=${toml(Object.fromEntries(events.map(trusted)))}`,
      ...args,
    ],
    variables: {},
  }),
};

function groupFor(event: WantedEvent) {
  const { matcher } = event;
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [handlerFor(event)] };
}

function trusted(event: WantedEvent) {
  const { native, matcher } = event;
  const hash = trustHash(native, matcher, handlerFor(event));
  return [entryName(ARGUMENTS, native, 0, 0), { [TRUST_KEY]: hash }] as const;
}

/** A value as TOML in one line. Its strings are written as in JSON. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}=${toml(one)}`);
  return `{${pairs.join(",")}}`;
}
