import { relative } from "node:path";
import { harmless } from "./screen/text.ts";

/** A line that GitHub shows at its place in a file. */
export function githubLine(
  level: "error" | "warning" | "notice",
  {
    file,
    line,
    column,
    message,
  }: {
    readonly file: string;
    readonly line?: number | undefined;
    readonly column?: number | undefined;
    readonly message: string;
  },
  cwd: string,
): string {
  const escaped = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const value = (text: string): string => escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const place = [
    `file=${value(relative(cwd, file))}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
  ];
  return `::${level} ${place.join(",")}::${escaped(harmless(message))}`;
}
