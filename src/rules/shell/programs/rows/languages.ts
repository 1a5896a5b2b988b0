import type { ShellCommand } from "../../analysis.ts";
import type { Walk } from "../../interpret/frame.ts";
import type { FindCode, ProgramRows, Wrapper } from "../program-row.ts";
import { codeAfter, inPlace } from "../row-parts.ts";

const PACKAGE_RUNNER: Wrapper = {
  values: "-p --package -w --workspace --node-options",
  scripts: "-c --call",
};

/** Also `eval code`, and `run -`. */
function evaluated(...flags: readonly string[]): FindCode {
  const fromOptions = codeAfter(...flags);
  return (words, parsed, stdin) => {
    if (parsed.args[0] === "eval") return parsed.args[1];
    return parsed.args[0] === "run" && parsed.args[1] === "-" ? stdin : fromOptions(words, parsed, stdin);
  };
}

/** The lines of a makefile that the line itself has made up. */
function recipes(command: ShellCommand, walk: Walk, stdin: string | undefined): readonly string[] {
  const files = [...command.options.map((option) => option.value), ...command.args];
  const texts = files.map(
    (file) =>
      (file === "-" ? stdin : undefined) ??
      walk.substitutions?.get(file)?.text ??
      walk.files?.get(file)?.text ??
      "",
  );
  // `$(shell text)` and the shell of all recipes may stand in any word.
  for (const word of files)
    texts.push(/\$\(shell\s+(.+)\)/s.exec(word)?.[1] ?? /^SHELL=(.+)$/s.exec(word)?.[1] ?? "");
  return texts
    .flatMap((text) => text.split("\n"))
    .map((line) => line.replace(/^[\w. -]*:[^;]*(?:;|$)/, "").trim())
    .filter((line) => line !== "");
}

/** Interpreters, compilers, and what installs or runs their packages. */
export const LANGUAGES: ProgramRows = {
  python: {
    options: { values: "-c -m -W -X", same: "--command=-c" },
    access: "u -*",
    harmless: true,
    code: codeAfter("-c"),
    interpreter: true,
  },
  "python2 python*": { like: "python", code: codeAfter("-c"), interpreter: true },
  "pypy*": { like: "python", code: codeAfter("-c") },
  python3: { like: "python", harmless: true, code: codeAfter("-c"), interpreter: true },
  perl: {
    options: { values: "-e -E -M -I", same: "" },
    access: {
      args: "u -*",
      more: (parsed, add) => {
        if (parsed.flags.includes("-i")) for (const arg of parsed.args) add("w", arg);
        else if (parsed.flags.includes("-n") || parsed.flags.includes("-p"))
          for (const arg of parsed.args) add("r", arg);
      },
    },
    code: codeAfter("-e", "-E"),
    interpreter: true,
  },
  ruby: {
    options: { values: "-e -r -I -C" },
    access: { args: "u -*", more: inPlace },
    code: codeAfter("-e"),
    interpreter: true,
  },
  node: {
    options: {
      values: "-e -p -pe -r --eval --print --require --import --loader --env-file --input-type",
      same: "-pe=-e --eval=-e --print=-p --require=-r",
    },
    access: "u -*",
    harmless: true,
    code: codeAfter("-e", "-p"),
    interpreter: true,
  },
  nodejs: { like: "node", code: codeAfter("-e", "-p") },
  php: { options: { values: "-r -f -d -c -S -t -B -R -F" }, code: codeAfter("-r"), interpreter: true },
  lua: { options: { values: "-e -l" }, code: codeAfter("-e"), interpreter: true },
  lua5: { like: "lua" },
  deno: { code: evaluated("-e"), interpreter: true, namesOnly: true },
  bun: { wrapsAfter: { x: PACKAGE_RUNNER }, code: evaluated("-e", "--eval"), interpreter: true },
  "julia elixir swift osascript Rscript groovy": { code: codeAfter("-e") },
  erl: { code: codeAfter("-eval") },
  pwsh: { code: codeAfter("-c", "-Command"), interpreter: true },
  powershell: { code: codeAfter("-c", "-Command") },
  "gcc cc clang": {
    options: { values: "-o -I -L -D -x -include" },
    access: { args: "u*", options: { "-o": "w" } },
  },
  rustc: { harmless: true },
  go: { harmless: true, namesOnly: true },
  gdb: {
    options: { values: "-ex -x -p --args", oneDash: true },
    wraps: { values: "-p -c", afterDashes: true },
    commandOptions: [["-ex", /^(?:shell|!)\s*(.+)$/s]],
    needsParser: true,
    commandArgument: /^(?:shell|!)\s*(.+)$/s,
  },
  make: {
    options: { values: "-f -C -j -I --file --directory" },
    otherCommands: recipes,
    needsParser: true,
    namesOnly: true,
  },
  npm: {
    options: {
      values: "--prefix --workspace -w --registry --tag --otp --loglevel --userconfig",
      subcommands: true,
    },
    wrapsAfter: { exec: PACKAGE_RUNNER, x: PACKAGE_RUNNER },
    harmless: true,
    printsSecret: /^ (?:config get \S*(?:_auth|token|password)|token create)/,
  },
  pnpm: {
    options: { values: "-C --dir --filter -F --registry", subcommands: true },
    wrapsAfter: { exec: PACKAGE_RUNNER, dlx: PACKAGE_RUNNER },
  },
  yarn: {
    options: { values: "--cwd", subcommands: true },
    wrapsAfter: { dlx: PACKAGE_RUNNER, exec: PACKAGE_RUNNER },
    printsSecret: /^ config get \S*(?:token|auth)/,
  },
  pip: {
    options: {
      values: "-r --requirement -i --index-url --extra-index-url -t --target -c --constraint -e --editable",
      subcommands: true,
    },
  },
  pip3: { like: "pip" },
  cargo: {
    options: {
      values: "--manifest-path --target --features -p --package --bin --example --target-dir -j",
      subcommands: true,
    },
    harmless: true,
    namesOnly: true,
  },
  "npx bunx pnpx": { wraps: PACKAGE_RUNNER },
  uvx: { wraps: { values: "--from --with --python -p" } },
  uv: { wrapsAfter: { run: { values: "--with --python -p --extra --group --project" } } },
  "poetry pipenv pdm": { wrapsAfter: { run: {} } },
  hatch: { wrapsAfter: { run: { text: true } } },
  "bundle rbenv": { wrapsAfter: { exec: {} } },
  mise: { wrapsAfter: { exec: { afterDashes: true } } },
  conda: { wrapsAfter: { run: { values: "-n -p --name --prefix --cwd" } } },
  "nix-shell": { wraps: { values: "-p --packages", scripts: "--run --command", skip: 99 } },
  nix: {
    wrapsAfter: {
      run: { values: "--override-input --option", afterDashes: true },
      shell: { scripts: "-c --command", skip: 99 },
      develop: { scripts: "-c --command", skip: 99 },
    },
  },
  "eslint prettier biome shellcheck": { namesOnly: true },
};
