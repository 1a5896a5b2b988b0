import { dirname } from "node:path";
import { rowsFor } from "../../adapters/codec/agent-table.ts";
import type { Fault, Integration, SettingsPlaces } from "../../adapters/integration.ts";
import { MISSING } from "../../adapters/settings/installed-texts.ts";
import { closedProject } from "../../install/agent-trust.ts";
import type { Entry } from "../../install/entries.ts";
import { type InstallationFile, installationOf } from "../../install/installation.ts";
import { optionFor, orElse, readSettings } from "../../install/settings-files.ts";
import { startDeadline } from "../../node/process/deadline.ts";
import { runProgram } from "../../node/process/run-program.ts";
import { shellLine } from "../../node/process/start-program.ts";
import { MOST_MILLISECONDS, type Proven } from "./proof.ts";
import { type ProofRun, recordsIn } from "./run-agent.ts";
import type { Throwaway } from "./throwaway.ts";

/** The call with which everything is tried, as the agent sends it to hooks. */
function shellPayload({ shellCall }: Integration, line: string, cwd: string) {
  const usual = {
    session_id: "prove",
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: line },
  };
  return shellCall?.(line, cwd) ?? usual;
}

/** The agent's event before a call of its shell. */
export function shellEvent(integration: Integration): string {
  return String(shellPayload(integration, "", "/").hook_event_name);
}

/** All tools but these, as install writes it. */
const ALL_BUT = /^\^\(\?!\(\?:[\w|-]+\)\$\)$/;

/** True when the agent asks a hook with this matcher about commands of the shell, if it is on the event before them. */
export function asksAboutShell(
  integration: Integration,
  { event, matcher }: Pick<Entry, "event" | "matcher">,
): boolean {
  if (event !== shellEvent(integration)) return true;
  const payload = shellPayload(integration, "touch canary", "/");
  const { importing } = integration;
  if (importing !== undefined && !(typeof matcher === "string" && ALL_BUT.test(matcher)))
    return importing.compared.runs(event, matcher, payload);
  // A plug-in of ours, or what install writes; patterns of others are not run as they are.
  return typeof matcher !== "string" || new RegExp(matcher).test(String(payload.tool_name));
}

/** Why our program does not decide when it is called as the entries call it; `undefined` when it does. */
export async function programFault(
  {
    integration,
    signal,
    mostMilliseconds = MOST_MILLISECONDS.program,
  }: Pick<Proven, "integration" | "signal" | "mostMilliseconds">,
  entries: readonly Pick<Entry, "command">[],
  { places, environment }: Throwaway,
): Promise<Fault | undefined> {
  const { projectVariable = "CLAUDE_PROJECT_DIR" } = integration.adapter;
  for (const command of new Set(entries.map((one) => withoutRefusal(one.command)))) {
    const before = (await recordsIn(environment)).length;
    const deadline = startDeadline(signal, mostMilliseconds);
    const { exit_code, aborted, stdout, stderr } = await runProgram({
      ...shellLine(command),
      cwd: places.root,
      // GitHub Copilot CLI sets that of Claude Code, too.
      environment: { ...environment, CLAUDE_PROJECT_DIR: places.root, [projectVariable]: places.root },
      input: JSON.stringify(shellPayload(integration, "touch canary-deny", places.root)),
      signal: deadline.signal,
      maxOutputBytes: 100_000,
    }).finally(deadline.end);
    signal.throwIfAborted();
    if (aborted)
      return { why: `${command} gives no answer within ${mostMilliseconds / 1000} s`, way_out: REINSTALL };
    if (exit_code === 127)
      return {
        why: `the command ${command} is not found`,
        way_out: "npm install -g tenterhook puts it on the PATH.",
      };
    if ((await recordsIn(environment)).length > before) continue;
    const said = `${stdout}${stderr}`.trim().split("\n", 1)[0]?.slice(0, 80) ?? "";
    return {
      why: `${command} decides nothing: it ends with ${exit_code} and ${said === "" ? "says nothing" : `says ${JSON.stringify(said)}`}`,
      way_out: REINSTALL,
    };
  }
  return undefined;
}

/** A command without what stands behind it for a program that fails; one that looks for the program first is whole. */
function withoutRefusal(command: string): string {
  return command.startsWith("sh -c ") ? command : (command.split(" || ", 1)[0] ?? "");
}

const REINSTALL =
  "See which tenterhook is first on the PATH, or install it again: npm install -g tenterhook.";

/** Where the settings of a machine are, which its users can't change. */
const MANAGED = /^\/(?:etc|Library)\//;

type Unreached = Pick<Proven, "driver" | "integration" | "real"> & { readonly run: ProofRun };

/** Why the agent has not asked us, and the way out. */
export function whyUnreached({ driver, integration, real, run }: Unreached): Fault {
  const { title } = integration.table;
  const { name } = integration.adapter;
  const installation = installationOf(integration, real);
  const [off] = installation.off;
  if (off !== undefined)
    return {
      why: `${off.where}: ${off.why}, so ${title} starts no hook`,
      way_out: MANAGED.test(off.where) ? "Ask the people who manage this machine." : "Take it out there.",
    };
  const hooks = dirname(integration.settingsFile("user", real));
  const silent = driver.silent?.(run, { root: real.root, hooks });
  if (silent !== undefined) return silent;
  for (const settings of installation.own.filter(({ events }) => events.length > 0)) {
    const { file, unread, entries } = settings;
    const install = `tenterhook install ${name}${optionFor(integration, settings)}`;
    if (unread !== undefined)
      return {
        why: `${file}: ${unread.why}`,
        way_out: unread.strippable ? `Mend it, or ${install} --strip-comments.` : "Mend it there.",
      };
    const closed = orElse(undefined, () => closedProject(integration, file, real));
    if (closed !== undefined) return closed;
    const untrusted = whyUntrusted(integration, real, settings);
    if (untrusted !== undefined) return { why: untrusted, way_out: `${install} --trust` };
    const narrow = entries.find((one) => one.isOurs && !asksAboutShell(integration, one));
    if (narrow !== undefined)
      return {
        why: `the matcher ${JSON.stringify(narrow.matcher)} on ${narrow.event} in ${file} misses the shell`,
        way_out: `${install} writes the one that is needed.`,
      };
  }
  if (run.sent.includes(MISSING.slice(0, 40)))
    return {
      why: `the shell in which ${title} starts hooks does not find tenterhook`,
      way_out: "Add its folder to the PATH in ~/.profile.",
    };
  if (run.endless)
    return { why: `${title} did not come to an end`, way_out: "Try again; tenterhook check shows more." };
  const said = run.stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  if (run.requests === 0)
    return {
      why: `${title} did not ask its model${said === "" ? "" : `: ${said}`}`,
      way_out: `Start ${integration.program} once by hand.`,
    };
  return {
    why: `${title} did not start our hook, and does not say why`,
    way_out: "tenterhook check -v shows its settings.",
  };
}

/** Why the agent does not trust our entries in a file; `undefined` when it does. */
function whyUntrusted(
  { trust, table }: Integration,
  real: SettingsPlaces,
  installed: InstallationFile,
): string | undefined {
  if (trust === undefined || installed.untrusted.length === 0) return undefined;
  const record = orElse(undefined, () => readSettings(trust.file(real)));
  const [moved] = trust.shifted(installed, record);
  return moved === undefined
    ? `${table.title} does not trust our entry in ${installed.file}, so it skips it`
    : `our entry for ${moved} in ${installed.file} has moved, so ${table.title} no longer trusts it`;
}

/** The commands of other hooks on one of our events. */
export function otherHooks(
  integration: Integration,
  places: SettingsPlaces,
  event: string,
): readonly string[] {
  const natives = rowsFor(integration.table, event).map(([native]) => native);
  return installationOf(integration, places)
    .own.flatMap(({ entries }) => entries)
    .flatMap((entry) => (natives.includes(entry.event) && !entry.isOurs ? [entry.command] : []));
}
