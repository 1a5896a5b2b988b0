import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { cacheFolder } from "../../node/cache-folder.ts";

type Load = (id: string) => unknown;

/** Beside the data of the compiler: how long the source is. */
const LENGTH_DIGITS = 12;

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
  const kept = join(cacheFolder(), `code-${process.version}-${process.arch}-${nameOf(file)}`);
  const cachedData = dataFor(bytes, kept);
  // Our files are built of ASCII, which is read quickest like this; each is one function.
  const script = new Script(bytes.toString("latin1"), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  // At the end, when the functions that were needed are compiled too.
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.on("exit", () => keep(bytes, script.createCachedData(), kept));
  return script.runInThisContext();
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

/** What was kept for this source: the source itself, then twice the data. */
function dataFor(source: Buffer, kept: string): Buffer | undefined {
  let open: number | undefined;
  try {
    open = openSync(kept, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { uid, mode } = fstatSync(open);
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return undefined;
    const bytes = readFileSync(open);
    const length = Number(bytes.toString("latin1", 0, LENGTH_DIGITS));
    const from = LENGTH_DIGITS + length;
    const half = from + (bytes.length - from) / 2;
    if (length !== source.length || !Number.isInteger(half)) return undefined;
    if (!bytes.subarray(LENGTH_DIGITS, from).equals(source)) return undefined;
    const data = bytes.subarray(from, half);
    return data.equals(bytes.subarray(half)) ? data : undefined;
  } catch {
    return undefined;
  } finally {
    if (open !== undefined) closeSync(open);
  }
}

function keep(source: Buffer, data: Buffer, kept: string): void {
  try {
    mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
    const length = String(source.length).padStart(LENGTH_DIGITS, "0");
    const written = `${kept}.${process.pid}.tmp`;
    writeFileSync(written, Buffer.concat([Buffer.from(length), source, data, data]), {
      mode: 0o600,
      flag: "wx",
    });
    renameSync(written, kept);
  } catch {
    // Everything works without, only slower.
  }
}
