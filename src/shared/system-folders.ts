// The folders of a machine, from its root. Rules, the shell analysis and trust read them from here.

/** What the system is made of. */
export const SYSTEM_FOLDERS: readonly string[] =
  "bin boot dev etc lib lib32 lib64 proc sbin sys usr System".split(" ");

/** What belongs to users and services. */
export const DATA_FOLDERS: readonly string[] = "home opt root srv var Users Library Applications".split(" ");

/** Where programs are installed that change with updates, as expressions. Anybody can write files into `/dev/shm`. */
export const INSTALLED_FOLDERS: readonly string[] =
  "bin sbin usr lib lib32 lib64 opt nix snap dev(?!/shm/) proc sys System Library Applications".split(" ");

/** Where the programs of a system are; a program of the same name elsewhere may be anything. */
export const PROGRAM_FOLDERS: readonly string[] = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/opt/homebrew/bin",
];

/** An expression for a path in one of the folders, or such a folder itself. */
export function belowRoot(folders: readonly string[]): RegExp {
  return new RegExp(`^/(?:${folders.join("|")})(?:/|$)`);
}
