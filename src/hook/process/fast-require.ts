import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import { checksum } from "../../node/checksum.ts";
import { makeFolders, tidy } from "../../node/files/folders.ts";
import { cacheFolder } from "../../node/user-folders.ts";

/*
 * Node 20 can't cache compiled code by itself, and compiling takes a third of the start. V8 checks neither the source,
 * beyond its length, nor the data. So a cache file holds the data twice, the source, and a digit for its edition, and
 * counts only when the source is ours and both copies agree. Comparing is faster than loading a module for a checksum.
 */

type Load = (id: string) => unknown;

/** The second process runs other functions than the first, which reads the configuration; so it adds what it ran. */
const LAST_EDITION = 2;
/** What is needed only now and then is added once a day. */
const RENEWED_MILLISECONDS = 24 * 60 * 60 * 1000;
/** What nothing renews any more belongs to another version of ours or of Node. */
const KEPT = { milliseconds: 7 * RENEWED_MILLISECONDS, bytes: 128 * 1024 * 1024 };

interface CachedCode {
  readonly data: Buffer;
  readonly edition: number;
  readonly old: boolean;
}

/**
 * A `require` for the built files of a folder that compiles each only once for this source and this Node.
 *
 * @param importModule imports a module of a package or of a hook.
 */
export function fastRequire(folder: string, importModule: (address: string) => Promise<unknown>): Load {
  const loaded = new Map<string, { exports: unknown }>();
  // Two installations of a user, of other versions perhaps, have files of the same names.
  const installation = `${process.version}-${process.arch}-${checksum(folder)}`;
  const loadFrom = (folder: string, id: string): unknown => {
    if (!id.startsWith("./")) return process.getBuiltinModule(id) ?? imported(id, importModule);
    const file = join(folder, id);
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module = {
      exports: {},
      /** What `import.meta.url` is in the sources. */
      get url() {
        return pathToFileURL(file).href;
      },
    };
    loaded.set(file, module);
    const itsFolder = dirname(file);
    try {
      compile(file, installation)(
        module.exports,
        (id: string) => loadFrom(itsFolder, id),
        module,
        file,
        itsFolder,
      );
    } catch (error) {
      // Nobody may take half of it for the whole.
      loaded.delete(file);
      throw error;
    }
    return module.exports;
  };
  return (id) => loadFrom(folder, id);
}

/**
 * Stands for a module of a package or of a hook. The built files wait for what they `import()`, of which esbuild copies the
 * properties first; so it may not be a promise, whose methods work on nothing else.
 */
function imported(address: string, importModule: (address: string) => Promise<unknown>): unknown {
  const then: PromiseLike<unknown>["then"] = (use, refuse) => importModule(address).then(use, refuse);
  return { __esModule: true, then };
}

/** What is written at the end, when the functions that ran are compiled too. */
const unwritten: (() => void)[] = [];

function writeAll(): void {
  for (const step of [...unwritten, () => tidy(codeFolder(), KEPT)])
    try {
      step();
    } catch {
      // Everything works without, only slower.
    }
}

function codeFolder(): string {
  return join(cacheFolder(), "code");
}

function compile(file: string, installation: string): (...scope: readonly unknown[]) => void {
  const source = readFileSync(file);
  const place = join(codeFolder(), `${installation}-${basename(dirname(file))}-${basename(file)}`);
  const cached = readCode(source, place);
  // Our files are built of ASCII, which is read quickest like this; each is one function.
  const script = new Script(source.toString("latin1"), {
    filename: file,
    ...(cached === undefined ? {} : { cachedData: cached.data }),
  });
  const edition = script.cachedDataRejected === true ? 0 : (cached?.edition ?? 0);
  if (edition < LAST_EDITION || cached?.old === true) {
    if (unwritten.length === 0) process.on("exit", writeAll);
    unwritten.push(() => writeCode(source, script.createCachedData(), edition + 1, place));
  }
  return script.runInThisContext();
}

function readCode(source: Buffer, place: string): CachedCode | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { uid, mode, mtimeMs } = fstatSync(descriptor);
    // Windows knows neither; the folder is the user's.
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const bytes = readFileSync(descriptor);
    const sourceAt = bytes.length - source.length - 1;
    const data = bytes.subarray(0, sourceAt / 2);
    if (sourceAt <= 0 || sourceAt % 2 !== 0 || !bytes.subarray(sourceAt, -1).equals(source)) return undefined;
    if (!bytes.subarray(sourceAt / 2, sourceAt).equals(data)) return undefined;
    const edition = Number(bytes.toString("latin1", bytes.length - 1));
    return { data, edition, old: Math.abs(Date.now() - mtimeMs) > RENEWED_MILLISECONDS };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function writeCode(source: Buffer, data: Buffer, edition: number, place: string): void {
  makeFolders(dirname(place));
  const written = `${place}.${process.pid}.tmp`;
  const digit = Buffer.from(String(Math.min(edition, LAST_EDITION)));
  writeFileSync(written, Buffer.concat([data, data, source, digit]), { mode: 0o600, flag: "wx" });
  renameSync(written, place);
}
