import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { discover } from "../../../config/find/discover.ts";
import { Inputs } from "../../../config/inputs/inputs.ts";
import { grantTrust, loadConfig, reviewTrust } from "../../../config.ts";
import { errorMessage } from "../../../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../../../core/base/errors.ts";
import { withoutUndefined } from "../../../core/base/json.ts";
import { NOT_TRUSTED, TRUST_SHOWS } from "../../../core/base/untrusted.ts";
import { writeBackup } from "../../../install/change-files.ts";
import { foundAgents } from "../../../install/found-agents.ts";
import { readSettings } from "../../../install/settings-files.ts";
import { writeAtomically } from "../../../node/files/atomic-write.ts";
import { makeFolders } from "../../../node/files/folders.ts";
import { configFolder } from "../../../node/user-folders.ts";
import { confirm } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { steps } from "../../command-line/screen/report.ts";
import { harmless, shortPath } from "../../command-line/screen/text.ts";
import { goneText } from "../../configured-hooks/gone-text.ts";
import { existingFile, mustStayInside } from "../../configured-hooks/scope-files.ts";
import { starterText } from "../../configured-hooks/starter.ts";
import { asItWas } from "../../integrations/as-it-was.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { foundHooks, importSteps } from "../integrations/import/found.ts";
import { choosePacks, givenPacks, onText } from "./init/packs.ts";

const FOLDER = ".tenterhook";
const IGNORED = "hooks.local.*";

export const run: CommandRun = async (invocation) => {
  const plugin = textOption(invocation, "plugin");
  const isTypeScript = invocation.options.ts === true;
  if (plugin !== undefined)
    return (await import("./plugin.ts")).writePlugin(plugin, isTypeScript, invocation);
  if (isTypeScript)
    throw new TenterhookError("usage_error", "--ts is for plug-ins.", {
      hint: "tenterhook init --plugin NAME --ts",
    });
  const { cwd } = invocation;
  const { file, written, backups, packs, trusted } = await writeStarter(invocation);
  // That another file can't be read is for the next command to say.
  const trust = (await loadConfig(invocation).catch(() => undefined))?.trust;
  const gone = trust && goneText(trust, cwd);
  const more = withoutUndefined({ gone: trust?.gone });
  const where = flagOption(invocation, "user") ? ", in every project" : "";
  return {
    json: { file, written, trusted, packs, backups, ...more },
    blocks: [
      written.map((path) => `wrote  ${shortPath(path, cwd)}`),
      asItWas(invocation, ...backups),
      "",
      trusted ? `${onText(packs)}${where}.` : `The file is ${NOT_TRUSTED}: ${TRUST_SHOWS}.`,
      gone && harmless(gone),
      steps([
        ["tenterhook list", "what is in force"],
        ['tenterhook explain "rm -rf ~"', "try a command"],
        ...(await nextSteps(invocation)),
      ]),
    ],
  };
};

/** Writes a first configuration, asks which packs it uses, and trusts it. */
export async function writeStarter(invocation: Invocation) {
  const { cwd, environment } = invocation;
  const isUser = flagOption(invocation, "user");
  const given = givenPacks(invocation);
  const folder = isUser ? configFolder(environment) : join(realpathSync(cwd), FOLDER);
  const file = join(folder, "hooks.yaml");
  const ignore = join(folder, ".gitignore");
  if (!isUser) for (const path of [file, ignore]) mustStayInside(dirname(folder), path);
  await mayWrite(folder, file, invocation);
  const packs = given ?? (await choosePacks(invocation));
  const written: string[] = [];
  const backups: string[] = [];
  const write = async (path: string, content: string): Promise<void> => {
    const before = readSettings(path);
    if (before !== undefined && before !== content)
      backups.push(await writeBackup(path, before, environment));
    await writeAtomically(path, content, { keep: true, mode: 0o644 });
    written.push(path);
  };
  const text = starterText(schemaAddress(folder, isUser), packs, isUser);
  try {
    makeFolders(folder, 0o777);
    await write(file, text);
    const before = existsSync(ignore) ? readFileSync(ignore, "utf8") : "";
    if (!isUser && !before.split("\n").includes(IGNORED))
      await write(ignore, `${before.replace(/([^\n])$/, "$1\n")}${IGNORED}\n`);
  } catch (cause) {
    const why = errorMessage(cause);
    throw new TenterhookError("write_failed", `The configuration can't be written: ${why}.`, { cause });
  }
  // Your own file needs no trust.
  const trusted = isUser || (await trustOwn(file, text, invocation));
  return { file, written, backups, packs, trusted };
}

/** What brings along the hooks that agents on this machine have, and last what guards these agents. */
async function nextSteps(invocation: Invocation): Promise<readonly (readonly [string, string])[]> {
  const places = await projectPlaces(invocation);
  const option = flagOption(invocation, "user") ? " --user" : "";
  const agents = await foundAgents(invocation);
  const names = agents.map(({ adapter }) => adapter.name).join(" ");
  const titles = agents.map(({ table }) => table.title).join(", ");
  return [
    ...agents.flatMap((integration) => importSteps(foundHooks(integration, places))),
    ...(agents.length === 0 ? [] : [[`tenterhook install ${names}${option}`, `guard ${titles}`] as const]),
  ];
}

/** Trusts the file that was just written, and nothing else in the project: not that something is gone from it either. */
async function trustOwn(
  file: string,
  text: string,
  { cwd, environment, signal }: Invocation,
): Promise<boolean> {
  try {
    const places = { cwd, environment, signal };
    const { gone = [] } = (await loadConfig(places)).trust;
    if (gone.some((guard) => guard.file === file)) return false;
    const review = await reviewTrust(places);
    if (readFileSync(file, "utf8") !== text) return false;
    const written = review.items.filter((item) => item.file === file && item.state !== "removed");
    const only = written.map(({ id }) => id);
    await grantTrust(review, { environment, only });
    return true;
  } catch (error) {
    if (isTenterhookError(error)) return false;
    throw error;
  }
}

async function mayWrite(folder: string, file: string, invocation: Invocation): Promise<void> {
  const isUser = flagOption(invocation, "user");
  const there = existingFile(folder, "hooks");
  const { cwd } = invocation;
  if (there === undefined) {
    const above = isUser ? undefined : await configurationAbove(dirname(folder), invocation);
    const isYes = flagOption(invocation, "yes");
    if (above === undefined || isYes || (await agreed("Write one for this folder alone?", invocation, above)))
      return;
    throw new TenterhookError("file_exists", above, {
      hint: "Edit that one, or use --force to create one for this folder alone.",
    });
  }
  if (there !== file)
    throw new TenterhookError(
      "file_exists",
      `${shortPath(there, cwd)} exists already, and a folder can have only one configuration.`,
      { hint: "Edit that file, or remove it first." },
    );
  if (await agreed(`Replace ${shortPath(file, cwd)}?`, invocation)) return;
  throw new TenterhookError("file_exists", `${shortPath(file, cwd)} exists already.`, {
    hint: "tenterhook add PACK adds packs to it; --force replaces it, and keeps a copy.",
  });
}

async function agreed(
  question: string,
  invocation: Invocation,
  ...before: readonly string[]
): Promise<boolean> {
  if (flagOption(invocation, "force")) return true;
  const { screen, json } = invocation;
  if (!screen.interactive || json || flagOption(invocation, "yes")) return false;
  screen.print(...before.map(harmless));
  return confirm(question, invocation);
}

async function configurationAbove(folder: string, { environment }: Invocation): Promise<string | undefined> {
  const { units } = await discover({ cwd: folder, environment }, new Inputs());
  const above = units.findLast(({ kind, root }) => kind === "project" && root !== folder);
  if (above === undefined) return undefined;
  return `${join(above.root, FOLDER)} already applies to this folder; a configuration here would apply in addition.`;
}

/**
 * Where editors find the schema: the package's own file. A project that others share names it only where the package is
 * below it or above it, at the same place for everybody.
 */
function schemaAddress(folder: string, isUser: boolean): string | undefined {
  for (let root = dirname(folder); ; root = dirname(root)) {
    const installed = join(root, "node_modules", "tenterhook", "schema", "hooks.schema.json");
    if (existsSync(installed)) return relative(folder, installed).replaceAll("\\", "/");
    if (root === dirname(root)) break;
  }
  return isUser ? createRequire(import.meta.url).resolve("tenterhook/hooks.schema.json") : undefined;
}
