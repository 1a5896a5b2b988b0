import { z } from "zod";
import type { FailureKind } from "../../core/events/effects.ts";
import type { HookSettings } from "../../core/registration/hook.ts";
import { matcher } from "./matcher.ts";
import { flag, hookName, object, oneOf, seconds, text } from "./values.ts";

const mode = oneOf(["closed", "open", "ask"]);
const POLICY = '"closed", "open", "ask", or an object with one of them for each kind of failure';

const policyByKind = object({
  default: mode.exactOptional(),
  error: mode.exactOptional(),
  timeout: mode.exactOptional(),
  bad_output: mode.exactOptional(),
  missing: mode.exactOptional(),
  conflict: mode.exactOptional(),
  untrusted: mode.exactOptional(),
  cancelled: mode.exactOptional(),
} satisfies Record<FailureKind | "default", z.ZodType>);

/** The keys every hook of a file has. */
export const hookSettings = {
  name: hookName.describe("Unique in its scope; one line."),
  description: text.describe("What the hook is for.").exactOptional(),
  docs: text.describe("A line for the reference.").exactOptional(),
  matcher,
  priority: z.number({ error: "a number" }).describe("Lower is asked first. Default 100.").exactOptional(),
  timeout: seconds.describe("Seconds. Default: hooks.timeout, else 30.").exactOptional(),
  on_failure: z
    .union([mode, policyByKind], { error: POLICY })
    .describe("What a failure means. Default: closed on gates, open elsewhere.")
    .exactOptional(),
  observe: flag.describe("Sees the event and never decides.").exactOptional(),
  parallel: flag.describe("Runs together with the parallel hooks next to it.").exactOptional(),
  async: flag.describe("Runs beside everything; never decides.").exactOptional(),
  once: flag.describe("Runs on the first matching event of each kind in a session.").exactOptional(),
  recheck: flag.describe("False: not asked again about an input that other hooks rewrote.").exactOptional(),
  enabled: flag.describe("Default true.").exactOptional(),
} satisfies Record<Exclude<keyof HookSettings, "origin"> | "matcher" | "docs", z.ZodType>;
