/** Paths, as matchers need them. */
export interface PathNormaliser {
  /**
   * Every absolute spelling of a path that means the same file: `~`, `.` and `..` resolved, and symbolic links
   * followed where they exist. The first is the one without following links, the last is where it leads.
   */
  spellings(path: string, cwd: string): readonly string[];
}

const DRIVE = /^[A-Za-z]:[\\/]/;

/** An absolute path with `.` and `..` resolved by its text alone; `\` counts as `/` after a drive letter. */
export function resolvePath(path: string, cwd: string): string {
  const whole = path.startsWith("/") || DRIVE.test(path) ? path : `${cwd}/${path}`;
  const drive = DRIVE.test(whole);
  const absolute = drive ? whole.replaceAll("\\", "/") : whole;
  const parts: string[] = [];
  for (const part of absolute.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return drive ? parts.join("/") : `/${parts.join("/")}`;
}

/** Paths without a file system: nothing is known of links or homes. */
export const lexicalPaths: PathNormaliser = {
  spellings: (path, cwd) => [resolvePath(path, cwd)],
};

/** A pattern starts at the root, at the home, at any depth (`**`), or at the working folder; its fixed part may be a link. */
export function anchoredPatterns(pattern: string, cwd: string, paths: PathNormaliser): readonly string[] {
  if (pattern.startsWith("**")) return [pattern];
  const wild = pattern.search(/[*?[{\\]/);
  const fixedEnd = wild === -1 ? pattern.length : pattern.lastIndexOf("/", wild) + 1;
  const rest = pattern.slice(fixedEnd);
  return paths
    .spellings(pattern.slice(0, fixedEnd), cwd)
    .map((fixed) => (rest === "" ? escapeGlob(fixed) : `${escapeGlob(fixed === "/" ? "" : fixed)}/${rest}`));
}

/** `{/etc,/usr}/**` starts at the root in two ways: each alternative is anchored by itself. */
export function withoutLeadingBraces(pattern: string): readonly string[] {
  const [whole, alternatives] = /^\{([^{}]*)\}/.exec(pattern) ?? [];
  if (whole === undefined || alternatives === undefined) return [pattern];
  return alternatives.split(",").map((start) => start + pattern.slice(whole.length));
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}\\]/g, "\\$&");
}
