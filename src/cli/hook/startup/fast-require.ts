import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { makeFolders } from "../../../node/files/make-folders.ts";
import { hasBytes } from "../../../node/files/same-bytes.ts";
import { cacheFolder } from "../../../node/user-folders.ts";

type Load = (id: string) => unknown;

/** Before the source and the data of the compiler: how long the source is, and which edition this is. */
const LENGTH_DIGITS = 12;
const HEAD_BYTES = LENGTH_DIGITS + 1;

/**
 * The first process that a file is loaded in has most to do that the next ones need not, and less of what these do: what the
 * second one ran is kept too. What is needed only now and then is added once a day.
 */
const SETTLED = 2;
const RENEWED_MILLISECONDS = 24 * 60 * 60 * 1000;

/** What the compiler made of a file. */
interface Kept {
  readonly data: Buffer;
  readonly edition: number;
  /** It has been there for a day. */
  readonly old: boolean;
}

/**
 * A `require` that compiles our own files of a folder only once: what the compiler made of them, the functions that ran
 * included, is kept in the user's cache, which takes a third off the start. What is kept counts only for exactly the
 * same source and the same Node, when it is whole (it is there twice) and nobody else can have written it.
 *
 * @param importRest imports the one file of them that is a module; a `require` of it answers the promise.
 */
export function fastRequire(folder: string, importRest: () => Promise<unknown>): Load {
  const loaded = new Map<string, { exports: unknown }>();
  const load: Load = (id) => {
    if (!id.startsWith("./")) return process.getBuiltinModule(id);
    if (!id.endsWith(".cjs")) return importRest();
    const known = loaded.get(id);
    if (known !== undefined) return known.exports;
    const module: { exports: unknown } = { exports: {} };
    loaded.set(id, module);
    const file = join(folder, id);
    compiled(file)(module.exports, load, module, file, folder);
    return module.exports;
  };
  return load;
}

type Wrapper = (...scope: readonly unknown[]) => void;

function compiled(file: string): Wrapper {
  const bytes = readFileSync(file);
  const place = join(cacheFolder(), `code-${process.version}-${process.arch}-${nameOf(file)}`);
  const kept = keptFor(bytes, place);
  // Our files are built of ASCII, which is read quickest like this; each is one function.
  const script = new Script(bytes.toString("latin1"), {
    filename: file,
    ...(kept === undefined ? {} : { cachedData: kept.data }),
  });
  const edition = script.cachedDataRejected === true ? 0 : (kept?.edition ?? 0);
  // At the end, when the functions that were needed are compiled too.
  if (edition < SETTLED || kept?.old === true)
    process.on("exit", () => keep(bytes, script.createCachedData(), edition + 1, place));
  return script.runInThisContext();
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

/** What was kept for this source: the source itself, then twice the data. */
function keptFor(source: Buffer, place: string): Kept | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { uid, mode, mtimeMs, size } = fstatSync(descriptor);
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return undefined;
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    readSync(descriptor, head, 0, HEAD_BYTES, 0);
    const length = Number(head.toString("latin1", 0, LENGTH_DIGITS));
    const edition = Number(head.toString("latin1", LENGTH_DIGITS));
    const from = HEAD_BYTES + length;
    const half = (size - from) / 2;
    if (length !== source.length || !Number.isInteger(half) || half <= 0) return undefined;
    if (!hasBytes({ descriptor, from: HEAD_BYTES }, source)) return undefined;
    const data = Buffer.allocUnsafeSlow(half);
    if (readSync(descriptor, data, 0, half, from) !== half) return undefined;
    if (!hasBytes({ descriptor, from: from + half }, data)) return undefined;
    return { data, edition, old: Math.abs(Date.now() - mtimeMs) > RENEWED_MILLISECONDS };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function keep(source: Buffer, data: Buffer, edition: number, place: string): void {
  try {
    makeFolders(cacheFolder());
    const head = `${String(source.length).padStart(LENGTH_DIGITS, "0")}${Math.min(edition, SETTLED)}`;
    const written = `${place}.${process.pid}.tmp`;
    writeFileSync(written, Buffer.concat([Buffer.from(head), source, data, data]), {
      mode: 0o600,
      flag: "wx",
    });
    renameSync(written, place);
  } catch {
    // Everything works without, only slower.
  }
}
