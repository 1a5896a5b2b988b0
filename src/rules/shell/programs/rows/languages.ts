import type { Walk } from "../../state/frame.ts";
import { decodeBase64 } from "../emulate.ts";
import type { FindCode, Invocation, ProgramFamily, Wrapper, WrittenCommand } from "../program-row.ts";
import { codeAfter, valuesOf } from "../row-parts.ts";
import { SCRIPTS, TASKS } from "../service-changes.ts";

const PACKAGE_RUNNER: Wrapper = {
  values: "-p --package -w --workspace --node-options",
  scripts: "-c --call",
};

const MISE: Wrapper = { scripts: "-c --command", afterDashes: true };

/** Programs of packages, which these managers start by their names: `yarn rimraf src`. */
const INSTALLED: Readonly<Record<string, Wrapper>> = Object.fromEntries(
  "rimraf del-cli cross-env shx concurrently nodemon".split(" ").map((name) => [name, { named: true }]),
);

/** Also the code in an address, wherever one stands: `--import data:text/javascript,…`. */
function orInAddress(find: FindCode): FindCode {
  return (words, parsed, stdin) => {
    const codes = words.flatMap((word) => {
      const [, base64, code = ""] =
        /(?:^|=)data:[^,;]*(?:;(?!base64)[^,;]*)*(;base64)?,(.*)$/s.exec(word) ?? [];
      return code === "" ? [] : [base64 === undefined ? unescaped(code) : (decodeBase64(code) ?? code)];
    });
    const found = find(words, parsed, stdin);
    return codes.length === 0 ? found : [...(found === undefined ? [] : [found]), ...codes].join("\n");
  };
}

function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Also `eval code`, and `run -`. */
function evaluated(...flags: readonly string[]): FindCode {
  const fromOptions = codeAfter(...flags);
  return (words, parsed, stdin) => {
    if (parsed.args[0] === "eval") return parsed.args[1];
    return parsed.args[0] === "run" && parsed.args[1] === "-" ? stdin : fromOptions(words, parsed, stdin);
  };
}

/** What a script of package.json runs, where the line sets it: who sets one means to run it. */
function packageScripts({ args, options }: WrittenCommand, { files }: Walk): readonly string[] {
  const [first, second, ...rest] = args;
  const written = files.get("package.json")?.text;
  if (written !== undefined && /^(?:run|run-script|test|start)$/.test(first ?? ""))
    return [...written.matchAll(/"[\w:.-]{1,80}"\s*:\s*"((?:[^"\\\n]|\\.){1,2000})"/g)].map(([, text = ""]) =>
      text.replaceAll('\\"', '"'),
    );
  if (first === "set-script") return rest.slice(0, 1);
  const values = [...rest, ...options.map(({ value }) => value)];
  if (first === "config" && second === "set")
    return values.flatMap((word, at) => (/^script-?shell$/.test(word) ? values.slice(at + 1, at + 2) : []));
  if (first !== "pkg" || second !== "set") return [];
  return values.flatMap((word) => /^scripts(?:\.|\[)[^=]+=(.+)$/s.exec(word)?.[1] ?? []);
}

const MAKEFILES = ["Makefile", "makefile", "GNUmakefile", "./Makefile"];

/** The recipes of a makefile that the line itself writes. */
function recipes(command: WrittenCommand, walk: Walk, stdin: string | undefined): readonly string[] {
  const files = [...command.options.map((option) => option.value), ...command.args];
  const texts = [...files, ...MAKEFILES].map(
    (file) =>
      (file === "-" ? stdin : undefined) ??
      walk.substitutions.get(file)?.text ??
      walk.files.get(file)?.text ??
      "",
  );
  for (const { flag, value } of command.options)
    if (/^(?:--eval|-E)$/.test(flag) && !value.includes("$(")) texts.push(value);
  // Any word may hold `$(shell text)`, set the shell of all recipes, or a program that they start.
  for (const word of files)
    texts.push(
      /\$\(shell\s+(.+)\)/s.exec(word)?.[1] ??
        /^SHELL\W?=(.+)$/s.exec(word)?.[1] ??
        /^[A-Z_]+[:+?!]?=([A-Za-z./][^\s]*\s.+)$/s.exec(word)?.[1] ??
        "",
    );
  return texts
    .flatMap((text) => text.split("\n"))
    .map((line) => line.replace(/^[\w. -]*:[^;]*(?:;|$)/, "").trim())
    .filter((line) => line !== "");
}

/** `perl -i -ne code`: of each line only what the code prints is kept. */
function printsNoLine({ parsed }: Invocation): boolean {
  const { flags } = parsed;
  const code = valuesOf(parsed, "-e", "-E").join("\n");
  return (
    flags.includes("-i") &&
    flags.includes("-n") &&
    !flags.includes("-p") &&
    !/\b(?:print|puts|say|printf|write|p)\b/.test(code)
  );
}

/** Interpreters, compilers, and what installs or runs their packages. */
export const LANGUAGES: ProgramFamily = {
  "python python3": {
    ...SCRIPTS,
    values: "-c -m -W -X",
    same: "--command=-c",
    access: "u -*",
    addAccess: (parsed, add) => {
      if (valuesOf(parsed, "-m").some((module) => /^(?:venv|virtualenv)$/.test(module)))
        for (const arg of parsed.args) add("w", arg);
    },
    code: codeAfter("-c"),
    traits: ["harmless", "interpreter"],
  },
  virtualenv: { values: "-p --python --prompt --seeder", access: "w*" },
  "python2 python* pypy*": { like: "python", code: codeAfter("-c"), traits: ["interpreter"] },
  perl: {
    values: "-e -E -M -I",
    access: "u -*",
    addAccess: (parsed, add) => {
      if (parsed.flags.includes("-i")) for (const arg of parsed.args) add("w", arg);
      else if (parsed.flags.includes("-n") || parsed.flags.includes("-p"))
        for (const arg of parsed.args) add("r", arg);
    },
    code: codeAfter("-e", "-E"),
    empties: printsNoLine,
    traits: ["interpreter"],
  },
  ruby: {
    ...SCRIPTS,
    values: "-e -r -I -C",
    access: "u -*",
    addAccess: (parsed, add) => {
      if (parsed.flags.includes("-i")) for (const arg of parsed.args) add("w", arg);
    },
    code: codeAfter("-e"),
    empties: printsNoLine,
    traits: ["interpreter"],
  },
  node: {
    ...SCRIPTS,
    values:
      "-e -p -pe -r --eval --print --require --import --loader --experimental-loader --env-file --input-type",
    same: "-pe=-e --eval=-e --print=-p --require=-r",
    access: "u -*",
    code: orInAddress(codeAfter("-e", "-p")),
    traits: ["harmless", "interpreter"],
  },
  nodejs: { ...SCRIPTS, like: "node", code: orInAddress(codeAfter("-e", "-p")) },
  "zx tsx ts-node ts-node-esm esno vite-node jiti esrun": {
    ...SCRIPTS,
    like: "node",
    code: orInAddress(codeAfter("-e", "-p")),
    traits: ["interpreter"],
  },
  php: { values: "-r -f -d -c -S -t -B -R -F", code: codeAfter("-r", "--execute"), traits: ["interpreter"] },
  "lua lua5* luajit": { values: "-e -l", code: codeAfter("-e"), traits: ["interpreter"] },
  deno: { ...SCRIPTS, code: orInAddress(evaluated("-e")), traits: ["interpreter", "namesOnly"] },
  bun: {
    ...TASKS,
    wrapsAfter: { x: PACKAGE_RUNNER },
    code: orInAddress(evaluated("-e", "--eval")),
    traits: ["interpreter"],
  },
  "julia elixir swift osascript Rscript groovy R r littler": {
    values: "-e -E --eval --expr",
    same: "-E=-e --eval=-e --expr=-e",
    access: "u -*",
    code: codeAfter("-e"),
    traits: ["interpreter"],
  },
  "tclsh tclsh8.* wish scala kotlin jshell ghci runghc sbcl clojure racket guile octave": {
    access: "u -*",
    code: codeAfter("-e", "--eval", "-c"),
    traits: ["interpreter"],
  },
  erl: { code: codeAfter("-eval") },
  "gcc cc clang g++ c++ clang++ ld": {
    values: "-o -I -L -D -x -include",
    access: "u*",
    optionAccess: { "-o": "w" },
  },
  rustc: { traits: ["harmless"] },
  go: {
    ...SCRIPTS,
    values: "-exec -toolexec -o -run -tags -ldflags -gcflags",
    starts: "-exec -toolexec",
    traits: ["oneDash", "harmless", "namesOnly"],
  },
  gdb: {
    values: "-ex -x -p --args",
    wraps: { values: "-p -c", afterDashes: true },
    commandOptions: [
      ["-ex", /^(?:shell|!)\s*(.+)$/s],
      ["-ex", /\bsystem\s*\(\s*"([^"]+)"/],
    ],
    commandArgument: /^(?:shell|!)\s*(.+)$/s,
    traits: ["oneDash", "needsParser"],
  },
  make: {
    ...TASKS,
    values: "-f -C -j -I -E --file --directory --eval",
    otherCommands: recipes,
    traits: ["needsParser", "namesOnly"],
  },
  npm: {
    ...TASKS,
    otherCommands: packageScripts,
    values: "--prefix --workspace -w --registry --tag --otp --loglevel --userconfig",
    wrapsAfter: { exec: PACKAGE_RUNNER, x: PACKAGE_RUNNER, explore: { skip: 1 } },
    printsSecret: /^ (?:config get \S*(?:_auth|token|password)|token create)/,
    traits: ["subcommands", "harmless", "runsFiles"],
  },
  pnpm: {
    ...TASKS,
    otherCommands: packageScripts,
    values: "-C --dir --filter -F --registry",
    wrapsAfter: { exec: PACKAGE_RUNNER, dlx: PACKAGE_RUNNER, ...INSTALLED },
    traits: ["subcommands", "runsFiles"],
  },
  yarn: {
    ...TASKS,
    values: "--cwd",
    wrapsAfter: {
      dlx: PACKAGE_RUNNER,
      exec: PACKAGE_RUNNER,
      workspace: { skip: 1 },
      "workspaces foreach exec": PACKAGE_RUNNER,
      ...INSTALLED,
    },
    printsSecret: /^ config get \S*(?:token|auth)/,
    traits: ["subcommands", "runsFiles"],
  },
  "pip pip3": {
    values: "-r --requirement -i --index-url --extra-index-url -t --target -c --constraint -e --editable",
    traits: ["subcommands"],
  },
  cargo: {
    values: "--manifest-path --target --features -p --package --bin --example --target-dir -j",
    addAccess: (parsed, add) => {
      const [command, folder = "."] = parsed.args;
      if (command === "new" || command === "init") add("w", `${folder}/Cargo.toml`);
    },
    wrapsAfter: { watch: { values: "-x -w -i -d -C", scripts: "-s --shell", skip: 99 } },
    traits: ["subcommands", "harmless", "namesOnly"],
  },
  "npx bunx pnpx": { wraps: PACKAGE_RUNNER, traits: ["subcommands"] },
  corepack: {
    wrapsAfter: Object.fromEntries(
      "npm npx pnpm pnpx yarn yarnpkg".split(" ").map((name) => [name, { named: true }]),
    ),
  },
  "volta proto nodenv": { wrapsAfter: { run: { values: "--node --npm" }, exec: {} } },
  fnm: { wrapsAfter: { exec: { values: "--using" } } },
  "nvm n": { wrapsAfter: { exec: { skip: 1 }, run: { skip: 1 } } },
  uvx: { values: "--from --with --python -p", wraps: { values: "--from --with --python -p" } },
  pipx: { values: "--spec --python" },
  uv: {
    values: "--from --with --python -p --extra --group --project",
    wrapsAfter: { run: { values: "--with --python -p --extra --group --project" } },
  },
  "poetry pipenv pdm rye devbox": { wrapsAfter: { run: {} } },
  hatch: { wrapsAfter: { run: { text: true } } },
  "bundle rbenv asdf": { wrapsAfter: { exec: {} } },
  mise: { wrapsAfter: { exec: MISE, x: MISE } },
  tox: { wrapsAfter: { exec: { afterDashes: true } } },
  conda: { wrapsAfter: { run: { values: "-n -p --name --prefix --cwd" } } },
  "nix-shell": { wraps: { values: "-p --packages", scripts: "--run --command", skip: 99 } },
  nix: {
    wrapsAfter: {
      run: { values: "--override-input --option", afterDashes: true },
      shell: { begins: "-c --command", skip: 99 },
      develop: { begins: "-c --command", skip: 99 },
    },
  },
  // Scripts of the project, by their names.
  "deploy* redeploy* migrate* rollback* promote* provision* prod*": TASKS,
  rails: {
    ...TASKS,
    code: (_words, { args }) => (/^(?:runner|r)$/.test(args[0] ?? "") ? args[1] : undefined),
  },
  "just task rake gradle gradlew mvn mvnw mix fab invoke inv turbo ant sbt artisan manage.py alembic flask knex sequelize sequelize-cli typeorm drizzle-kit mikro-orm":
    TASKS,
  nx: { ...TASKS, wrapsAfter: { exec: {} } },
  lerna: {
    ...TASKS,
    values: "--scope --ignore --since --concurrency",
    wrapsAfter: { exec: { values: "--scope --ignore --since --concurrency" } },
  },
  "eslint prettier biome shellcheck": { traits: ["namesOnly"] },
};
