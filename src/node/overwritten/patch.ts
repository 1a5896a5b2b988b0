import { builtin } from "../builtin.ts";
import { regularText } from "../files/regular-file.ts";

const LARGEST = 10_000_000;

/** The lines of a patch that name a file. */
const NAMES = /^(?:---|\+\+\+|\*\*\*|diff --git|Index:|rename (?:from|to)|copy to) +(.+?)[ \t\r]*$/gm;

/** The wanted files that a patch names. It may be applied with any number of leading folders taken off. */
export function changedByPatch(
  patch: { readonly path: string } | { readonly text: string },
  into: string,
  wanted: readonly string[],
): readonly string[] | undefined {
  const text = "text" in patch ? patch.text : regularText(patch.path, LARGEST);
  if (text === undefined) return undefined;
  const names = Array.from(text.matchAll(NAMES), ([, name = ""]) => name);
  // A quoted name has escapes, which hide what it is.
  if (names.some((name) => /^"|\\/.test(name))) return undefined;
  const named = `\n${names.map((name) => name.split("\t")[0]).join("\n")}\n`.replaceAll(" ", "\n");
  return wanted.filter((file) => {
    const { relative, sep } = builtin.path;
    const way = relative(into, file).replaceAll(sep, "/");
    return ["/", "\n"].some(
      (before) => named.includes(`${before}${way}\n`) || named.includes(`${before}${way}/`),
    );
  });
}
