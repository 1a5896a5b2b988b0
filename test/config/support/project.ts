import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Config,
  ConfigError,
  grantTrust,
  type LoadOptions,
  loadConfig,
  reviewTrust,
  type TrustReview,
} from "tenterhook/config";
import { onTestFinished } from "vitest";

/** A folder with a project in it and places for the user's and the managed files. Gone when the test has ended. */
export interface Project {
  readonly root: string;
  readonly options: LoadOptions;
  /** Writes a file; its path starts at the folder that holds everything: `project/`, `user/tenterhook/`, `managed/`. */
  write(path: string, text: string | Uint8Array): string;
  path(path: string): string;
  /** Trusts everything as it is now; answers what was shown before. */
  trust(cwd?: string): Promise<TrustReview>;
  /** Loads the configuration with everything trusted. */
  load(cwd?: string): Promise<Config>;
  /** The code and message that loading throws, with the folder left out of the text. */
  refused(cwd?: string): Promise<readonly [code: string, message: string]>;
}

/** Makes a project from files; a path without a folder is one of `.tenterhook`. */
export function project(files: Readonly<Record<string, string>> = {}): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-config-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = (relative: string) => join(root, relative);
  const write = (relative: string, text: string | Uint8Array): string => {
    const file = path(relative.includes("/") ? relative : `project/.tenterhook/${relative}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  mkdirSync(path("project/.git"), { recursive: true });
  for (const [file, text] of Object.entries(files)) write(file, text);
  const options = {
    cwd: path("project"),
    environment: {
      XDG_CONFIG_HOME: path("user"),
      XDG_STATE_HOME: path("state"),
      XDG_CACHE_HOME: path("cache"),
    },
    managedFile: path("managed/hooks.yaml"),
  };
  const trust = async (cwd = options.cwd) => {
    const review = await reviewTrust({ ...options, cwd });
    await grantTrust(review, options);
    return review;
  };
  const load = async (cwd = options.cwd) => {
    await trust(cwd);
    return loadConfig({ ...options, cwd });
  };
  return {
    root,
    options,
    write,
    path,
    trust,
    load,
    async refused(cwd) {
      try {
        await load(cwd);
      } catch (error) {
        if (error instanceof ConfigError) return [error.code, error.message.replaceAll(`${root}/`, "")];
        throw error;
      }
      return ["loaded", ""];
    },
  };
}

/** A file with one inline hook for each name. */
export function hooksFile(...names: readonly string[]): string {
  const definitions = names.map((name) => ({
    name,
    type: "inline",
    matcher: { events: ["PreToolUse"] },
    rules: `command contains ${JSON.stringify(name)} -> deny("no")`,
  }));
  return JSON.stringify({ hooks: { definitions } }, null, 2);
}
