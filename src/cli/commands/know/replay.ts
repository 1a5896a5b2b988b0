import { resolve } from "node:path";
import { loadConfigFile } from "../../../config/load.ts";
import { type Config, loadConfig } from "../../../config.ts";
import { withoutUndefined } from "../../../core/base/json.ts";
import { replaceFile } from "../../../install/change-files.ts";
import { findSessions, REPLAYED_AGENTS, type SessionFile } from "../../../know/replay/find-sessions.ts";
import { type Progress, replay } from "../../../know/replay/replay.ts";
import { savedCases } from "../../../know/replay/save.ts";
import type { Replay } from "../../../know/replay/tally.ts";
import type { ReplayView } from "../../../shared/replay.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import type { Screen } from "../../command-line/screen/screen.ts";
import { counted, shortPath } from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/times.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { asItWas } from "../../integrations/as-it-was.ts";
import { replayBlocks, unreadableLines } from "./replay/show-replay.ts";

export const run: CommandRun = async (invocation) => {
  const { cwd, environment, signal, screen, names, json } = invocation;
  const folder = textOption(invocation, "project");
  const project = folder === undefined ? undefined : resolve(cwd, folder);
  const since = textOption(invocation, "since");
  const agent = textOption(invocation, "agent");
  if (agent !== undefined && !REPLAYED_AGENTS.includes(agent))
    throw usageError(
      `--agent: the sessions of ${JSON.stringify(agent)} can't be read.`,
      `Agents: ${REPLAYED_AGENTS.join(", ")}.`,
    );
  const { config, against } = await configsOf(invocation, project ?? cwd);
  const chosen = withoutUndefined({ agent, since: since === undefined ? undefined : sinceTime(since) });
  const files = await findSessions({ names, cwd, environment, ...chosen });
  const bar = progressBar(screen, json, files);
  const found = await replay({
    config,
    files,
    cwd: config.trust.root,
    environment,
    signal,
    run: flagOption(invocation, "run"),
    onProgress: bar.show,
    against,
    project,
    since: chosen.since,
  });
  bar.end(found, signal.aborted);
  if (json) {
    const { sessions, events, unreadable, would, by_hook, changed, against: other } = replayView(found);
    const short = { sessions, events, unreadable, would, by_hook, changed, against: other };
    screen.json(flagOption(invocation, "all") ? replayView(found) : short);
    screen.tell(...unreadableLines(found, cwd));
  } else screen.print(replayBlocks(found, flagOption(invocation, "all"), signal.aborted, cwd));
  await writeReports(found, config, invocation);
};

/** The configuration that is tried, and the one that it is compared with. */
async function configsOf(
  invocation: Invocation,
  folder: string,
): Promise<{ readonly config: Config; readonly against: Config | undefined }> {
  const { cwd, environment, signal } = invocation;
  const [file, other] = [textOption(invocation, "config"), textOption(invocation, "against")];
  if (flagOption(invocation, "run") && (file !== undefined || other !== undefined))
    throw usageError(
      "--run asks only the programs of the configuration in force, which you have trusted.",
      "Leave out --run, or --config and --against.",
    );
  const from = (name: string) => loadConfigFile(resolve(cwd, name), { environment, signal });
  return {
    config: file === undefined ? await loadConfig({ cwd: folder, environment, signal }) : await from(file),
    against: other === undefined ? undefined : await from(other),
  };
}

/** Writes what `--save` and `--html` ask for, and says where. */
async function writeReports(found: Replay, config: Config, invocation: Invocation): Promise<void> {
  const { cwd, screen } = invocation;
  const [save, html] = [textOption(invocation, "save"), textOption(invocation, "html")];
  if (save !== undefined) {
    const { text, cases, differing } = await savedCases(found, config);
    const file = resolve(cwd, save);
    const backup = await replaceFile(file, text, invocation);
    screen.tell(
      `  ${shortPath(file, cwd)} has ${counted(cases, "case")}: tenterhook test ${save}`,
      ...asItWas(invocation, backup),
    );
    if (differing > 0)
      screen.tell(
        `  ${counted(differing, "call")} left out: without its secret or its full length, it is decided differently.`,
      );
  }
  if (html !== undefined) {
    const { reportPage } = await import("../../../monitor/dashboard/report.ts");
    const file = resolve(cwd, html);
    const page = reportPage({ view: "replay", found: replayView(found) });
    const backup = await replaceFile(file, page, invocation, 0o600);
    screen.tell(`  ${shortPath(file, cwd)} shows each call.`, ...asItWas(invocation, backup));
  }
}

/** What pages show, and `--json --all` prints. */
function replayView({ changed, unreadable_places: _, ...found }: Replay): ReplayView {
  return { ...found, changed: changed.map(({ cwd: _, ...call }) => call) };
}

const WIDTH = 48;
const STEP_MILLISECONDS = 100;
const CLEAR_LINE = "\r\u001b[K";

/** On a terminal, shows how far a replay is, how fast it goes and how long it will take. */
function progressBar(
  { interactive, quiet, write, width, paint }: Screen,
  json: boolean,
  files: readonly SessionFile[],
): { show(progress: Progress): void; end(found: Replay, isCut: boolean): void } {
  if (!interactive || quiet === true || json) return { show: () => {}, end: () => {} };
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const started = performance.now();
  let last = 0;
  let share = 0;
  const bar = (): string => {
    const room = Math.max(10, Math.min(WIDTH, width - 44));
    const full = Math.round(room * Math.min(1, share));
    return `${"█".repeat(full)}${paint.dim("░".repeat(room - full))}`;
  };
  return {
    show({ bytes, events }) {
      const now = performance.now();
      if (now - last < STEP_MILLISECONDS) return;
      last = now;
      const seconds = (now - started) / 1000;
      share = total === 0 ? 1 : bytes / total;
      const left = share > 0.01 ? `  ${((seconds / share) * (1 - share)).toFixed(0)} s left` : "";
      const rate = `${Math.round(events / seconds).toLocaleString("en")}/s`;
      write(`${CLEAR_LINE}  ${bar()}  ${events.toLocaleString("en")} calls  ${rate}${left}`);
    },
    end({ events }, isCut) {
      if (!isCut) share = 1;
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      write(`${CLEAR_LINE}  ${bar()}  ${events.toLocaleString("en")} calls   ${seconds} s\n\n`);
    },
  };
}
