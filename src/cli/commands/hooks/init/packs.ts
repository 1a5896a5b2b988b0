import { errorMessage } from "../../../../core/base/error-text.ts";
import { PACKS } from "../../../../rules/packs/packs.ts";
import { askLine } from "../../../command-line/ask-line.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";
import { hanging } from "../../../command-line/screen/text.ts";
import { unknownName } from "../../../command-line/usage-error.ts";
import { USUAL_PACKS } from "../../../configured-hooks/starter.ts";

const NONE = "none";

/**
 * The packs of `--pack`; `undefined` without it.
 *
 * @throws TenterhookError `usage_error` with the nearest name.
 */
export function givenPacks({ options }: Invocation): readonly string[] | undefined {
  const given: readonly unknown[] | undefined = Array.isArray(options.pack) ? options.pack : undefined;
  return given && readPacks(given.flatMap((one) => String(one).split(",")));
}

/** @throws TenterhookError `usage_error` with the nearest name. */
export function readPacks(names: readonly string[]): readonly string[] {
  const wanted = [...new Set(names)].filter((name) => name !== NONE && name !== "");
  const unknown = wanted.find((name) => !PACKS.has(name));
  if (unknown === undefined) return wanted;
  throw unknownName("pack", unknown, PACKS.keys(), `Packs: ${[...PACKS.keys()].join(", ")}, or ${NONE}.`);
}

/** Asks on a terminal which packs to use; elsewhere they are the usual ones. */
export async function choosePacks(invocation: Invocation): Promise<readonly string[]> {
  const { screen, json, signal } = invocation;
  if (!screen.interactive || json || flagOption(invocation, "yes")) return USUAL_PACKS;
  screen.print("Packs are sets of hooks that ship with Tenterhook:");
  const names = [...PACKS.keys()];
  for (const [at, { name, description }] of [...PACKS.values()].entries())
    screen.print(hanging(`  ${at + 1} ${name}`, description, screen.width, 22));
  const usual = USUAL_PACKS.map((name) => names.indexOf(name) + 1).join(" ");
  for (;;) {
    const line = await askLine(`Which ones? Numbers or names, or ${NONE} [${usual}] `, signal);
    if (line === undefined || line.trim() === "") return USUAL_PACKS;
    try {
      return readPacks(
        line
          .trim()
          .split(/[\s,]+/)
          .map((word) => names[Number(word) - 1] ?? word),
      );
    } catch (error) {
      screen.print(errorMessage(error));
    }
  }
}

/** `The packs a and b are on`. */
export function onText(packs: readonly string[]): string {
  const last = packs.at(-1);
  if (last === undefined) return "No pack is on";
  if (packs.length === 1) return `The pack ${last} is on`;
  return `The packs ${packs.slice(0, -1).join(", ")} and ${last} are on`;
}
