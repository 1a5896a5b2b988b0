import { isKnown, shown, unknownParts } from "./marked.ts";

/** A path as it is after `cd folder`. */
export function joinPath(folder: string, path: string): string {
  if (folder === "" || /^(?:[/~]|\uE000|[A-Za-z]:\\|[\w+.-]+:\/\/)/.test(path)) return path;
  return `${folder.replace(/\/+$/, "")}/${path.replace(/^(?:\.\/)+/, "")}`;
}

/** The path without `.`, doubled slashes and the `..` that can be resolved by reading. */
export function tidyPath(path: string): string {
  const absolute = path.startsWith("/");
  const out: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    const last = out.at(-1);
    if (segment === ".." && last !== undefined && last !== ".." && !/^[~$]|[*?]/.test(last)) out.pop();
    else if (segment !== ".." || !absolute || out.length > 0) out.push(segment);
  }
  const joined = out.join("/");
  if (absolute) return `/${joined}`;
  return joined === "" ? "." : joined;
}

const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm|var\/folders)\/./;

/** Folders and files that a build, a test run or a tool makes again by itself. */
const MADE_AGAIN = new RegExp(
  `^(?:${[
    "node_modules|Pods|_cacache|bower_components|jspm_packages|dist|build|out|target|output|outputs|obj|tmp|temp|\\.tmp|\\.temp|cache|caches|_cache",
    "\\.(?:next|nuxt|turbo|cache|parcel-cache|output|svelte-kit|vite|angular|astro|docusaurus|vercel|netlify|wrangler|expo|gradle|tox|nox|venv|eggs|terraform|serverless|aws-sam|stack-work|dart_tool|sass-cache|nyc_output|pytest_cache|mypy_cache|ruff_cache|ipynb_checkpoints|hypothesis|jest|yarn|pnpm-store|rpt2_cache|webpack|swc|eslintcache|stylelintcache|coverage|coverage\\..*|DS_Store|tsbuildinfo|build|dist|bundle)",
    "coverage|htmlcov|lcov-report|lcov\\.info|test-results|playwright-report|storybook-static|__pycache__|__snapshots__|venv|_build|_site|_deps|\\w*-?build|build-[\\w.-]*|dist-[\\w.-]*|cmake-build-[\\w*-]*|CMakeFiles|CMakeCache\\.txt|DerivedData|bazel-[\\w*-]*|elm-stuff|tmp[._-][\\w.*-]*|[\\w.*-]*\\.egg-info|[\\w.-]*-cache|npm-debug\\.log.*",
    "package-lock\\.json|yarn\\.lock|pnpm-lock\\.yaml|bun\\.lockb?|nohup\\.out|core|a\\.out|Thumbs\\.db",
    "[^/]*\\.(?:log|log\\.\\d+|tmp|temp|pyc|pyo|o|obj|class|swp|swo|orig|rej|tsbuildinfo|pid|lock|cache|gcda|gcno|out|map|tgz|min\\.js|d\\.ts\\.map|heapsnapshot|cpuprofile|prof|snap\\.new|[eE]rr)",
    "[^/]+~",
  ].join("|")})$`,
);

const KEPT_BY_THE_SYSTEM =
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|proc|sbin|sys|usr|System|Library|Applications|var\/(?:lib|log|spool|mail|backups))(?:\/|$)/;
const TEMPORARY_VARIABLE =
  /(?:TMP|TEMP|CACHE|BUILD|DIST|COVERAGE|ARTIFACT|SCRATCH|OUT(?:PUT)?_?(?:DIR|PATH)?$)/i;

/** True when losing the path costs no more than running a build or a tool again. */
export function isThrowAway(path: string): boolean {
  const text = tidyPath(shown(path));
  if (TEMPORARY.test(text)) return true;
  if (text === "/dev/null" || /^\/dev\/(?:stdout|stderr|stdin|tty|fd\/)/.test(text)) return true;
  if (KEPT_BY_THE_SYSTEM.test(text)) return false;
  if (!isKnown(path) && text === shown(path)) {
    const [only] = unknownParts(path);
    if (only === text && /^\$\{?\w+\}?$/.test(text)) return TEMPORARY_VARIABLE.test(text);
  }
  return (
    /(?:^|\/)vendor\/bundle(?:\/|$)/.test(text) || text.split("/").some((segment) => MADE_AGAIN.test(segment))
  );
}

/** True for a path that stands for a whole tree: the root, a home, the current folder, or everything in it. */
export function isWholeTree(path: string): boolean {
  const text = tidyPath(shown(path));
  return /^(?:\/|~|\.|\.\.(?:\/\.\.)*|~[\w-]*|\/(?:home|Users|root)(?:\/[^/]+)?)?(?:\/?(?:\*|\.\*|\*\*|\.\[!?.\]\*))?$/.test(
    text,
  );
}

/** True for a path outside of where the line started: absolute, in a home, or above. */
export function isOutside(path: string): boolean {
  const text = tidyPath(shown(path));
  return /^(?:[/~]|\.\.(?:\/|$)|[A-Za-z]:[\\/])/.test(text);
}
