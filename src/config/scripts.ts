import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { EVENTS } from "../core/events.ts";
import { didYouMean } from "../core/suggest.ts";
import { TOOL_NAMES } from "../core/tool-names.ts";
import { type Findings, namesIn } from "./find-files.ts";
import type { Definition } from "./schema/definition.ts";

/** A script of the folder, as the definition it stands for. */
export interface FoundScript {
  readonly file: string;
  readonly definition: Definition;
}

const SUFFIXES = [".sh", ".py", ".js", ".ts", ".ps1"];

/** What each beginning of a name means. */
const KINDS: Readonly<
  Record<string, { readonly event?: string; readonly known: ReadonlyMap<string, string> }>
> = {
  pre: { event: "PreToolUse", known: byPlainName(toolNames()) },
  post: { event: "PostToolUse", known: byPlainName(toolNames()) },
  on: { known: byPlainName(Object.keys(EVENTS)) },
};

/**
 * Makes a hook of every script `pre-<tool>.*`, `post-<tool>.*` and `on-<event>.*` of a folder, in the order of their
 * names. Tools and events may be written in any case, with or without `-` and `_`.
 */
export async function discoverScripts(
  folder: string,
  root: string,
  findings: Findings,
): Promise<readonly FoundScript[]> {
  const found: FoundScript[] = [];
  for (const name of await namesIn(folder, findings)) {
    const file = join(folder, name);
    if (name.startsWith(".")) continue;
    if ((await stat(file).catch(() => undefined))?.isDirectory() === true) continue;
    const definition = readName(name, file, relative(root, file), findings);
    if (definition !== undefined) found.push({ file, definition });
  }
  return found;
}

function readName(name: string, file: string, script: string, findings: Findings): Definition | undefined {
  const refuse = (message: string): undefined => {
    findings.problems.push({ code: "config_invalid", file, message });
  };
  const [, prefix = "", subject = "", suffix = ""] = /^(pre|post|on)-([^.]+)(\..*)$/s.exec(name) ?? [];
  const kind = KINDS[prefix];
  if (kind === undefined) {
    const message = `This is not a hook: names are pre-<tool>, post-<tool> or on-<event> with ${SUFFIXES.join(", ")}.`;
    findings.warnings.push({ file, message });
    return undefined;
  }
  if (!SUFFIXES.some((ending) => suffix.endsWith(ending))) {
    return refuse(
      `Nobody knows how to run this script: its name must end in ${SUFFIXES.join(", ")}. Rename it, or move it out of the folder.`,
    );
  }
  const known = kind.known.get(plain(subject)) ?? (/^mcp__/.test(subject) ? subject : undefined);
  if (known === undefined) {
    const what = kind.event === undefined ? "event" : "tool";
    return refuse(`There is no ${what} "${subject}".${didYouMean(subject, kind.known.values())}`);
  }
  return {
    name,
    type: "command",
    script,
    matcher: kind.event === undefined ? { events: [known] } : { events: [kind.event], tools: [known] },
  };
}

function toolNames(): readonly string[] {
  return Object.entries(TOOL_NAMES).flatMap(([name, others]) => [name, ...others]);
}

function byPlainName(names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of names) if (!found.has(plain(name))) found.set(plain(name), name);
  return found;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
