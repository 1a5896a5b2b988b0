import { decodeBase64 } from "./decode.ts";
import type { ParsedOptions } from "./options.ts";

/** What a piece of Python, Perl, Ruby, JavaScript or PHP does, as far as its text shows. */
export interface CodeFindings {
  /** Shell text it hands to a shell or starts as a program. */
  readonly commands: readonly string[];
  /** Paths it deletes; empty text when it deletes something that is not named. */
  readonly deletes: readonly string[];
  readonly reads: readonly string[];
  readonly hosts: readonly string[];
  /** It opens a connection, to whatever host. */
  readonly network: boolean;
  /** It takes environment variables other than by a harmless name. */
  readonly environment: readonly string[];
  /** It runs text that it computes or loads. */
  readonly dynamic: boolean;
  /** It starts itself again without end. */
  readonly forks: boolean;
  /** It starts a shell on a socket. */
  readonly shellOnSocket: boolean;
}

/** Options whose value is code, by program. */
const CODE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["python", ["-c"]],
  ["perl", ["-e", "-E"]],
  ["ruby", ["-e"]],
  ["node", ["-e", "-p"]],
  ["bun", ["-e", "--eval"]],
  ["deno", ["-e"]],
  ["php", ["-r"]],
  ["lua", ["-e"]],
  ["julia", ["-e"]],
  ["elixir", ["-e"]],
  ["swift", ["-e"]],
  ["erl", ["-eval"]],
  ["osascript", ["-e"]],
  ["Rscript", ["-e"]],
  ["groovy", ["-e"]],
  ["pwsh", ["-c", "-Command"]],
  ["powershell", ["-c", "-Command"]],
]);

const OTHER_CODE = new Set(["nodejs", "awk", "gawk", "mawk", "nawk", "vi", "vim", "nvim", "ex"]);

/** True for a program that {@link codeOf} may find code for. */
export function mayHoldCode(program: string): boolean {
  return (
    CODE_OPTIONS.has(program) ||
    OTHER_CODE.has(program) ||
    program.startsWith("python") ||
    program.startsWith("pypy")
  );
}

/** The inline code of a command, from its options or, for a bare interpreter, from standard input. */
export function codeOf(
  program: string,
  words: readonly string[],
  parsed: ParsedOptions,
  stdin: string | undefined,
): string | undefined {
  const name =
    /^python/.test(program) || /^pypy/.test(program) ? "python" : program === "nodejs" ? "node" : program;
  const flags = CODE_OPTIONS.get(name);
  if (/^[gmn]?awk$/.test(name)) return parsed.args[0];
  if (name === "vim" || name === "vi" || name === "nvim" || name === "ex")
    return words.filter((word) => /^[:+]/.test(word)).join("\n") || undefined;
  if ((name === "deno" || name === "bun") && parsed.args[0] === "eval") return parsed.args[1];
  if (flags === undefined) return undefined;
  const given = parsed.options.filter((option) => flags.includes(option.flag)).map((option) => option.value);
  if (given.length > 0) return given.join("\n");
  const loose = words.findIndex((word) => flags.includes(word) || /^-[a-zA-Z]*[eE]$/.test(word));
  if (loose !== -1 && words[loose + 1] !== undefined) return words[loose + 1];
  return parsed.args.length === 0 || parsed.args[0] === "-" ? stdin : undefined;
}

const TEXT = /"((?:[^"\\\n]|\\.){0,2000})"|'((?:[^'\\\n]|\\.){0,2000})'|`((?:[^`\\]|\\.){0,2000})`/g;
const STARTS =
  /(?:\bsystem|\bpopen\d?|\bexec(?:Sync|File|FileSync|l|le|lp|lpe|v|ve|vp|vpe)?|\bspawn(?:Sync|l|v|lp|vp)?|\bsubprocess\.\w+|\bcheck_output|\bcheck_call|\bgetoutput|\bgetstatusoutput|\bshell_exec|\bpassthru|\bproc_open|\bKernel\.\w+|\bOpen3\.\w+|\bos\.(?:exec\w*|spawn\w*|startfile)|\bBun\.(?:spawn\w*|\$)|\bDeno\.(?:run|Command)|\bdo shell script|\bqx|\$)\s*[({[\s]*(?:\[\s*)?$/;
const DELETES =
  /\b(?:rmtree|os\.remove|os\.unlink|os\.rmdir|os\.removedirs|os\.truncate|unlink(?:Sync)?|rmSync|rmdirSync|rmdir|rm_rf?|rm_f|remove_(?:dir|entry|tree)\w*|removeSync|remove_all|rimraf(?:\.sync)?|truncateSync|FileUtils\.(?:rm\w*|remove\w*)|File\.delete|Dir\.(?:delete|rmdir|unlink)|Deno\.remove\w*|emptyDir(?:Sync)?|fs\.rm|fsp?\.(?:rm|rmdir|unlink)|promises\.(?:rm|rmdir|unlink)|os\.RemoveAll|send2trash|DROP\s+(?:TABLE|DATABASE|SCHEMA)|drop_all|dropDatabase|Remove-Item)\b|\.(?:rm|rmdir|unlink|remove_tree|rmSync|unlinkSync)\s*\(/;
const NETWORK =
  /\b(?:urllib|urlopen|urlretrieve|requests\.(?:get|post|put|patch|request|Session)|httpx|aiohttp|http\.client|socket\.|smtplib|ftplib|paramiko|telnetlib|fetch\s*\(|https?\.(?:get|request|Agent)|axios|net\.(?:connect|Socket|createConnection)|dns\.(?:lookup|resolve)|WebSocket|XMLHttpRequest|got\s*\(|request\s*\(|Net::HTTP|Net::FTP|open-uri|TCPSocket|UDPSocket|URI\.open|IO::Socket|LWP|HTTP::Tiny|Socket|fsockopen|curl_(?:init|exec)|file_get_contents\s*\(\s*["']https?|stream_socket_client|\/inet\/(?:tcp|udp)|\bmail\s*\(|gethostbyname|getaddrinfo|Invoke-WebRequest|Invoke-RestMethod|Net\.WebClient|require\s*\(?\s*["'](?:node:)?(?:https?|http2|net|tls|dgram|dns|ws|axios|node-fetch|got|undici|net\/http|socket|open-uri)["']|import\s+(?:socket|requests|http|smtplib|ftplib)\b)/;
const SHELL_NAME = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k|c)?sh(?:\s+-i\b.*)?$/;

/** Code that runs text which it decodes, loads or puts together. */
const COMPUTED =
  /\b(?:exec|eval|compile|Function|system|popen|run|call|Popen|check_output|execSync|spawn)\s*\(\s*(?:\w+\s*\(\s*)?(?:base64|codecs|zlib|__import__\(['"](?:base64|codecs|zlib)|bytes|bytearray|atob|Buffer|requests|urllib|marshal|gzip|chr\(|String\.fromCharCode|["']{2}\.join|["'][^"'\n]{0,40}["']\s*\.\s*join|\(?await\s+fetch)|\beval\s*(?:\{|pack\b|decode|base64)/;

/** Reads inline code without running it: its strings, and what the calls before them are. */
export function readCode(program: string, code: string): CodeFindings {
  const text = code.length > 16_384 ? code.slice(0, 16_384) : code;
  const starts = STARTER.test(text);
  const commands: string[] = [];
  const reads: string[] = [];
  const hosts: string[] = [];
  const strings: { readonly value: string; readonly before: string }[] = [];
  for (const match of text.matchAll(TEXT)) {
    const value = (match[1] ?? match[2] ?? match[3] ?? "").replace(/\\(["'`\\])/g, "$1");
    const before = text.slice(Math.max(0, match.index - 60), match.index);
    strings.push({ value, before });
    const host =
      /^(?:https?|ftp|wss?|tcp):\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(value)?.[1] ??
      /^\/inet\/\w+\/\d+\/([^/]+)/.exec(value)?.[1];
    if (host !== undefined) hosts.push(host.toLowerCase());
    else if (looksLikePath(value)) reads.push(value);
    const backquoted = match[3] !== undefined && BACKQUOTES_RUN.test(program);
    if (backquoted || STARTS.test(before) || (starts && /^\s*[\w./-]+\s+\S/.test(value)))
      commands.push(value);
  }
  commands.push(...argumentLists(text), ...shellEscapes(text), ...decoded(text, strings));
  const deletes = DELETES.test(text) ? deletedPaths(text) : [];
  const network = NETWORK.test(text);
  return {
    commands,
    deletes,
    reads: reads.filter((path) => !deletes.includes(path)),
    hosts,
    network,
    environment: environmentIn(text),
    dynamic: COMPUTED.test(text),
    forks: /\bfork\b/.test(text) && /\b(?:while|for|loop|until|iter)\b/.test(text),
    shellOnSocket:
      network &&
      (/\b(?:dup2|pty\.spawn|exec[lv]p?e?)\b/.test(text) ||
        strings.some(({ value }) => SHELL_NAME.test(value))),
  };
}

/** Base64 texts that the code decodes, read as the shell text they may be. */
function decoded(text: string, strings: readonly { readonly value: string }[]): readonly string[] {
  if (!/b64decode|base64|atob|unpack|fromhex|decode64|MIME::Base64/.test(text)) return [];
  return strings.flatMap(({ value }) => {
    const plain = /^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(value) ? decodeBase64(value) : undefined;
    return plain !== undefined && /^[\t\n -~]+$/.test(plain) ? [plain] : [];
  });
}

/** In these, text in backquotes is a command; in JavaScript it is a template. */
const BACKQUOTES_RUN = /^(?:perl|ruby|php|lua|awk)/;

/** Words that say that the code starts other programs. */
const STARTER =
  /subprocess|child_process|\bPopen\b|popen|\bexec\w*|\bsystem\b|\bspawn\w*|shell|\bqx\b|Open3|Process\./;

/**
 * The strings of one call, as one command: `subprocess.run(["rm", "-rf", "x"])`, `exec "rm", "-rf", "x"`. They are read
 * both as a list of words and as pieces of one text, since languages differ.
 */
function argumentLists(text: string): readonly string[] {
  const found: string[] = [];
  for (const call of text.matchAll(
    /(?:subprocess\.\w+|spawn\w*|exec\w*|check_\w+|Popen|system|os\.spawn\w+|Open3\.\w+)\s*\(?([^();]{0,1000})/g,
  )) {
    const parts = [...(call[1] ?? "").matchAll(TEXT)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
    if (parts.length > 1)
      found.push(parts.map((part) => `'${part.replaceAll("'", "")}'`).join(" "), parts.join(" "));
  }
  return found.slice(0, 20);
}

/** Perl's and Ruby's `qx(…)`, `%x(…)`, and an editor's `:!command`. */
function shellEscapes(text: string): readonly string[] {
  return [...text.matchAll(/(?:\bqx|%x)\s*([({[/!|])([^)}\]/!|]{1,500})|(?:^|\n)[:+]:?!(.{1,500})/g)].map(
    (match) => match[2] ?? match[3] ?? "",
  );
}

/** The strings after each deleting call; empty text for a call that names none. */
function deletedPaths(text: string): readonly string[] {
  const found: string[] = [];
  let rest = text;
  for (let round = 0; round < 20; round += 1) {
    const match = DELETES.exec(rest);
    if (match === null) break;
    rest = rest.slice(match.index + match[0].length);
    const call = /^\s*\(?\s*[^;\n]{0,300}/.exec(rest)?.[0] ?? "";
    const paths = [...call.matchAll(TEXT)]
      .map((inner) => inner[1] ?? inner[2] ?? inner[3] ?? "")
      .filter((value) => value !== "" && value !== "utf8");
    found.push(...(paths.length > 0 ? paths.slice(0, 4) : [""]));
  }
  return found;
}

function looksLikePath(value: string): boolean {
  return (
    value.length < 400 &&
    /^(?:[~/.]|\$HOME)[\w~./*$@%+ -]*$|^[\w.-]+\.(?:env|pem|key|json|txt|db|sqlite|yml|yaml|npmrc)$|^\.\w/.test(
      value,
    ) &&
    !/^\.+$|^\/$/.test(value)
  );
}

function environmentIn(text: string): readonly string[] {
  const names = [
    ...text.matchAll(
      /(?:environ(?:\.get\(|\[)|getenv\(|process\.env(?:\.|\[)|\bENV(?:\[|\.fetch\()|\$ENV\{|\$_ENV\[|Deno\.env\.get\()\s*["']?([A-Za-z_]\w*)/g,
    ),
  ].map((match) => match[1] ?? "");
  const whole =
    /\b(?:os\.environ(?!\s*[.[]\s*(?:get|\w*["'\w]))|process\.env(?!\s*[.[])|ENV\.(?:to_h|inspect)|%ENV\b|dict\(os\.environ|environ\.items|environ\.copy|Deno\.env\.toObject|printenv|\$_SERVER\b)/.test(
      text,
    );
  return whole ? [...names, "*"] : names;
}
