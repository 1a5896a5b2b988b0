/** What a system can do; what stands where, and how words are quoted, is in `places.ts`. */
export interface System {
  /** One file is found by `.env` and by `.ENV`. */
  readonly ignoresCase: boolean;
  /** Files have modes that say who may read and write them. */
  readonly fileModes: boolean;
  /** A folder can be opened, so that its entries survive a power cut. */
  readonly opensFolders: boolean;
  /**
   * There is a POSIX shell in `/bin/sh`, with signals, `ps` and descriptors above 2: what starts programs shielded, and our
   * client, which asks the daemon in perl, stand on them.
   */
  readonly posixShell: boolean;
}

const POSIX: System = { ignoresCase: false, fileModes: true, opensFolders: true, posixShell: true };

/** By the name that Node has for it; one that is not in the table is like Linux. */
export function systemOf(platform: string): System {
  if (platform === "darwin") return { ...POSIX, ignoresCase: true };
  return platform === "win32"
    ? { ignoresCase: true, fileModes: false, opensFolders: false, posixShell: false }
    : POSIX;
}
