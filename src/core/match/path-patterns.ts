import type { PathNormaliser } from "../ports.ts";

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
