import { editList } from "../../config/edit/edits.ts";
import { EVERYTHING } from "../../config/schema/off-entry.ts";
import { loadConfig } from "../../config.ts";
import { readSettings } from "../../install/settings-files.ts";
import { fileOption, type Invocation } from "../command-line/command.ts";
import type { Report } from "../command-line/screen/report.ts";
import { bold, moment, shortPath, yellow } from "../command-line/screen/text.ts";
import { usageError } from "../command-line/usage-error.ts";
import { asItWas } from "../integrations/as-it-was.ts";
import { scopeFile } from "./scope-files.ts";
import { entryFor, setEnabled } from "./set-enabled.ts";
import { tableOf, turnProgramNamed, turnPrograms } from "./turn-programs.ts";
import { writeChecked } from "./write-checked.ts";

/** What is switched: on, or off, for good or until a time. */
export interface Wish {
  readonly enabled: boolean;
  readonly until?: Date;
}

/** Switches the hook, pack or rule that a command names, or without a name everything, and says what changed. */
export async function switchNamed(wish: Wish, invocation: Invocation): Promise<Report> {
  const { cwd, environment, signal, names } = invocation;
  const [name] = names;
  const scope = fileOption(invocation);
  if (name === undefined && (scope ?? "user") !== "user")
    throw usageError(
      "Only your own file can switch everything on or off.",
      `Leave --${scope} out, or name a hook.`,
    );
  if (name === undefined) return switchEverything(wish, invocation);
  await mustHaveSwitch(name, invocation);
  const switched = await setEnabled({
    cwd,
    environment,
    signal,
    name,
    ...wish,
    scope,
  });
  const { name: switchedName, changed, backups = [], also = [] } = switched;
  const state = stateText(wish);
  const done = `${bold(switchedName)} is ${state}`;
  return {
    json: switched,
    blocks: [
      changed.length === 0 && `${done} already.`,
      changed.map((file) => `${done}: changed hooks.disabled of ${shortPath(file, cwd)}.`),
      asItWas(invocation, ...backups),
      also.map((other) => yellow(`${bold(other)} is ${state} too: it has the same name in its file.`)),
    ],
  };
}

/** @throws TenterhookError `usage_error` for a program of `.agent/hook.toml`, unless a hook has that name. */
async function mustHaveSwitch(name: string, invocation: Invocation): Promise<void> {
  const config = await loadConfig(invocation);
  const program = turnProgramNamed(name, await turnPrograms(invocation, config));
  if (program === undefined || config.definitions.some((one) => one.name === name)) return;
  const file = shortPath(program.file, invocation.cwd);
  throw usageError(
    `Hook(${program.event}) is a program of ${file}, which has no switch.`,
    `Take [${tableOf(program)}] out of the file.`,
  );
}

/** In the user's own file, which counts in every project. */
async function switchEverything(wish: Wish, invocation: Invocation): Promise<Report> {
  const { cwd, environment } = invocation;
  const file = scopeFile("user", cwd, environment);
  const before = readSettings(file) ?? "";
  const on = editList(file, before, "disabled", EVERYTHING, false);
  const entry = entryFor(EVERYTHING, wish.until);
  const after = wish.enabled ? on : editList(file, on, "disabled", EVERYTHING, true, entry);
  const backup = await writeChecked({ file, before, after }, invocation);
  const all = wish.enabled
    ? before === after
      ? "Not everything was off, so nothing changed."
      : "All hooks are on again."
    : `All hooks are ${stateText(wish)}, in every project; managed ones stay on. tenterhook on ends that.`;
  return {
    json: { enabled: wish.enabled, until: wish.until, file, changed: before !== after },
    blocks: [all, asItWas(invocation, backup)],
  };
}

function stateText({ enabled, until }: Wish): string {
  if (enabled) return "on";
  return until === undefined ? "off" : `off until ${moment(until.toISOString())}`;
}
