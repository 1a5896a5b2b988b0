import { compilePathGlob } from "../match/glob.ts";
import { anchoredPatterns, type PathNormaliser, withoutLeadingBraces } from "../match/paths.ts";
import { pathsOf } from "../match/tool-inputs.ts";
import type { Predicate } from "../ports.ts";

/** Paths match in any spelling: as written, resolved, and with links followed, on both sides; `dir/` is all that is in it. */
export function pathTest(given: readonly string[], system: PathNormaliser): Predicate {
  const patterns = given.flatMap(withoutLeadingBraces).map((pattern) => pattern.replace(/\/$/, "/**"));
  // Patterns have slashes, whatever the agent's system has.
  const paths: PathNormaliser = {
    spellings: (path, cwd) =>
      system
        .spellings(path, cwd)
        .flatMap((one) => (one.includes("\\") ? [one, one.replaceAll("\\", "/")] : one)),
  };
  const byName = patterns
    .filter((pattern) => !pattern.includes("/"))
    .map((pattern) => compilePathGlob(pattern));
  const byPath = patterns.filter((pattern) => pattern.includes("/"));
  const compiled = new Map<string, (path: string) => boolean>();
  const glob = (pattern: string): ((path: string) => boolean) => {
    let test = compiled.get(pattern);
    if (test === undefined) {
      if (compiled.size > 1000) compiled.clear();
      test = compilePathGlob(pattern);
      compiled.set(pattern, test);
    }
    return test;
  };
  for (const pattern of byPath) glob(pattern);
  return (event) => {
    for (const path of pathsOf(event)) {
      for (const spelling of paths.spellings(path, event.cwd)) {
        if (byName.some((test) => test(spelling))) return true;
        for (const pattern of byPath) {
          for (const anchored of anchoredPatterns(pattern, event.cwd, paths))
            if (glob(anchored)(spelling)) return true;
        }
      }
    }
    return false;
  };
}
