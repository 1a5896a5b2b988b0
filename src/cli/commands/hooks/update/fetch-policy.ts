import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import type { PolicyAddress } from "../../../../config/policy/address.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord, parseJson } from "../../../../core/base/json.ts";
import { regularText } from "../../../../node/files/regular-file.ts";
import { startDeadline } from "../../../../node/process/deadline.ts";
import { runProgram } from "../../../../node/process/run-program.ts";
import type { Invocation } from "../../../command-line/command.ts";

const MOST_SECONDS = 120;
const MOST_OUTPUT_BYTES = 1_000_000;

/** The files of a policy in a temporary folder. */
export interface FetchedPolicy {
  readonly folder: string;
  /** The commit, or the version. */
  readonly resolved: string;
}

/**
 * Fetches a policy and gives its files to `use`; they are gone afterwards. No code of it is run.
 *
 * @throws TenterhookError `policy_unavailable` when it can't be fetched.
 */
export async function withFetched<Result>(
  address: PolicyAddress,
  place: Pick<Invocation, "environment" | "signal">,
  use: (fetched: FetchedPolicy) => Promise<Result>,
): Promise<Result> {
  const scratch = mkdtempSync(join(tmpdir(), "tenterhook-policy-"));
  try {
    const run = programIn(scratch, address, place);
    return await use(
      address.kind === "git" ? await fromGit(address, run, scratch) : await fromNpm(address, run, scratch),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Run = (file: string, ...args: readonly string[]) => Promise<string>;

/** Runs a program in the scratch folder, and answers what it prints. */
function programIn(
  cwd: string,
  { text }: PolicyAddress,
  { environment, signal }: Pick<Invocation, "environment" | "signal">,
): Run {
  return async (file, ...args) => {
    const deadline = startDeadline(signal, MOST_SECONDS * 1000);
    const fail = (why: string): never => {
      throw new TenterhookError("policy_unavailable", `${text} can't be fetched: ${why.trim()}`);
    };
    try {
      const { exit_code, stdout, stderr, aborted } = await runProgram({
        file,
        args: [...args],
        cwd,
        // Nobody is asked for a password: the agent of ssh, or a credential helper, has it.
        environment: { ...environment, GIT_TERMINAL_PROMPT: "0", GIT_LFS_SKIP_SMUDGE: "1" },
        signal: deadline.signal,
        maxOutputBytes: MOST_OUTPUT_BYTES,
      });
      signal.throwIfAborted();
      if (aborted) return fail(`${file} gave no answer within ${MOST_SECONDS} s.`);
      if (exit_code !== 0) return fail(stderr.toString());
      return stdout.toString();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TenterhookError) throw error;
      return fail(errorMessage(error));
    } finally {
      deadline.end();
    }
  };
}

async function fromGit(
  { url, revision }: Extract<PolicyAddress, { kind: "git" }>,
  run: Run,
  scratch: string,
): Promise<FetchedPolicy> {
  const safe = ["core.hooksPath=/dev/null", "core.autocrlf=false", "protocol.ext.allow=never"];
  const git: Run = (...args) => run("git", ...safe.flatMap((one) => ["-c", one]), ...args);
  await git("init", "--quiet", "--template=", "fetched");
  await git("-C", "fetched", "fetch", "--quiet", "--depth=1", "--no-tags", "--", url, revision);
  await git("-C", "fetched", "checkout", "--quiet", "--detach", "FETCH_HEAD");
  const resolved = (await git("-C", "fetched", "rev-parse", "HEAD")).trim();
  const folder = join(scratch, "fetched");
  rmSync(join(folder, ".git"), { recursive: true, force: true });
  return { folder, resolved };
}

async function fromNpm(
  { name, version }: Extract<PolicyAddress, { kind: "npm" }>,
  run: Run,
  scratch: string,
): Promise<FetchedPolicy> {
  const quiet = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-save",
    "--omit=dev",
    "--loglevel=error",
  ];
  await run("npm", "install", ...quiet, "--prefix", scratch, `${name}@${version}`);
  const installed = join(scratch, "node_modules", name);
  const folder = join(scratch, "fetched");
  // A policy is its own files. What it depends on would not be pinned.
  cpSync(installed, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.startsWith(join(installed, "node_modules") + sep),
  });
  const manifest = parseJson(regularText(join(folder, "package.json"), MOST_OUTPUT_BYTES) ?? "");
  return { folder, resolved: isRecord(manifest) ? String(manifest.version) : version };
}
