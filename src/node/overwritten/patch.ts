import { builtin } from "../builtin.ts";
import { regularText } from "../files/regular-file.ts";

const LARGEST = 10_000_000;
const LONGEST_NAME = 4_096;
const MOST_PARTS = 64;

/** The lines of a patch that name a file. `patch` takes off what the whole patch is indented by. */
const NAMES =
  /^[ \tX]*(?:(?:---|\+\+\+|\*\*\*|diff --git|rename (?:from|to|old|new)|copy to)[ \t]|Index:)[ \t]*(\S.*)$/gm;

/** The wanted files that a patch names. It may be applied with any number of leading folders taken off. */
export function changedByPatch(
  patch: { readonly path: string } | { readonly text: string },
  into: string,
  wanted: readonly string[],
): readonly string[] | undefined {
  const text = "text" in patch ? patch.text : regularText(patch.path, LARGEST);
  if (text === undefined) return undefined;
  const ways = new Set<string>();
  for (const [, name = ""] of text.matchAll(NAMES)) {
    const found = waysIn(name);
    if (found === undefined) return undefined;
    for (const way of found) ways.add(way);
  }
  const { join, relative, sep } = builtin.path;
  return wanted.flatMap((file) => {
    const wantedWay = relative(into, file).replaceAll(sep, "/");
    return [...ways]
      .filter((way) => wantedWay === "" || way === wantedWay || way.startsWith(`${wantedWay}/`))
      .map((way) => join(into, way));
  });
}

/** All paths that a line can mean: a name may have spaces, and another name or a date may follow it. */
function waysIn(line: string): readonly string[] | undefined {
  const name = line.replaceAll(/\/(?:\.?\/)+/g, "/").trimEnd();
  // A quoted name has escapes, which hide what it is.
  if (name.length > LONGEST_NAME || /^"|\\|[^./\s][^/\s]*\/\.\.(?:\/|$)/.test(name)) return undefined;
  const starts = [0, ...Array.from(name.matchAll(/[/\s]/g), ({ index }) => index + 1)];
  const ends = [...Array.from(name.matchAll(/\s/g), ({ index }) => index), name.length];
  if (starts.length > MOST_PARTS) return undefined;
  return starts.flatMap((start) => ends.filter((end) => end > start).map((end) => name.slice(start, end)));
}
