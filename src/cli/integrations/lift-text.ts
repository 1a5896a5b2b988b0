import type { Lift } from "../../adapters/integration.ts";
import { shortPath } from "../command-line/screen/text.ts";

/** `.claude/settings.json:3: what it can do. What to do about it.` */
export function liftText({ where, line, what, way_out }: Lift, cwd: string): string {
  const place = line === undefined ? where : `${shortPath(where, cwd)}:${line}`;
  return `${place}: ${what} ${way_out}${/[.!?]$/.test(way_out) ? "" : "."}`;
}
