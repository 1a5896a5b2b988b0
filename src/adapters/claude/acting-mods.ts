import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecord, listOf, parseJson } from "../../core/base/json.ts";
import { builtin } from "../../node/builtin.ts";
import { regularText } from "../../node/files/regular-file.ts";
import type { ActingMod } from "../integration.ts";
import { ACTS, ASKS } from "./mod/acting.js";

/*
 * Mods are plug-ins of Claude Code with a module. One that starts programs or writes files itself makes no tool call, so no
 * gate sees what it does; nor what one makes of others' programs, files and requests that hooks those.
 */

/** Claude Code loads no module that spells a call in another way. */
function calling(calls: readonly string[]): RegExp {
  const spelled = calls.map((call) => call.replace(".", String.raw`\s*\.\s*`));
  return new RegExp(String.raw`\$\s*\.\s*(?:${spelled.join("|")})\b`);
}

const ACTING = calling(ACTS);
const ASKING = calling([ASKS]);
const HOOKING =
  /\(\s*["'`](?:process\.(?:run|spawn|\*)|fs\.(?:write|\*)|env\.(?:set|\*)|http\.(?:fetch|\*)|\*[\w.*]*|![\w.*]+)["'`]\s*,/;
const CODE = /\.[cm]?[jt]sx?$/;

const MOST_FILES = 2000;
const MOST_BYTES = 50_000_000;

/** The mods in these folders that act themselves, or send requests. Never throws. */
export function actingMods(folders: readonly string[]): readonly ActingMod[] {
  return folders.flatMap((folder) => {
    const hooks = parseJson(regularText(join(folder, "hooks/hooks.json"), MOST_BYTES) ?? "");
    if (!isRecord(hooks) || listOf(hooks.modules).length === 0) return [];
    const files = filesOf(folder);
    const code = files?.filter(([name]) => CODE.test(name)).map(([, bytes]) => bytes.toString());
    const isLeftOut = code?.some((text) => ACTING.test(text) || HOOKING.test(text)) ?? true;
    const isListed = isLeftOut || code?.some((text) => ASKING.test(text)) === true;
    return isListed ? [{ folder, id: modId(nameOf(folder), folder), isLeftOut }] : [];
  });
}

function nameOf(folder: string): string {
  const manifest = parseJson(regularText(join(folder, ".claude-plugin/plugin.json"), MOST_BYTES) ?? "");
  return isRecord(manifest) && typeof manifest.name === "string" ? manifest.name : folder;
}

/** `name@hash` over all files of a mod. Never throws. */
export function modId(name: string, folder: string): string | undefined {
  const files = filesOf(folder);
  if (files === undefined) return undefined;
  const hash = builtin.crypto.createHash("sha256");
  for (const [file, bytes] of files) hash.update(`${JSON.stringify(file)} ${bytes.length}\n`).update(bytes);
  return `${name}@${hash.digest("hex").slice(0, 32)}`;
}

/** The files of a folder by name, in order; `undefined` when they are too many, or one can't be read. */
function filesOf(folder: string): readonly (readonly [name: string, bytes: Buffer])[] | undefined {
  try {
    let bytes = 0;
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
    if (names.length > MOST_FILES) return undefined;
    return names.flatMap((name) => {
      const { size, isFile } = statOf(join(folder, name));
      if (!isFile) return [];
      bytes += size;
      if (bytes > MOST_BYTES) throw new Error("It is too big.");
      return [[name, readFileSync(join(folder, name))] as const];
    });
  } catch {
    return undefined;
  }
}

function statOf(path: string) {
  const status = statSync(path);
  return { size: status.size, isFile: status.isFile() };
}
