import { compilePathGlob } from "../../core/match/glob.ts";
import { resolvePath } from "../../core/match/paths.ts";
import { filesOfPatch, isPathField, namedFiles, plainName } from "../../core/match/tool-inputs.ts";
import { type FieldPath, readPath } from "./field-path.ts";
import { type JudgedEvent, type RuleEvent, type RulePorts, rememberedFor } from "./judged-event.ts";
import { toolOf } from "./shell-text.ts";

/** Names of fields that hold a path which no tool touches, as {@link plainName} spells them. */
const FOLDER_FIELDS: ReadonlySet<string> = new Set([
  "cwd",
  "transcriptpath",
  "storagepath",
  "workdir",
  "workingdirectory",
]);

/** True for a field name known to hold a path, so that a glob on it is one for paths. */
export function isPathLike(name: string | number | undefined): boolean {
  return typeof name === "string" && (isPathField(name) || FOLDER_FIELDS.has(plainName(name)));
}

const identities = rememberedFor<readonly (readonly string[])[]>();
const roots = rememberedFor<readonly string[]>();

/**
 * The files a path may mean, each with its spellings. The first is the path read as text, the others, when links
 * make it another, the ones the file system sees. Spellings: absolute, and relative to the event's cwd.
 */
export function pathIdentities(subject: JudgedEvent, path: string): readonly (readonly string[])[] {
  return identities(subject, path, () => {
    const cwd = cwdOf(subject);
    const lexical = lexicalPath(path, cwd, subject.ports);
    const real = (name: string) => subject.ports.normalisePath(name, cwd).replaceAll("\\", "/");
    // Programs that resolve `..` by text open another file than those that leave it to the system.
    const names = new Set([lexical, ...(path.includes("..") ? [real(lexical)] : []), real(path)]);
    return [...names].map((name) => spellings(name, rootsOf(subject)));
  });
}

/** Absolute, with `.`, `..`, doubled slashes and `~` resolved by text alone. */
function lexicalPath(path: string, cwd: string, ports: Pick<RulePorts, "home">): string {
  return resolvePath(expandHome(path.replaceAll("\\", "/"), ports), cwd);
}

/** A path in which a leading `~` is the home. */
function expandHome(path: string, ports: Pick<RulePorts, "home">): string {
  if (path !== "~" && !path.startsWith("~/")) return path;
  return ports.home === undefined ? path : `${ports.home}${path.slice(1)}`;
}

/** The event's folder; only the system knows where one begins that is not absolute. */
export function cwdOf({ event, ports }: JudgedEvent): string {
  const cwd = readPath(event, ["cwd"]);
  if (typeof cwd !== "string" || cwd === "") return "/";
  return /^(?:[/\\]|[A-Za-z]:)/.test(cwd) ? cwd : ports.normalisePath(".", cwd);
}

function rootsOf(subject: JudgedEvent): readonly string[] {
  return roots(subject, "", () => {
    const cwd = cwdOf(subject);
    return [...new Set([lexicalPath(cwd, "/", {}), subject.ports.normalisePath(cwd, "/")])];
  });
}

function spellings(path: string, roots: readonly string[]): readonly string[] {
  const relative = roots.flatMap((root) => {
    const prefix = root.endsWith("/") ? root : `${root}/`;
    if (path === root) return ["."];
    return path.startsWith(prefix) ? [path.slice(prefix.length)] : [];
  });
  return [path, ...new Set(relative)];
}

/** The files a call names, as written: of a tool's input, of a patch, or of the event itself. */
export function filesOf(subject: JudgedEvent): readonly string[] {
  const tool = toolOf(subject.event);
  if (tool === "Bash") return [];
  const input = readPath(subject.event, ["tool_input"]);
  if (tool === "ApplyPatch") return filesOfPatch(input).map((file) => file.path);
  return namedFiles(input === undefined ? subject.event : input).map((file) => file.path);
}

/** Where the first of these files is named, when a field holds it and nothing else. */
export function fileFieldOf(event: RuleEvent): FieldPath | undefined {
  if (toolOf(event) === "Bash") return undefined;
  const input = readPath(event, ["tool_input"]);
  const [first] = namedFiles(input === undefined ? event : input);
  if (first === undefined) return undefined;
  return input === undefined ? first.field : ["tool_input", ...first.field];
}

/** The glob that a pattern of a rule means: `~` is the home folder, `dir/` is everything in it. */
export function pathPattern(pattern: string, ports: RulePorts): string {
  const expanded = expandHome(pattern, ports);
  const whole = expanded.endsWith("/") && expanded !== "/" ? `${expanded}**` : expanded;
  return whole.startsWith("./") ? whole.slice(2) : whole;
}

/**
 * A test for one spelling of a path. A pattern without a slash looks at the file name.
 *
 * @throws TenterhookError `bad_pattern`.
 */
export function compilePathPattern(
  pattern: string,
  ports: RulePorts,
  fold: boolean,
): (path: string) => boolean {
  return compilePathGlob(pathPattern(pattern, ports), fold);
}
