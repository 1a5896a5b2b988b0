import { importClaude } from "../../../../src/adapters/claude/import/import.ts";
import type { ForeignHooks, Imported } from "../../../../src/adapters/integration.ts";

/** Imports a section of hooks, whose commands run no readable scripts unless they are given. */
export function importHooks(hooks: unknown, more: Partial<ForeignHooks> = {}): Imported {
  return importClaude({ hooks, scriptsOf: () => [], ...more });
}

/** Imports one handler. */
export function importOne(event: string, matcher: string | undefined, handler: object): Imported {
  return importHooks({ [event]: [{ matcher, hooks: [handler] }] });
}

export function definitionsIn({ hooks }: Imported): readonly Readonly<Record<string, unknown>>[] {
  return hooks.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));
}

/** Every difference, with the hook's name. */
export function differencesIn({ hooks }: Imported): readonly string[] {
  return hooks.flatMap(({ name, differences }) => differences.map((line) => `${name}: ${line}`));
}

export const command = (settings: object = {}) => ({ type: "command", command: "x", ...settings });
