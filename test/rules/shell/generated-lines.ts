import fc from "fast-check";

/** Programs that exist as stubs only; the analysis has rows for some of them. */
export const VICTIMS: readonly string[] = ["rm", "git", "curl", "shred", "victim"];

/** Programs that a stub passes on to, after it has logged the call. */
export const HELPERS: readonly string[] =
  "bash sh dash env xargs find awk sed tee cat tr rev head tail tac sort cut base64 xxd seq timeout nice nohup setsid stdbuf flock".split(
    " ",
  );

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");

const victim = fc
  .tuple(
    fc.constantFrom(...VICTIMS),
    fc.array(fc.constantFrom("-rf", "src", "push", "--force", "x.txt", "http://a.example", "-x"), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([name, rest]) => [name, ...rest]);

type Words = readonly string[];

/** Ways to write a simple command. */
const SPELLINGS: readonly ((words: Words) => string)[] = [
  (words) => words.join(" "),
  (words) => words.join(" "),
  (words) => words.map((word) => `'${word}'`).join(" "),
  ([name = "", ...rest]) => [`${name[0]}''${name.slice(1)}`, ...rest].join(" "),
  ([name = "", ...rest]) => [`\\${name}`, ...rest].join(" "),
  ([name = "", ...rest]) => [`$'\\x${hex(name[0] ?? "")}${name.slice(1)}'`, ...rest].join(" "),
  ([name = "", ...rest]) => [`${name[0]}\${unset_}${name.slice(1)}`, ...rest].join(" "),
  ([name = "", ...rest]) => [`\${unset_:-${name}}`, ...rest].join(" "),
  ([name = "", ...rest]) => [`$(echo ${name})`, ...rest].join(" "),
  ([name = "", ...rest]) => [`\`printf ${name}\``, ...rest].join(" "),
  ([name = "", ...rest]) => `n=${name}; $n ${rest.join(" ")}`,
  ([name = "", ...rest]) => `n=x${name}; \${n#x} ${rest.join(" ")}`,
  ([name = "", ...rest]) => `n=${name.toUpperCase()}; \${n,,} ${rest.join(" ")}`,
  ([name = "", ...rest]) => `n=${name}y; \${n:0:${name.length}} ${rest.join(" ")}`,
  ([name = "", ...rest]) => `m=${name}; n=m; \${!n} ${rest.join(" ")}`,
  ([name = "", ...rest]) => `printf -v n %s ${name}; $n ${rest.join(" ")}`,
  ([name = "", ...rest]) => `read -r n <<< ${name}; $n ${rest.join(" ")}`,
  ([name = "", ...rest]) => `n=ls; read -r n < <(echo ${name}); $n ${rest.join(" ")}`,
  ([name = "", ...rest]) => `declare n=${name}; $n ${rest.join(" ")}`,
  (words) => `a=(${words.join(" ")}); "\${a[@]}"`,
  (words) => `set -- ${words.join(" ")}; "$@"`,
  ([name = "", ...rest]) => `set -- x ${name}; shift; $1 ${rest.join(" ")}`,
  (words) => `{${words.join(",")}}`,
  (words) => words.join("${IFS}"),
  (words) => `f() { ${words.join(" ")}; }; f`,
  ([name = "", ...rest]) => `f() { "$@"; }; f ${name} ${rest.join(" ")}`,
  ([name = "", ...rest]) => `f() { local n=${name}; $n "$@"; }; f ${rest.join(" ")}`,
  ([name = "", ...rest]) => `for n in ${name}; do $n ${rest.join(" ")}; done`,
  ([name = "", ...rest]) => `case x in x) ${name} ${rest.join(" ")} ;; esac`,
  ([name = "", ...rest]) => `[[ -n $(${name} ${rest.join(" ")}) ]]`,
  ([name = "", ...rest]) => `: \${x:=$(${name} ${rest.join(" ")})}`,
  ([name = "", ...rest]) => `echo $(( $(${name} ${rest.join(" ")}; echo 1) + 1 ))`,
  ([name = "", ...rest]) => `cat <<E\n$(${name} ${rest.join(" ")})\nE\n`,
  ([name = "", ...rest]) => `command ${name} ${rest.join(" ")}`,
  ([name = "", ...rest]) => `builtin command ${name} ${rest.join(" ")}`,
  ([name = "", ...rest]) => `(exec -a other ${name} ${rest.join(" ")})`,
  ([name = "", ...rest]) => `echo ${rest.join(" ")} | xargs ${name}`,
  ([name = "", ...rest]) => `printf '%s\\0' ${rest.join(" ")} | xargs -0 ${name}`,
  ([name = "", ...rest]) => `echo ${rest.join(" ")} | xargs -n 1 ${name}`,
  ([name = "", ...rest]) => `printf '%s\\n' ${rest.join(" ")} | xargs -I{} ${name} {}`,
  ([name = "", ...rest]) => `find . -maxdepth 0 -exec ${name} ${rest.join(" ")} \\;`,
  ([name = "", ...rest]) => `bash -c '$0 "$@"' ${name} ${rest.join(" ")}`,
  ([name = "", ...rest]) => `sh -c '"$@"' _ ${name} ${rest.join(" ")}`,
  (words) => `env -S '${words.join(" ")}'`,
  ([name = "", ...rest]) => `env -S ${name} ${rest.join(" ")}`,
  ([name = "", ...rest]) => `env -S'${name}' ${rest.join(" ")}`,
  ([name = "", ...rest]) => `env -u X A=b ${name} ${rest.join(" ")}`,
];

/** Ways to run a line, which must not change what it runs. */
const WAYS: readonly ((line: string) => string)[] = [
  (line) => `( ${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `true && { ${line}\n}`,
  (line) => `false || { ${line}\n}`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `if false; then :; else ${line}\nfi`,
  (line) => `while true; do ${line}\nbreak; done`,
  (line) => `for i in 1; do ${line}\ndone`,
  (line) => `! { ${line}\n}`,
  (line) => `{ ${line}\n} &\nwait`,
  (line) => `echo "$( ${line}\n)"`,
  (line) => `cat <( ${line}\n)`,
  (line) => `{ ${line}\n} > out.txt`,
  (line) => `{ ${line}\n} | cat`,
  (line) => `echo | { ${line}\n}`,
  (line) => `f1() { ${line}\n}; f1`,
  (line) => `trap ${quoted(line)} EXIT`,
  (line) => `eval ${quoted(line)}`,
  (line) => `c=${quoted(line)}; eval "$c"`,
  (line) => `bash -c ${quoted(line)}`,
  (line) => `bash -ec ${quoted(line)}`,
  (line) => `bash -c ${quoted(line)} a b c`,
  (line) => `bash -s -- a b <<'END'\n${line}\nEND\n`,
  (line) => `bash <<'END'\n${line}\nEND\n`,
  (line) => `bash <<< ${quoted(line)}`,
  (line) => `bash /dev/stdin <<< ${quoted(line)}`,
  (line) => `bash <(echo ${quoted(line)})`,
  (line) => `. <(echo ${quoted(line)})`,
  (line) => `echo ${quoted(line)} | bash`,
  (line) => `echo ${quoted(line)} | bash -s x`,
  (line) => `printf '%s\\n' ${quoted(line)} | bash`,
  (line) => `printf '%b' ${quoted(line.replaceAll("\\", "\\\\"))} | bash`,
  (line) => `printf '%.${line.length}sxyz' ${quoted(`${line}abc`)} | head -c ${line.length} | bash`,
  (line) => `echo ${base64(line)} | base64 -d | bash`,
  (line) => `base64 -d <<< ${base64(line)} | bash`,
  (line) => `bash -c "$(echo ${base64(line)} | base64 -d)"`,
  (line) => `echo ${hex(line)} | xxd -r -p | bash`,
  (line) => `echo ${quoted(line)} > s.sh; bash s.sh`,
  (line) => `echo ${quoted(line)} > s.sh; . ./s.sh`,
  (line) => `echo ${quoted(line)} > s.sh; eval "$(<s.sh)"`,
  (line) => `echo ${quoted(line)} > s.sh; eval "$(cat s.sh)"`,
  (line) => `echo ${quoted(line)} > s.sh; bash < s.sh`,
  (line) => `{ echo ${quoted(line)}; } > s.sh; bash s.sh`,
  (line) => `cat > s.sh <<'END'\n${line}\nEND\nbash s.sh`,
  (line) => `echo ${quoted(line)} | tee s.sh > /dev/null; bash s.sh`,
  (line) => `{ echo ${quoted(line)} > >(bash); } | cat`,
  (line) => `{ echo ${quoted(line)} | tee >(bash) > /dev/null; } | cat`,
  (line) => `exec 3<<< ${quoted(line)}; bash <&3`,
  (line) => `exec 3<<< ${quoted(line)}; bash /dev/fd/3`,
  (line) => `echo ${quoted(line)} | while IFS= read -r l; do eval "$l"; done`,
  (line) => `mapfile -t lines <<< ${quoted(line)}; for l in "\${lines[@]}"; do eval "$l"; done`,
  (line) => `printf '%s\\0' ${quoted(line)} | xargs -0 bash -c`,
  (line) => `printf '%s\\0' ${quoted(line)} | xargs -0 -I{} bash -c {}`,
  (line) => `xargs -0 -a <(printf '%s' ${quoted(line)}) bash -c`,
  (line) => `find . -maxdepth 0 -exec bash -c ${quoted(line)} \\;`,
  (line) => `echo | awk ${quoted(`{ system(${JSON.stringify(`bash -c ${quoted(line)}`)}) }`)}`,
  (line) => `echo ${quoted(line)} | awk '{ system($0) }'`,
  (line) => `echo ${quoted(line)} | awk '{ print | "bash" }'`,
  (line) => `echo ${quoted(line)} | sed 's/^/:;/' | bash`,
  (line) => `echo ${quoted(line)} | sed -n e`,
  (line) => `echo x | sed ${quoted(`1e ${line.replaceAll("\n", ";")}`)}`,
  (line) => `env bash -c ${quoted(line)}`,
  (line) => `env -u B A=1 bash -c ${quoted(line)}`,
  (line) => `timeout 5 bash -c ${quoted(line)}`,
  (line) => `timeout -k 1 -s TERM 5 bash -c ${quoted(line)}`,
  (line) => `nice -n 5 bash -c ${quoted(line)}`,
  (line) => `nohup bash -c ${quoted(line)} 2> /dev/null`,
  (line) => `setsid -w bash -c ${quoted(line)}`,
  (line) => `stdbuf -oL bash -c ${quoted(line)}`,
  (line) => `flock lock bash -c ${quoted(line)}`,
  (line) => `flock lock -c ${quoted(line)}`,
  (line) => `BASH_ENV=<(echo ${quoted(line)}) bash -c :`,
  (line) => `coproc { ${line}\n}; wait`,
  (line) => `time { ${line}\n}`,
  (line) => `select x in a; do ${line}\nbreak; done <<< 1`,
  (line) => `g() { eval "$1"; }; g ${quoted(line)}`,
  (line) => `alias ll=ls; ${line}`,
  (line) => `x=1; readonly x; ${line}`,
  (line) => `cd . && ${line}`,
  (line) => `unset x; ${line}`,
  (line) => `complete -C ${quoted(line)} foo; ${line}`,
];

/** Lines that run one of the programs for certain, in some roundabout way. */
export const generatedLine = fc
  .tuple(victim, fc.constantFrom(...SPELLINGS), fc.array(fc.constantFrom(...WAYS), { maxLength: 3 }))
  .map(([words, spell, ways]) => ways.reduce((line, way) => way(line), spell(words)));
