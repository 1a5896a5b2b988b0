import { compilePathGlob } from "../../core/match/glob.ts";
import { expandHome } from "./paths.ts";
import type { RulePorts } from "./subject.ts";

/** The glob that a rule's pattern for paths stands for: `~` is the home, `dir/` is all that is in it. */
export function pathPattern(pattern: string, ports: RulePorts): string {
  const expanded = expandHome(pattern, ports.home);
  const whole = expanded.endsWith("/") && expanded !== "/" ? `${expanded}**` : expanded;
  return whole.startsWith("./") ? whole.slice(2) : whole;
}

/** A test for one spelling of a path. A pattern without a slash looks at the file name. */
export function compilePathPattern(
  pattern: string,
  ports: RulePorts,
  fold: boolean,
): (path: string) => boolean {
  const glob = pathPattern(pattern, ports);
  const fits = compilePathGlob(glob, fold);
  if (fold) return fits;
  const { prefix, suffix } = fixedEnds(glob);
  return (path) => path.startsWith(prefix) && path.endsWith(suffix) && fits(path);
}

/** What every path that fits a glob starts and ends with: cheaper to ask than the glob. */
function fixedEnds(glob: string): { readonly prefix: string; readonly suffix: string } {
  const special = /[*?[\]{}\\]/;
  const start = glob.search(special);
  if (start === -1) return { prefix: "", suffix: "" };
  const [suffix = ""] = /[^*?[\]{}\\]*$/.exec(glob) ?? [];
  return {
    // `a/**` also fits `a`, and `**/a` fits `a`. A glob without a slash says nothing about the folder.
    prefix: glob.includes("/") ? glob.slice(0, start).replace(/\/$/, "") : "",
    suffix: suffix.replace(/^\//, ""),
  };
}
