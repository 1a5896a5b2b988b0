import { join, relative } from "node:path";
import { didYouMean } from "../../core/base/suggest.ts";
import { EVENTS } from "../../core/events/event-table.ts";
import { TOOL_NAMES } from "../../core/match/tool-names.ts";
import type { Definition } from "../schema/definition.ts";
import { type Findings, kindOf, namesIn } from "./find-files.ts";

const SUFFIXES = [".sh", ".py", ".js", ".ts", ".ps1"];
const PATTERN = /^(pre|post|on)-([^.\p{Cc}]+)(\.\P{Cc}*)$/u;
const NO_HOOK = `This is not a hook: names are pre-<tool>, post-<tool> or on-<event> with ${SUFFIXES.join(", ")}.`;

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
): Promise<readonly { readonly file: string; readonly definition: Definition }[]> {
  const found: { file: string; definition: Definition }[] = [];
  for (const name of await namesIn(folder, findings)) {
    const file = join(folder, name);
    if (name.startsWith(".")) continue;
    if (!PATTERN.test(name)) {
      if ((await kindOf(file)) !== "folder") findings.warnings.push({ file, message: NO_HOOK });
      continue;
    }
    // The names in a folder stay the same when one of them becomes a script that was a folder.
    if (findings.inputs.see("presence", file).value === "folder") continue;
    const definition = readName(name, file, relative(root, file), findings);
    if (definition !== undefined) found.push({ file, definition });
  }
  return found;
}

function readName(name: string, file: string, script: string, findings: Findings): Definition | undefined {
  const [, prefix = "", subject = "", suffix = ""] = PATTERN.exec(name) ?? [];
  const kind = KINDS[prefix];
  if (kind === undefined) return undefined;
  if (!SUFFIXES.some((ending) => suffix.endsWith(ending))) {
    const message = `This is not a hook that can be run: its name must end in ${SUFFIXES.join(", ")}.`;
    findings.warnings.push({ file, message });
    return undefined;
  }
  const near = didYouMean(subject, kind.known.values());
  let known = kind.known.get(plain(subject));
  if (known === undefined && kind.event === undefined) {
    const message = `There is no event "${subject}".${near}`;
    findings.problems.push({ code: "config_invalid", file, message });
    return undefined;
  }
  if (known === undefined && !subject.startsWith("mcp__")) {
    const message = `No tool that is known here is called "${subject}"; the hook is for tools of exactly that name.${near}`;
    findings.warnings.push({ file, message });
  }
  known ??= subject;
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
