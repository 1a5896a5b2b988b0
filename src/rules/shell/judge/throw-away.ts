import { belowRoot, SYSTEM_FOLDERS } from "../../../shared/system-folders.ts";
import { tidyPath } from "../words/paths.ts";
import { isKnown, shown, unknownParts } from "../words/text.ts";

/** Folders that only tools write, wherever they are. */
const TOOL_FOLDERS = [
  "node_modules|bower_components|jspm_packages|Pods|_cacache|DerivedData|elm-stuff|CMakeFiles|storybook-static",
  "__snapshots__|__generated__|generated|__pycache__|htmlcov|lcov-report|test-results|test-output|playwright-report|dist|_build|_site|_deps|venv|[\\w.*-]*\\.egg-info",
  "\\.(?:npm|next|nuxt|turbo|cache|parcel-cache|output|svelte-kit|vite|angular|astro|docusaurus|vercel|netlify|wrangler|expo)",
  "\\.(?:gradle|tox|nox|venv|eggs|terraform|serverless|aws-sam|stack-work|dart_tool|sass-cache|nyc_output|pytest_cache)",
  "\\.(?:mypy_cache|ruff_cache|ipynb_checkpoints|hypothesis|jest|pnpm-store|rpt2_cache|webpack|swc|build|dist|bundle|tmp|temp)",
  "dist-(?:cjs|esm|types|test|web|ssr|server|electron)|build-(?:\\d[\\w.*-]*|debug|release|test|web|ios|android)",
  "cmake-build-[\\w*-]*|bazel-[\\w*-]*|[\\w.-]*-cache|tmp[._-][\\w.*-]*",
];

/** Names for output that a folder of sources may have too. */
const OUTPUT_FOLDERS =
  "build|out|target|output|outputs|obj|tmp|temp|cache|caches|Caches|_cache|coverage|[\\w-]+-build";

/** Files that a tool makes again by itself. */
const TOOL_FILES = [
  "package-lock\\.json|yarn\\.lock|pnpm-lock\\.yaml|bun\\.lockb?|nohup\\.out|a\\.out|Thumbs\\.db|\\.DS_Store|lcov\\.info",
  "CMakeCache\\.txt|npm-debug\\.log.*|\\.(?:eslintcache|stylelintcache|coverage|coverage\\..*|tsbuildinfo)",
  "[^/]*\\.(?:log|log\\.\\d+|tmp|temp|pyc|pyo|o|obj|class|swp|swo|orig|rej|tsbuildinfo|pid|lock|gcda|gcno|map|out)",
  "[^/]*\\.(?:heapsnapshot|cpuprofile|prof|snap|snap\\.new)|[^/]+~",
];

/** What `sed -i.bak` leaves behind, and packed packages. A copy of data is a backup. */
const LEFT_COPY =
  /^(?!.*(?:\b(?:bak|db|data|database|dump|prod|production)\b.|backup|sqlite|\.sql|\.env)).*\.(?:bak|tgz|whl|vsix|nupkg)$/i;

const TOOL_FOLDER = new RegExp(`^(?:${TOOL_FOLDERS.join("|")})$`);
const OUTPUT_FOLDER = new RegExp(`^(?:${OUTPUT_FOLDERS})$`);
const TOOL_FILE = new RegExp(`^(?:${TOOL_FILES.join("|")})$`);
/** Names of tool folders that people choose for others too. */
const CHOSEN_NAME = /^(?:dist|_build|_site|venv|\.venv|\.build|\.dist|\.output|\.tmp|\.temp|\.bundle)(?:-|$)/;
const SOURCES = /^(?:src|lib|source|sources|internal)$/;

const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm|var\/folders)\/./;
const NOWHERE = /^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/.*)$/;
const SYSTEM_FOLDER = belowRoot([
  ...SYSTEM_FOLDERS,
  "Library|Applications|var/(?:lib|log|spool|mail|backups)",
]);
/** Names of variables that hold a folder for throw-away output, unless the line sets them. */
export const TEMPORARY_VARIABLE =
  /(?:TMP|TEMP|CACHE|BUILD|DIST|COVERAGE|ARTIFACT|SCRATCH|OUT(?:PUT)?_?(?:DIR|PATH)?$)/i;

/** Variables that name the temporary folder wherever they are set; whether they are is looked at elsewhere. */
const TEMPORARY_FOLDER = /^\$\{?(?:TMPDIR|TMP|TEMP|RUNNER_TEMP)\}?(?:\/|$)/;

/** Whatever has a name, wherever it is on the machine or in a home: it belongs to other projects and programs. */
const EVERYWHERE =
  /^(?:~|\$\{?HOME\}?|\/(?:root|var|opt|srv|mnt|media|etc|usr|Library|Applications|(?:home|Users)(?:\/[^/*]+)?)?)?\/\*\*/;

/** True when losing the path costs no more than running a build or a tool again. */
export function isThrowAway(path: string): boolean {
  const text = tidyPath(shown(path));
  if (EVERYWHERE.test(text)) return false;
  if (text.startsWith("/")) {
    if (TEMPORARY.test(text) || NOWHERE.test(text)) return true;
    if (SYSTEM_FOLDER.test(text) || /^\/\w+$/.test(text)) return false;
  }
  if (!isKnown(path) && /^\$\{?\w+\}?$/.test(text) && unknownParts(path)[0] === text)
    return TEMPORARY_VARIABLE.test(text);
  if (!isKnown(path) && TEMPORARY_FOLDER.test(text)) return true;
  // `${BUILD_DIR:?}` ends the line when it is empty, so that what follows is in that folder for certain.
  const certain = /^\$\{(\w+):\?[^}]*\}\//.exec(text);
  if (certain !== null && TEMPORARY_VARIABLE.test(certain[1] ?? "")) return true;
  const segments = text.split("/");
  if (TOOL_FILE.test(segments.at(-1) ?? "") || LEFT_COPY.test(text)) return true;
  if (/(?:^|\/)(?:vendor\/bundle|\.m2\/repository)(?:\/|$)/.test(text)) return true;
  // Right above the project it belongs to something else, unless no hand has made it.
  const above = segments[0] === ".." ? segments.find((segment) => segment !== "..") : undefined;
  let inSources = false;
  for (const segment of segments) {
    const isTools = TOOL_FOLDER.test(segment) && (segment !== above || !CHOSEN_NAME.test(segment));
    if (isTools || (!inSources && segment !== above && OUTPUT_FOLDER.test(segment))) return true;
    inSources ||= SOURCES.test(segment);
  }
  return false;
}
