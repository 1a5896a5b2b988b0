import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { grantTrust, reviewTrust } from "../../../../config.ts";
import { TURN_FILES, WORKSPACE_FILES, type WorkspaceFile } from "./workspace-files.ts";

export interface Scratch {
  readonly root: string;
  readonly workspace: string;
  /** The demo's `~`. */
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Does not exist, so that the demo is the same on every machine. */
  readonly managedFile: string;
  /** Adds a program that runs around each turn. */
  addTurnProgram(): Promise<void>;
  remove(): void;
}

/**
 * Creates a temporary workspace with its own home, state, configuration and cache, so that nothing of the user is read
 * or changed. Its files are trusted there. Removed when the process ends, unless `keep` is set.
 */
export async function makeScratch(
  { PATH = "", ...environment }: NodeJS.ProcessEnv,
  { keep, signal }: { readonly keep: boolean; readonly signal: AbortSignal },
): Promise<Scratch> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-demo-")));
  const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  if (!keep) process.once("exit", remove);
  const [workspace, home] = [join(root, "workspace"), join(root, "home")];
  for (const folder of [join(workspace, ".git"), home]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, "years-of-work.txt"), "irreplaceable\n");
  const add = async (files: readonly WorkspaceFile[]): Promise<void> => {
    for (const { path, text, executable } of files) {
      const file = join(workspace, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: executable === true ? 0o755 : 0o644 });
    }
    const { environment: own, managedFile } = scratch;
    const review = await reviewTrust({ cwd: workspace, environment: own, managedFile, signal });
    await grantTrust(review, { environment: own });
  };
  const scratch: Scratch = {
    root,
    workspace,
    home,
    managedFile: join(root, "managed.yaml"),
    environment: {
      ...environment,
      // The programs of the demo run with this node.
      PATH: `${dirname(process.execPath)}${delimiter}${PATH}`,
      HOME: home,
      XDG_STATE_HOME: join(root, "state"),
      XDG_CONFIG_HOME: join(root, "config"),
      XDG_CACHE_HOME: join(root, "cache"),
    },
    addTurnProgram: () => add(TURN_FILES),
    remove: () => {
      process.off("exit", remove);
      remove();
    },
  };
  await add(WORKSPACE_FILES);
  return scratch;
}
