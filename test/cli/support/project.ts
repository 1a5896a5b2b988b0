import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import type { NativePayload } from "../../../src/adapters/adapter.ts";
import { readPayload } from "../../../src/adapters/read-payload.ts";
import { processHost } from "../../../src/hook/process/run-hook.ts";
import { eventually, processesWith } from "../../support/processes.ts";
import { shareCompiledCode } from "../../support/shared-code.ts";
import { type AtEnd, temporaryFolder } from "../../support/temporary-folder.ts";
import { trustProject } from "../../support/trust-project.ts";
import { hookHere } from "./decided-here.ts";
import { type CliResult, inPlace, runCli, startCli, userEnvironment } from "./run-cli.ts";

/** No agent reports what it does, so that `install` writes only what hooks need. */
export const UNWATCHED = { monitor: { watch: false } };

/** A project of a user of his own. */
export interface Project {
  readonly folder: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  write(path: string, content: string): string;
  /** Writes these hooks as its configuration, and trusts them. */
  configure(definitions: readonly object[], more?: object, sections?: object): Promise<void>;
  /** Runs `tenterhook …` in this process. */
  run(args: readonly string[]): Promise<CliResult>;
  /** Starts `tenterhook …` and waits for its end, with this on stdin. */
  start(args: readonly string[], input?: string | Uint8Array): Promise<CliResult>;
  /** Reads the configuration for a payload in this process, as if an earlier call had read it. */
  readConfig(payload: object): Promise<void>;
  /** Gives `tenterhook hook` a payload. */
  hook(payload: object): Promise<CliResult>;
  /** The lines of all journals. */
  journal(): readonly Readonly<Record<string, unknown>>[];
}

export interface ProjectOptions {
  /**
   * The configuration of each event was read before, in this process, as if an earlier call had read it. The program then
   * starts in a fifth of the time. For tests in which it does not matter how the configuration is found.
   */
  readonly cached?: boolean;
  /**
   * `hook` decides in the test's process what `tenterhook hook` decides in one of its own. For tests of what is decided:
   * how the program reads, writes and ends is tested on the program.
   */
  readonly decidesHere?: boolean;
  /** Its programs compile their code themselves, for tests of that. */
  readonly compiles?: boolean;
  /** When the project ends, if not with the test. */
  readonly atEnd?: AtEnd;
}

/** Makes a project that is gone when the test has ended. */
export function newProject({
  cached = false,
  decidesHere = false,
  compiles = false,
  atEnd = onTestFinished,
}: ProjectOptions = {}): Project {
  const folder = temporaryFolder(atEnd);
  // What runs on after its command has ended still writes there.
  atEnd(() => eventually(() => expect(processesWith(folder)).toEqual([])));
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const environment = userEnvironment(folder);
  const place = { cwd, environment };
  if (!compiles) shareCompiledCode(join(folder, "cache"));
  /** The events whose configuration was read since a file was last written. */
  const read = new Set<unknown>();
  const write = (path: string, content: string): string => {
    read.clear();
    const file = join(cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    // A script that says this already may be starting: written again, it would be empty for a moment.
    if (existsSync(file) && readFileSync(file, "utf8") === content) return file;
    writeFileSync(file, content, { mode: 0o755 });
    return file;
  };
  const start: Project["start"] = (args, input) => startCli(cwd, environment, args, input);
  const whole = (payload: object) => ({ session_id: "s1", cwd, tool_use_id: "t1", ...payload });
  const eventOf = (payload: object): unknown => Reflect.get(payload, "hook_event_name");
  const readConfig: Project["readConfig"] = async (payload) => {
    await inPlace(place, () => cacheConfig(whole(payload), environment));
    read.add(eventOf(payload));
  };
  return {
    folder,
    cwd,
    environment,
    write,
    run: (args) => runCli(cwd, environment, ...args),
    start,
    readConfig,
    configure: async (definitions, more = {}, sections = {}) => {
      write(".tenterhook/hooks.yaml", stringify({ hooks: { definitions, ...more }, ...sections }));
      await trustProject(cwd, environment);
    },
    hook: async (payload) => {
      const text = JSON.stringify(whole(payload));
      if (decidesHere) return hookHere(place, text);
      if (cached && !read.has(eventOf(payload))) await readConfig(payload);
      return start(["hook"], text);
    },
    journal: () => {
      const journals = join(folder, "state/tenterhook/journal");
      if (!existsSync(journals)) return [];
      return (
        readdirSync(journals)
          .filter((name) => name.endsWith(".jsonl"))
          // A line that is being written does not count.
          .flatMap((name) => readFileSync(join(journals, name), "utf8").split("\n").slice(0, -1))
          .map((line) => JSON.parse(line))
      );
    },
  };
}

/** Where the built program stores what it has compiled. */
export function codeFolder({ folder }: Project): string {
  return join(folder, "cache/tenterhook/code");
}

/** Stops the daemon of a project after the test. One that was started a moment ago may not be ready to be stopped. */
export function stopDaemonAfterTest({ run, folder }: Project): void {
  onTestFinished(() =>
    eventually(async () => {
      await run(["daemon", "stop"]);
      expect(processesWith(folder)).toEqual([]);
    }),
  );
}

/** Reads the configuration for a payload into the cache, with the folder and the variables of this process. */
async function cacheConfig(payload: NativePayload, environment: NodeJS.ProcessEnv): Promise<void> {
  const native = await readPayload(JSON.stringify(payload), environment, process.cwd());
  await processHost.findConfig(native, native.event.hook_event_name);
}

/**
 * The daemon of a project's user in a process of its own, until the test ends. What this process starts may act in the
 * user's name then; with a daemon in this process, it counts as started by the daemon.
 */
export async function daemonBeside(project: Project): Promise<{ close(): Promise<void> }> {
  stopDaemonAfterTest(project);
  expect(await project.run(["daemon", "start"])).toMatchObject({ code: 0 });
  return {
    close: async () => {
      await project.run(["daemon", "stop"]);
    },
  };
}

/** A call of the shell, as Claude Code tells of it. */
export function shellCall(command: string): object {
  return { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } };
}
