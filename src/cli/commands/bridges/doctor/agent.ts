import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Bridge } from "../../../../adapters/bridge.ts";
import { findProgram } from "../../../../node/process/find-program.ts";
import { unfoundAtLogin } from "../../../bridges/called-program.ts";
import { BECOMES, type Needs } from "../../../bridges/needs.ts";
import { offSwitches } from "../../../bridges/off-switches.ts";
import { type Checked, checkSettings } from "../../../bridges/settings-check.ts";
import { readsOnlyInRoot } from "../../../bridges/settings-files.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import type { Finding } from "./checks.ts";

export interface CheckedAgent {
  readonly agent: string;
  readonly version?: string;
  readonly settings: readonly Checked[];
  readonly findings: readonly Finding[];
}

/** Checks an agent's version and settings against what hooks need, where that is known. */
export async function checkAgent(
  bridge: Bridge,
  { root, needs }: { readonly root: string; readonly needs?: Needs },
  invocation: Invocation,
): Promise<CheckedAgent> {
  const { adapter, since } = bridge;
  const { title } = bridge.table;
  const [version, settings] = [
    await programVersion(bridge.program, invocation),
    checkSettings(bridge, needs, root, invocation.environment),
  ];
  const about = adapter.name;
  const installed = settings.filter(({ events }) => events.length > 0);
  const findings: Finding[] = [
    {
      level: "ok",
      about,
      message: version === undefined ? `${title} is not on the PATH.` : `${title} ${version}.`,
    },
  ];
  const add = (level: Finding["level"], message: string): void =>
    void findings.push({ level, about, message });
  if (version !== undefined && isOlder(version, since.version))
    add("warning", `${title} ${version} ${since.older}`);
  // Another agent's file can hold a switch of an agent that nobody uses here.
  const isUsed = version !== undefined || installed.length > 0;
  for (const { where, why } of isUsed ? offSwitches(bridge, root, invocation.environment) : [])
    add("error", `${shortPath(where, invocation.cwd)}: no hook runs, since ${why}.`);
  for (const { file, scope, problem, events, missing, extra, drifted, unread, untrusted } of settings) {
    const path = shortPath(file, invocation.cwd);
    if (problem !== undefined) add("error", `${path}: ${problem}`);
    if (unread !== undefined)
      add(
        events.length === 0 ? "warning" : "error",
        `${path}: its hooks do not run: ${unread.why}. ${unread.strippable ? `tenterhook install ${about} --scope ${scope} --strip-comments removes that.` : "Correct it there."}`,
      );
    if (events.length === 0) continue;
    add("ok", `${path} calls Tenterhook for ${events.join(", ")}.`);
    if (untrusted !== undefined && untrusted.length > 0)
      add("error", `${path}: ${title} skips ${untrusted.join(", ")}. ${bridge.trust?.explained}`);
    if (missing.length > 0)
      add("error", `${path} does not call Tenterhook for ${missing.join(", ")}: tenterhook install --sync.`);
    if (extra.length > 0)
      add(
        "warning",
        `${path} calls Tenterhook for ${extra.join(", ")}, which no hook needs: tenterhook install --sync.`,
      );
    for (const { native, gate, different } of drifted)
      add(
        gate ? "error" : "warning",
        `${path} calls Tenterhook for ${native} differently than the configuration requires (${different.join(", ")}): tenterhook install --sync.`,
      );
  }
  if (installed.length === 0) {
    if (version !== undefined)
      add("warning", `Tenterhook is not installed in ${title}: tenterhook install ${about}.`);
    return { agent: about, ...(version === undefined ? {} : { version }), settings, findings };
  }
  const unfound = unfoundAtLogin(bridge, invocation.environment);
  if (unfound !== undefined) add("error", unfound);
  if (installed.length > 1) {
    const files = installed.map(({ file }) => shortPath(file, invocation.cwd));
    add("ok", `Tenterhook is installed in ${files.join(" and ")}; duplicate calls are decided once.`);
  }
  if (
    readsOnlyInRoot(bridge, root) &&
    invocation.cwd !== root &&
    !installed.some(({ scope }) => scope === "user")
  )
    add(
      "error",
      `${title} started here reads no settings of ${shortPath(root, invocation.cwd)}, only those of this folder: tenterhook install ${about} --scope user.`,
    );
  for (const warning of bridge.warnings ?? []) add("warning", warning);
  if (needs !== undefined && needs.never_sent.length > 0)
    add("warning", `${title} never sends ${needs.never_sent.join(", ")}; hooks on these will not run there.`);
  for (const { hook, event, effect, becomes } of needs?.unheard ?? [])
    add("warning", `${title} does not support ${effect} on ${event} (hook ${hook}): ${BECOMES[becomes]}.`);
  return { agent: about, ...(version === undefined ? {} : { version }), settings, findings };
}

const MOST_MILLISECONDS = 10_000;

/** What `--version` prints; `undefined` when there is no such program. */
async function programVersion(
  program: string,
  { cwd, environment, signal }: Invocation,
): Promise<string | undefined> {
  const file = findProgram(program, cwd, environment);
  if (file === undefined) return undefined;
  try {
    const run = promisify(execFile);
    const { stdout } = await run(file, ["--version"], {
      env: environment,
      timeout: MOST_MILLISECONDS,
      maxBuffer: 100_000,
      signal,
    });
    return /\d+(?:\.\d+)+[\w.-]*/.exec(stdout)?.[0] ?? "of an unknown version";
  } catch {
    return "that does not tell its version";
  }
}

function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => /^\d+(?:\.\d+)*/.exec(text)?.[0].split(".").map(Number));
  if (one === undefined || other === undefined) return false;
  const at = other.findIndex((number, index) => number !== (one[index] ?? 0));
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0);
}
