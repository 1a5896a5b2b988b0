import { findsNoSecret } from "../../judge/secret-names.ts";
import type { FindReach, Invocation, Output, ProgramFamily } from "../program-row.ts";
import { has, pathsOrHere, reach, usesVariables, valuesOf } from "../row-parts.ts";

/** The arguments of a search after its pattern. */
function searched(invocation: Invocation): readonly string[] {
  return invocation.parsed.args.slice(has(invocation, "-e", "-f") ? 0 : 1);
}

/** The files of some folders whose names fit one of the globs; without globs all of them. */
function named(folders: readonly string[], globs: readonly string[]): readonly string[] {
  if (globs.length === 0) return folders;
  return folders.flatMap((folder) =>
    globs.map((glob) => `${folder}/${glob.startsWith("/") ? "" : "**/"}${glob.replace(/^\/|\/$/g, "")}`),
  );
}

const grepReach: FindReach = (invocation) => {
  const recursive =
    has(invocation, "-r") ||
    invocation.name === "rgrep" ||
    valuesOf(invocation.parsed, "-d").includes("recurse");
  if (!recursive) return [];
  const folders = pathsOrHere(invocation, searched(invocation));
  return reach("reads", named(folders, valuesOf(invocation.parsed, "--include")), {
    except: [
      ...valuesOf(invocation.parsed, "--exclude").map((glob) => ({ glob, of: "files" as const })),
      ...valuesOf(invocation.parsed, "--exclude-dir").map((glob) => ({ glob, of: "folders" as const })),
    ],
  });
};

/** `grep -rl text folder`: the names of some files there. */
const filesFound: Output = (_words, _input, parsed) => {
  if (!parsed.flags.includes("-l") || !parsed.flags.includes("-r")) return undefined;
  const folders = parsed.args.slice(parsed.flags.includes("-e") || parsed.flags.includes("-f") ? 0 : 1);
  const globs = valuesOf(parsed, "--include").map((glob) => `**/${glob}`);
  return (folders.length === 0 ? ["."] : folders)
    .flatMap((folder) => (globs.length === 0 ? ["**"] : globs).map((glob) => `${folder}/${glob}\n`))
    .join("");
};

/** Skips hidden and ignored files, unless options or settings say otherwise. */
const ripgrepReach: FindReach = (invocation) => {
  const { words, stdin } = invocation;
  const paths = searched(invocation);
  const piped = stdin.from.length > 0 || stdin.file !== undefined || (stdin.text ?? "") !== "";
  if (has(invocation, "--files", "--type-list", "--version") || (paths.length === 0 && piped)) return [];
  const globs = valuesOf(invocation.parsed, "-g");
  const typed = has(invocation, "-t", "--type") ? ["?*.?*"] : [];
  const wanted = [...globs.filter((glob) => !glob.startsWith("!")), ...typed];
  const all =
    words.some((word) => /^-[a-zA-Z]*u[a-zA-Z]*u/.test(word)) ||
    (has(invocation, "--hidden", "-.") && has(invocation, "--no-ignore", "-u"));
  return reach("reads", named(pathsOrHere(invocation, paths), wanted), {
    certain: all,
    except: wanted.length > 0 ? [] : globs.map((glob) => ({ glob: glob.slice(1), of: "both" })),
  });
};

export const SEARCH: ProgramFamily = {
  grep: {
    values: "-e -f -m -A -B -C -d --include --exclude --exclude-dir --directories --regexp --file",
    same: "-R=-r --recursive=-r --dereference-recursive=-r --directories=-d --regexp=-e --file=-f --quiet=-q --silent=-q --count=-c --files-with-matches=-l --files-without-match=-L",
    access: "- r*",
    optionAccess: { "-f": "r" },
    addAccess: (parsed, add, touches) => {
      const given = parsed.flags.includes("-e") || parsed.flags.includes("-f");
      if (given && parsed.args[0] !== undefined) add("r", parsed.args[0]);
      if (parsed.flags.includes("-r") && parsed.args.length === 1) add("r", ".");
      // It says how often, or whether, something is there.
      if (parsed.flags.some((flag) => /^-[qclL]$/.test(flag))) touches.uses.push(...touches.reads.splice(0));
      else if (findsNoSecret(parsed)) usesVariables(touches);
    },
    reach: grepReach,
    output: filesFound,
    traits: ["filters"],
  },
  rgrep: { reach: grepReach },
  "egrep fgrep zgrep": { like: "grep" },
  rg: {
    values: "-e -f -g -t -T -m -A -B -C -r --glob --type --regexp --file --replace --pre --hostname-bin",
    starts: "--pre --hostname-bin",
    same: "--regexp=-e --file=-f --glob=-g",
    access: "- r*",
    optionAccess: { "-f": "r" },
    reach: ripgrepReach,
    traits: ["filters"],
  },
  ag: { like: "rg" },
  ack: { access: "- r*", optionAccess: { "-f": "r" }, reach: ripgrepReach },
};
