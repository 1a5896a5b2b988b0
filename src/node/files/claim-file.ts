import { linkSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { hasEnded, isOfEarlierBoot, type ProcessMark, thisProcess } from "../identity/process-identity.ts";
import { systemCode } from "../system-code.ts";

/*
 * A claim is a file that only one process can create. Its first line says which process that was, so that others can
 * tell whether it still runs; what comes after it is what the process left for them.
 */

/** When a claim whose process can't be seen from here, or that names none, counts as abandoned. */
const LOST_MILLISECONDS = 60_000;
/** How long `whileClaimed` waits, and how often it looks. */
const WAIT_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 15;

/** What one process holds and no other. */
export interface Claim {
  /**
   * Leaves a text for others, all of it at once. From then on the claim is nobody's to take over, whether this process
   * runs or not.
   *
   * @throws the file system's error.
   */
  write(text: string): void;
  /** Leaves the claim to the next one. */
  release(): void;
}

export interface Claimed {
  readonly holder: "alive" | "gone";
  /** What the holder has left. */
  readonly text?: string;
  /** When it was claimed, or the text was left, in milliseconds. */
  readonly time: number;
}

/**
 * Claims a file for this process; `undefined` when a living process has it, this one too, or an earlier one has left a
 * text in it. The claim of a process that has ended is taken over, by one of those that try.
 *
 * @param isOver whether a text that was left no longer counts. Default: it counts for as long as the file is there.
 * @throws the file system's error. The folder must be there.
 */
export function claimFile(file: string, isOver?: (left: Claimed) => boolean): Claim | undefined {
  // The time tells two claims of one process apart.
  const mark = JSON.stringify({ ...thisProcess(), at: String(process.hrtime.bigint()) });
  try {
    create(file, `${mark}\n`);
    return claimOf(file, mark);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
  const before = read(file);
  // It was released meanwhile: the next try gets it.
  if (before === undefined) return undefined;
  const isFree = before.text === undefined ? before.holder === "gone" : isOver?.(before) === true;
  return isFree ? takeOver(file, before.mark, mark) : undefined;
}

/** Who has claimed a file, and what was left in it. */
export function claimedBy(file: string): Claimed | undefined {
  const found = read(file);
  if (found === undefined) return undefined;
  const { mark: _, ...claimed } = found;
  return claimed;
}

/**
 * Runs `work` while this process has the claim; waits for it up to ten seconds.
 *
 * @throws Error when another process does not release it in time; what `work` throws.
 */
export async function whileClaimed<Result>(
  file: string,
  work: () => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const latest = performance.now() + WAIT_MILLISECONDS;
  for (;;) {
    const claim = claimFile(file);
    if (claim !== undefined) {
      try {
        return await work();
      } finally {
        claim.release();
      }
    }
    if (performance.now() > latest)
      throw new Error(`Another process holds ${file}. Remove it when none is running.`);
    await after(PAUSE_MILLISECONDS, undefined, { signal });
  }
}

interface Found extends Claimed {
  /** The first line, which no other claim has. */
  readonly mark: string;
}

function claimOf(file: string, mark: string): Claim {
  return {
    write: (text) => replace(file, `${mark}\n${text}`),
    release: () => {
      if (read(file)?.mark === mark) remove(file);
    },
  };
}

/**
 * Replaces an abandoned claim. Whoever does so holds a claim on that one claim, so no other process can have replaced it
 * between the look and the change.
 */
function takeOver(file: string, before: string, mark: string): Claim | undefined {
  const turn = claimFile(`${file}.turn`);
  if (turn === undefined) return undefined;
  try {
    if (read(file)?.mark !== before) return undefined;
    replace(file, `${mark}\n`);
    return claimOf(file, mark);
  } finally {
    turn.release();
  }
}

function read(file: string): Found | undefined {
  try {
    const text = readFileSync(file, "utf8");
    const time = statSync(file).mtimeMs;
    const end = text.indexOf("\n");
    const mark = text.slice(0, Math.max(end, 0));
    const left = text.slice(end + 1);
    const holder = isAlive(mark, time) ? "alive" : "gone";
    return { mark, holder, time, ...(mark === "" || left === "" ? {} : { text: left }) };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive(line: string, time: number): boolean {
  const mark = processIn(line);
  const ended = mark && (hasEnded(mark) ?? (isOfEarlierBoot(mark) ? true : undefined));
  return ended === undefined ? Math.abs(Date.now() - time) < LOST_MILLISECONDS : !ended;
}

/** `undefined` when the process was ended before it could write its mark. */
function processIn(line: string): ProcessMark | undefined {
  const mark = parseJson(line);
  if (!isRecord(mark)) return undefined;
  const { pid, host, machine, started } = mark;
  if (typeof pid !== "number" || typeof host !== "string" || typeof machine !== "string") return undefined;
  return { pid, host, machine, ...(typeof started === "string" ? { started } : {}) };
}

/** Others see no file or all of it: one that was killed on the way leaves no claim that nobody can tell the owner of. */
function create(file: string, text: string): void {
  const beside = writeBeside(file, text);
  try {
    linkSync(beside, file);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw error;
    // Some file systems have no links.
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
  } finally {
    remove(beside);
  }
}

/** Others see the old content or the new one. */
function replace(file: string, text: string): void {
  renameSync(writeBeside(file, text), file);
}

function writeBeside(file: string, text: string): string {
  const beside = `${file}.${process.pid}-${process.hrtime.bigint()}`;
  writeFileSync(beside, text, { flag: "wx", mode: 0o600 });
  return beside;
}

/** Without `rmSync`, for which Node loads more than for the rest of a claim. */
function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
