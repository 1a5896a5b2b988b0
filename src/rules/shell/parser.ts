import type { ParsedScript } from "unbash";

type Parse = (source: string) => ParsedScript;

let loaded: Parse | undefined;
let loading: Promise<void> | undefined;

/** Loads the shell parser once. It is not loaded with the package: most processes never need it. */
export function loadShellParser(): Promise<void> {
  loading ??= import("unbash").then((module) => {
    loaded = module.parse;
  });
  return loading;
}

/** True once {@link loadShellParser} has finished. */
export function shellParserLoaded(): boolean {
  return loaded !== undefined;
}

/** The script's tree, or `undefined` when the parser is not loaded or gives up on the text. */
export function parseShell(source: string): ParsedScript | undefined {
  try {
    return loaded?.(source);
  } catch {
    return undefined;
  }
}
