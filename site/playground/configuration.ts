import { isTenterhookError, TenterhookError } from "../../src/core/base/errors.ts";
import type { WrittenDefinition } from "../../src/core/registration/hook-definition.ts";
import type { PackName } from "../../src/core/registration/plugin.ts";

/** The hooks that judge a call on the page. */
export interface Configuration {
  readonly packs: readonly string[];
  readonly definitions: readonly WrittenDefinition[];
  /** Hooks that need a machine: a program, a server, a model. They are named, and not asked. */
  readonly left_out: readonly string[];
}

/** The name of the hook that rules of a line each belong to. */
export const OWN_RULES = "your-rules";

/**
 * Reads what somebody wrote: rules, one a line, or a whole `hooks.yaml`, for which the parser is loaded.
 *
 * @throws TenterhookError that says what is wrong, with its line.
 */
export async function readConfiguration(
  text: string,
  event: string,
  packs: readonly PackName[],
): Promise<Configuration> {
  if (text.trim() === "") return { packs, definitions: [], left_out: [] };
  if (!/^\s*(?:hooks\s*:|\{)/m.test(text)) {
    const definition = { name: OWN_RULES, type: "inline", matcher: { events: [event] }, rules: text };
    return { packs, definitions: [definition], left_out: [] };
  }
  const { readFile } = await import("./read-file.ts");
  const { use, definitions } = readFile(text);
  const isInline = ({ type }: WrittenDefinition) => type === "inline";
  return {
    packs: [...new Set([...packs, ...use])],
    definitions: definitions.filter(isInline),
    left_out: definitions.filter((one) => !isInline(one)).map(({ name, type }) => `${name} (${type})`),
  };
}

/** What is wrong, and the way out, in two sentences at most. */
export function wrong(error: unknown): string {
  if (isTenterhookError(error)) return [error.message, error.hint].filter(Boolean).join(" ");
  return error instanceof Error ? error.message : String(error);
}

export function unknownPack(name: string): TenterhookError {
  return new TenterhookError(
    "unknown_pack",
    `There is no pack ${JSON.stringify(name)} on this page, which has only the packs that ship.`,
  );
}
