import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { stringify } from "yaml";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { CLI, runCli, userEnvironment } from "./run-cli.ts";

/** What a program said, with what it wrote as data. */
export interface Said {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project of a user of his own. */
export interface Project {
  readonly folder: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  write(path: string, content: string): string;
  /** Writes these hooks as its configuration, and trusts them. */
  configure(definitions: readonly object[], more?: object): Promise<void>;
  /** Runs `tenterhook …` to its end, with this on stdin. */
  run(args: readonly string[], input?: string): Promise<Said>;
  /** Gives `tenterhook hook` a payload. */
  hook(payload: object): Promise<Said>;
  /** The lines of all journals. */
  journal(): readonly Readonly<Record<string, unknown>>[];
}

/** Makes a project that is gone when the test has ended. */
export function newProject(): Project {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const environment = userEnvironment(folder);
  const write = (path: string, content: string): string => {
    const file = join(cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: 0o755 });
    return file;
  };
  const run: Project["run"] = async (args, input = "") => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd, env: environment });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code, stdout, stderr };
  };
  return {
    folder,
    cwd,
    environment,
    write,
    run,
    configure: async (definitions, more = {}) => {
      write(".tenterhook/hooks.yaml", stringify({ hooks: { definitions, ...more } }));
      const { code, stderr } = await runCli(cwd, environment, "trust", "--yes");
      if (code !== 0) throw new Error(stderr);
    },
    hook: (payload) =>
      run(["hook"], JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...payload })),
    journal: () => {
      const journals = join(folder, "state/tenterhook/journal");
      return readdirSync(journals)
        .filter((name) => name.endsWith(".jsonl"))
        .flatMap((name) => readFileSync(join(journals, name), "utf8").trim().split("\n"))
        .map((line) => JSON.parse(line));
    },
  };
}

/** A call of the shell, as Claude Code tells of it. */
export function shellCall(command: string): object {
  return { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } };
}
