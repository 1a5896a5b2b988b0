import { compilePathGlob } from "../../core/match/glob.ts";
import { hostOf } from "../../core/match/url-hosts.ts";
import { bad } from "./parse-rule.ts";

const PREFIX = "domain:";

/**
 * What a rule for shell commands names, and whether anything may follow it.
 *
 * @throws TenterhookError `bad_permission` for one that names no program.
 */
export function readCommand(text: string, value: string): { readonly body: string; readonly open: boolean } {
  const body = value.replace(/(?::| +)\*$/, "").trim();
  if (body === "") throw bad(text, "names no program");
  if (body.includes(":*")) throw bad(text, "has :* in its middle, and it means the rest of the line");
  return { body, open: body !== value };
}

/**
 * The host of a rule, in the spelling in which hosts are compared, and whether those below it are meant.
 *
 * @throws TenterhookError `bad_permission` for anything but one host.
 */
export function readHost(text: string, value: string): { readonly host: string; readonly below: boolean } {
  const given = value.startsWith(PREFIX) ? value.slice(PREFIX.length).trim() : undefined;
  if (given === undefined) throw bad(text, "must say domain:, for example WebFetch(domain:example.com)");
  const below = given.startsWith("*.");
  const host = hostAlone(below ? given.slice(2) : given);
  if (host === undefined) throw bad(text, "must give one host alone, such as example.com or *.example.com");
  return { host, below };
}

/**
 * Refuses a pattern for files that can't be read.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern`.
 */
export function checkFilePattern(text: string, value: string): void {
  if (value.endsWith(":*"))
    throw bad(text, "has :*, which is for commands; for files write a glob such as src/**");
  compilePathGlob(value);
}

function hostAlone(given: string): string | undefined {
  if (given === "" || /[\s/\\@:?#*]/.test(given.replace(/^\[[\da-f:.]+\]$/i, ""))) return undefined;
  return hostOf(`https://${given}`);
}
