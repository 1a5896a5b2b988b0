import type { ShellReach } from "../analysis.ts";
import { joinPath } from "../behaviours/paths.ts";
import { foundBy } from "./find-paths.ts";
import { gitReaches } from "./git-reach.ts";
import type { Invocation } from "./invocation.ts";
import { excluded, pathsOrHere, reach, valuesOf } from "./reach-parts.ts";

type Reacher = (subject: Invocation) => readonly ShellReach[];

function has({ parsed }: Invocation, ...flags: readonly string[]): boolean {
  return parsed.flags.some((flag) => flags.includes(flag));
}

/** The arguments of a search behind its pattern. */
function searched(subject: Invocation): readonly string[] {
  return subject.parsed.args.slice(has(subject, "-e", "-f") ? 0 : 1);
}

/** The files of some folders whose names fit one of the globs; without globs all of them. */
function named(folders: readonly string[], globs: readonly string[]): readonly string[] {
  if (globs.length === 0) return folders;
  return folders.flatMap((folder) =>
    globs.map((glob) => `${folder}/${glob.startsWith("/") ? "" : "**/"}${glob.replace(/^\/|\/$/g, "")}`),
  );
}

const grep: Reacher = (subject) => {
  const recursive =
    has(subject, "-r") || subject.name === "rgrep" || valuesOf(subject, "-d").includes("recurse");
  if (!recursive) return [];
  const folders = pathsOrHere(subject, searched(subject));
  return reach("reads", named(folders, valuesOf(subject, "--include")), {
    except: [
      ...valuesOf(subject, "--exclude").map((glob) => ({ glob, of: "files" as const })),
      ...valuesOf(subject, "--exclude-dir").map((glob) => ({ glob, of: "folders" as const })),
    ],
  });
};

/** These leave out what is hidden or ignored, unless they were told otherwise here or in their settings. */
const ripgrep: Reacher = (subject) => {
  const { words, stdin } = subject;
  const paths = searched(subject);
  const piped = stdin.from.length > 0 || stdin.file !== undefined || (stdin.text ?? "") !== "";
  if (has(subject, "--files", "--type-list", "--version") || (paths.length === 0 && piped)) return [];
  const globs = valuesOf(subject, "-g");
  const typed = has(subject, "-t", "--type") ? ["?*.?*"] : [];
  const wanted = [...globs.filter((glob) => !glob.startsWith("!")), ...typed];
  const all =
    words.some((word) => /^-[a-zA-Z]*u[a-zA-Z]*u/.test(word)) ||
    (has(subject, "--hidden", "-.") && has(subject, "--no-ignore", "-u"));
  return reach("reads", named(pathsOrHere(subject, paths), wanted), {
    certain: all,
    except: wanted.length > 0 ? [] : globs.map((glob) => ({ glob: glob.slice(1), of: "both" })),
  });
};

const whenRecursive =
  (...flags: readonly string[]): Reacher =>
  (subject) =>
    has(subject, ...flags) ? reach("reads", subject.touches.reads, { except: excluded(subject) }) : [];

const deletes: Reacher = ({ touches }) => reach("writes", [...touches.deletes, ...touches.moves]);

const recursiveWrites: Reacher = (subject) =>
  has(subject, "-R", "-r") ? reach("writes", subject.touches.writes) : [];

/** What was moved can be read under its new name. */
const moves: Reacher = ({ touches }) => [...reach("reads", touches.moves), ...reach("writes", touches.moves)];

const tar: Reacher = (subject) => {
  const { parsed, touches, words } = subject;
  const [first = ""] = parsed.args;
  const bare =
    /^[A-Za-z]+$/.test(first) && !has(subject, ..."cxtruAd".split("").map((key) => `-${key}`)) ? first : "";
  const letters = `${bare}${parsed.flags.filter((flag) => flag.length === 2).join("")}`;
  const folder = valuesOf(subject, "-C");
  if (/[cru]/.test(letters)) {
    const listed = has(subject, "-T") ? reach("reads", pathsOrHere(subject, folder), { certain: false }) : [];
    const operand = parsed.args[bare === "" ? 0 : bare.includes("f") ? 2 : 1] ?? "";
    // What is left out behind the first folder is not left out of it.
    const late = words.slice(words.indexOf(operand)).some((word) => word.startsWith("--exclude"));
    const packed = reach("reads", touches.reads, { except: late ? [] : excluded(subject) });
    return [...packed, ...listed, ...reach("writes", touches.deletes)];
  }
  return /x/.test(letters) ? reach("writes", pathsOrHere(subject, folder), { certain: false }) : [];
};

const unzip: Reacher = (subject) =>
  has(subject, "-l", "-p", "-t", "-Z", "-v")
    ? []
    : reach("writes", pathsOrHere(subject, valuesOf(subject, "-d")), { certain: false });

/** Tests of `find` after which its words still tell every file it comes by. */
const PLAIN_TESTS = /^-(?:delete|i?name|print0?|depth|o|or)$/;

const find: Reacher = ({ parsed, words, folder }) => {
  if (!parsed.flags.includes("-delete")) return [];
  const paths = foundBy(words).map((path) => joinPath(folder, path));
  return reach("writes", paths, { certain: parsed.flags.every((flag) => PLAIN_TESTS.test(flag)) });
};

const rsync: Reacher = (subject) => [
  ...whenRecursive("-r", "-a")(subject),
  ...reach("writes", subject.touches.moves, { certain: false }),
];

/** It packs the files whose names it is told, or else those of the folders it is given. */
const pack: Reacher = (subject) =>
  has(subject, "-o", "-p", "-w", "--create", "--pass-through")
    ? reach("reads", pathsOrHere(subject, subject.parsed.args), { certain: false })
    : [];

/** Programs that go through folders, and how. */
export const REACH_TABLE: Readonly<Record<string, Reacher>> = {
  grep,
  rgrep: grep,
  rg: ripgrep,
  ack: ripgrep,
  git: gitReaches,
  tar,
  zip: (subject) => [...whenRecursive("-r", "-R")(subject), ...deletes(subject)],
  "7z": ({ parsed, touches }) => (parsed.args[0] === "a" ? reach("reads", touches.reads) : []),
  unzip,
  cpio: pack,
  pax: pack,
  patch: (subject) =>
    has(subject, "--dry-run") ? [] : reach("writes", pathsOrHere(subject, []), { certain: false }),
  cp: whenRecursive("-r", "-a"),
  scp: whenRecursive("-r"),
  diff: whenRecursive("-r", "--recursive"),
  rsync,
  docker: ({ parsed, touches }) =>
    parsed.args[0] === "cp" && parsed.args.at(-1)?.includes(":") === true
      ? reach("reads", touches.reads)
      : [],
  mv: moves,
  rename: moves,
  rm: (subject) => (has(subject, "-r") ? deletes(subject) : []),
  srm: (subject) => (has(subject, "-r", "-R") ? deletes(subject) : []),
  trash: deletes,
  rimraf: deletes,
  "del-cli": deletes,
  del: deletes,
  chmod: recursiveWrites,
  chown: recursiveWrites,
  chgrp: recursiveWrites,
  chattr: recursiveWrites,
  setfacl: recursiveWrites,
  find,
};
