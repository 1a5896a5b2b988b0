import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { parse } from "yaml";
import { addDefinitions } from "../../../../config/edit/edits.ts";
import { loadConfigFile } from "../../../../config/load.ts";
import { type ConfigDefinition, ConfigError, loadConfig } from "../../../../config.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord } from "../../../../core/base/json.ts";
import type { Policy } from "../../../../monitor/dashboard/policy.ts";
import type { HookEdit, HookSource } from "../../../../monitor/dashboard/wire.ts";
import { makeFolders, nearestFolder } from "../../../../node/files/folders.ts";
import { ownProgram } from "../../../../node/own-program.ts";
import type { ReplayView } from "../../../../shared/replay.ts";
import { guardSentence } from "../../../configured-hooks/guard.ts";
import { placeOf, textAt, withTextAt } from "../../../configured-hooks/hook-text.ts";
import { mustStayInside, scopeFile } from "../../../configured-hooks/scope-files.ts";
import { setEnabled } from "../../../configured-hooks/set-enabled.ts";
import { hooksInForce } from "../../../configured-hooks/view.ts";
import { keepTrusted, writeChecked } from "../../../configured-hooks/write-checked.ts";

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;
const REPLAY_MILLISECONDS = 60_000;
const MOST_CHANGED = 2000;
const MOST_BYTES = 200_000_000;
const TRIED_DAYS = 30;

const EXAMPLE = `name: no-force-push
type: inline
matcher: { events: [PreToolUse] }
rules: |
  command runs "git push --force" -> deny("Use --force-with-lease on your own branch.")`;

/** What the dashboard asks about hooks: the configuration of the user who runs the daemon. */
export function policyOf(environment: NodeJS.ProcessEnv): Policy {
  const { signal } = new AbortController();
  const placeIn = (project: string) => ({ cwd: nearestFolder(project), environment, signal });

  /** The file and the definition that an edit is about. */
  const found = async (project: string, name: string | undefined) => {
    const place = placeIn(project);
    const { definitions, trust } = await loadConfig(place);
    const file = scopeFile("project", trust.root, environment);
    if (name === undefined) return { place, root: trust.root, file, definition: undefined };
    const definition = definitions.find((one) => one.name === name);
    if (definition === undefined)
      throw new TenterhookError("unknown_hook", `There is no hook ${JSON.stringify(name)} here.`);
    return { place, root: trust.root, file: definition.origin.file, definition };
  };

  const source = async (project: string, name: string | undefined): Promise<HookSource> => {
    const { file, definition } = await found(project, name);
    const whole = existsSync(file) ? readFileSync(file, "utf8") : "";
    const digest = digestOf(whole);
    if (definition === undefined) return { project, name: "", file, line: 1, text: EXAMPLE, digest };
    const { line } = definition.origin;
    const text = textAt(whole, placeOf(file, whole, line));
    const locked = lockOf(definition);
    return { project, name: definition.name, file, line, text, digest, ...(locked && { locked }) };
  };

  /** The file as it is and as it would be. @throws TenterhookError when it has changed since the page read it. */
  const edited = async ({ project, name, digest, text }: HookEdit) => {
    const { place, root, file, definition } = await found(project, name);
    const locked = definition && lockOf(definition);
    if (locked) throw new TenterhookError("write_failed", locked);
    const before = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (digestOf(before) !== digest)
      throw new TenterhookError("write_failed", `${file} has changed since this page read it.`, {
        hint: "Open the rule again.",
      });
    const after =
      definition === undefined
        ? addedTo(file, before, text)
        : withTextAt(before, placeOf(file, before, definition.origin.line), text);
    return { place, root, file, before, after, definition };
  };

  return {
    source,
    async hooks(project) {
      const place = placeIn(project);
      const since = new Date(Date.now() - WEEK_MILLISECONDS);
      const { hooks, judgement, stats } = await hooksInForce(place, since);
      const known = new Set(hooks.map(({ view }) => view.name));
      return {
        project,
        guard: guardSentence(judgement, place.cwd),
        hooks: hooks.map(({ view }) => view),
        others: [...stats.values()].filter(({ name }) => !known.has(name)),
      };
    },
    async tryEdit(edit, ending) {
      const { file, before, after, root } = await edited(edit);
      const isNew = before === "";
      // Beside the file, so that what it names is found; other names than those of configurations are not read.
      const folder = dirname(file);
      const trial = (text: string): string => {
        const path = join(folder, `.try-${randomBytes(6).toString("hex")}${extname(file)}`);
        makeFolders(folder, 0o777);
        writeFileSync(path, text, { mode: 0o600 });
        return path;
      };
      const files = [trial(after), trial(isNew ? "hooks: {}\n" : before)];
      try {
        const [changed = "", present = ""] = files;
        await loadConfigFile(changed, { environment, signal: ending }).catch((error: unknown) => {
          throw renamed(error, changed, file);
        });
        const days = ["--since", `${TRIED_DAYS}d`, "--project", root];
        return await replayed(["--config", changed, "--against", present, ...days], environment, ending);
      } finally {
        for (const path of files) rmSync(path, { force: true });
      }
    },
    async save(edit) {
      const { place, root, file, before, after, definition } = await edited(edit);
      if (definition?.origin.scope !== "user") mustStayInside(root, file);
      await keepTrusted(file, after, place, () => writeChecked({ file, before, after }, place));
      const { definitions } = await loadConfig(place);
      const line = definition?.origin.line;
      const now = definitions.findLast(
        ({ origin }) => origin.file === file && (line === undefined || origin.line === line),
      );
      return source(edit.project, now?.name);
    },
    async setEnabled(project, name, enabled) {
      await setEnabled({ ...placeIn(project), name, enabled });
    },
    replay: (project, days, ending) =>
      replayed(["--since", `${days}d`, "--project", nearestFolder(project)], environment, ending),
  };
}

/** Why a hook can't be changed here. */
function lockOf({ origin, pack, name }: ConfigDefinition): string | undefined {
  if (origin.scope === "managed") return `${name} is managed by ${origin.file} and can't be changed here.`;
  if (pack !== undefined)
    return `${name} comes with the pack ${pack}. Turn it off, or add a rule of your own.`;
  return undefined;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** @throws TenterhookError when the text is no definition. */
function addedTo(file: string, before: string, text: string): string {
  const definition: unknown = parse(text);
  if (!isRecord(definition)) throw new TenterhookError("config_invalid", "A hook is an object with a name.");
  return addDefinitions(file, before, [definition]);
}

/** A problem as it would be in the file itself. */
function renamed(error: unknown, trial: string, file: string): unknown {
  return error instanceof ConfigError
    ? new ConfigError(error.problems.map((one) => (one.file === trial ? { ...one, file } : one)))
    : error;
}

/** Runs `tenterhook replay` in a process of its own: the daemon decides calls meanwhile. */
async function replayed(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ReplayView> {
  const { file, args: own } = ownProgram("replay", "--json", "--all", ...args);
  const options = { env: environment, cwd: "/", signal, timeout: REPLAY_MILLISECONDS, maxBuffer: MOST_BYTES };
  const text = await new Promise<string>((resolve, reject) => {
    const child = execFile(file, [...own], options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const why = error.killed === true ? "It takes longer than a minute. Choose fewer days." : stderr.trim();
      return reject(new TenterhookError("usage_error", why === "" ? error.message : why));
    });
    child.stdin?.end();
  });
  const found: ReplayView = JSON.parse(text);
  // The newest.
  const changed = found.changed.slice(-MOST_CHANGED);
  return { ...found, changed, left_out: found.left_out + found.changed.length - changed.length };
}
