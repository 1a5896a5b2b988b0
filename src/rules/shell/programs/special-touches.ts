import { remoteHost } from "../behaviours/hosts.ts";
import { baseName, matchesOf } from "../words/text.ts";
import type { ParsedOptions, Touches } from "./invocation.ts";
import type { AddTouch } from "./touch-table.ts";

type Special = (parsed: ParsedOptions, add: AddTouch, touches: Touches) => void;

const value = (parsed: ParsedOptions, ...flags: readonly string[]): readonly string[] =>
  parsed.options.filter((option) => flags.includes(option.flag)).map((option) => option.value);

/** What of git writes into files it is given. */
const GIT_WRITERS = new Set(["archive", "format-patch", "bundle"]);

/** `git clone`, `git push` and the like with an address instead of the name of a remote. */
const gitTouches: Special = (parsed, add) => {
  const [command, ...rest] = parsed.args;
  for (const arg of rest)
    if (/:\/\//.test(arg) || (remoteHost(arg) !== undefined && /[@/]/.test(arg)))
      add("a", arg.replace(/^([^/:]+):(?!\/\/)/, "ssh://$1/"));
  if (parsed.options.length > 0)
    for (const path of value(parsed, "--output", "--output-directory")) add("w", path);
  if (GIT_WRITERS.has(command ?? "") && !parsed.flags.includes("--stdout"))
    for (const arg of rest) if (/[./]/.test(arg) && !arg.includes("..")) add("w", arg);
  if (command === "rm" || command === "mv") for (const arg of rest) add("m", arg);
  if (command === "checkout" || command === "restore")
    for (const arg of rest.filter((path) => path.includes("."))) add("w", arg);
  if (command === "diff" || command === "blame" || command === "show")
    for (const arg of rest) if (/[./]/.test(arg)) add("r", arg);
};

/** Copies between here and a store such as `s3://bucket`. */
function storeTouches(parsed: ParsedOptions, add: AddTouch, touches: Touches, from: number): void {
  const paths = parsed.args.slice(from);
  const stores = paths.filter((arg) => /^[\w-]+:/.test(arg));
  for (const store of stores) add("a", store);
  if (!/^[\w-]+:/.test(paths.at(-1) ?? "")) return;
  for (const path of paths.filter((arg) => !stores.includes(arg))) {
    add("r", path);
    touches.uploads.push(path);
  }
}

/** Packers that write to standard output leave their file as it is. */
const toOutput: Special = (parsed, _add, touches) => {
  if (parsed.flags.some((flag) => /^(?:-c|--stdout|--to-stdout)$/.test(flag)))
    touches.reads.push(...touches.writes.splice(0));
};

/** `w file` and `r file` in a script of sed, by themselves, behind an address or as a flag of `s`. */
const SED_FILE = /(?:^|[;{}\n]\s*|\d\s*|\$\s*|\/[gpIiMm\d]*)([rRwW])\s+([^\s;}][^\n;}]{0,400})/g;

/** With `-i` what they read is changed. */
const inPlace: Special = (parsed, _add, touches) => {
  if (parsed.flags.includes("-i")) touches.writes.push(...touches.reads.splice(0), ...touches.uses.splice(0));
};

/** Programs that put their files on a public site. */
const paste: Special = (parsed, add, touches) => {
  for (const arg of parsed.args) upload(arg, add, touches);
  touches.connects.push("paste.invalid");
};

/** Programs that need more than a row: values inside arguments, directions, modes. */
export const SPECIAL_TOUCHES: Readonly<Record<string, Special>> = {
  dd: (parsed, add) => {
    for (const arg of parsed.args) {
      if (arg.startsWith("if=")) add("r", arg.slice(3));
      if (arg.startsWith("of=")) add("w", arg.slice(3));
    }
  },
  sed: (parsed, add, touches) => {
    if (parsed.flags.some((flag) => flag === "-e" || flag === "-f") && parsed.args[0] !== undefined)
      add("r", parsed.args[0]);
    if (parsed.flags.includes("-i")) touches.writes.push(...touches.reads.splice(0));
    for (const script of [...parsed.args.slice(0, 1), ...value(parsed, "-e")])
      for (const [, command = "", path = ""] of matchesOf(SED_FILE, script))
        add(command.toLowerCase() === "w" ? "w" : "r", path);
  },
  yq: inPlace,
  ruby: inPlace,
  perl: (parsed, add) => {
    if (parsed.flags.includes("-i")) for (const arg of parsed.args) add("w", arg);
    else if (parsed.flags.includes("-n") || parsed.flags.includes("-p"))
      for (const arg of parsed.args) add("r", arg);
  },
  grep: (parsed, add) => {
    if (parsed.flags.includes("-e") && parsed.args[0] !== undefined) add("r", parsed.args[0]);
    if (parsed.flags.includes("-r") && parsed.args.length === 1) add("r", ".");
  },
  tar: (parsed, add) => {
    // `tar czf archive folder`: the letters may stand without a dash, the archive's name after them.
    const bare =
      !parsed.flags.some((flag) => /^-[cxtruAd]$/.test(flag)) && /^[A-Za-z]+$/.test(parsed.args[0] ?? "")
        ? parsed.args[0]
        : undefined;
    const letters = bare ?? parsed.flags.map((flag) => (flag.length === 2 ? flag[1] : "")).join("");
    const args = bare === undefined ? parsed.args : parsed.args.slice(bare.includes("f") ? 2 : 1);
    const archive = bare?.includes("f") === true ? parsed.args[1] : value(parsed, "-f")[0];
    const packs = /[cru]/.test(letters);
    const [from] = value(parsed, "-C");
    if (archive !== undefined && archive !== "-") add(packs ? "w" : "u", archive);
    if (parsed.flags.includes("--remove-files")) for (const arg of args) add("d", arg);
    if (packs)
      for (const arg of args) add("r", from === undefined || arg.startsWith("/") ? arg : `${from}/${arg}`);
    else if (/x/.test(letters) && from !== undefined) add("w", from);
  },
  zip: (parsed, add) => {
    if (parsed.flags.includes("-m")) for (const arg of parsed.args.slice(1)) add("d", arg);
  },
  curl: (parsed, add, touches) => {
    for (const text of value(
      parsed,
      "-d",
      "--data-binary",
      "--data-urlencode",
      "--json",
      "-b",
      "--url-query",
    )) {
      const at = /^(?:[\w.-]*)@(.+)$/s.exec(text)?.[1];
      if (at !== undefined) upload(at, add, touches);
    }
    for (const text of value(parsed, "-F")) {
      const at = /^[^=]*=[@<]([^;,]+)/.exec(text)?.[1];
      if (at !== undefined) upload(at, add, touches);
    }
    if (parsed.flags.includes("-O")) for (const arg of parsed.args) add("w", lastSegment(arg));
    for (const path of value(parsed, "-T")) upload(path, add, touches, true);
  },
  wget: (parsed, add, touches) => {
    if (!parsed.flags.includes("-O")) for (const arg of parsed.args) add("w", lastSegment(arg));
    for (const path of value(parsed, "--post-file", "--body-file")) upload(path, add, touches, true);
  },
  http: (parsed, add, touches) => {
    const [address] = parsed.args.filter((arg) => !/^[A-Z]+$/.test(arg));
    if (address !== undefined) add("a", address.replace(/^:(?=\d|\/|$)/, "localhost:"));
    for (const arg of parsed.args) {
      const at = /^[\w.-]*(?:@|=@|:=@)(.+)$/.exec(arg)?.[1];
      if (at !== undefined) upload(at, add, touches);
    }
  },
  scp: (parsed, _add, touches) => {
    if (remoteHost(parsed.args.at(-1) ?? "") !== undefined) touches.uploads.push(...touches.reads);
  },
  rsync: (parsed, add, touches) => {
    if (remoteHost(parsed.args.at(-1) ?? "") !== undefined) touches.uploads.push(...touches.reads);
    else if (parsed.flags.some((flag) => flag.startsWith("--del")) && parsed.args.length > 1)
      add("m", parsed.args.at(-1) ?? "");
  },
  nc: (parsed, add, touches) => {
    touches.connects.length = 0;
    const host = parsed.args.find((arg) => !/^\d+(?:-\d+)?$/.test(arg));
    if (host !== undefined && !parsed.flags.includes("-U")) add("h", host);
    else if (parsed.flags.includes("-l")) touches.connects.push("0.0.0.0");
  },
  socat: (parsed, add) => {
    for (const arg of parsed.args) {
      const host =
        /^(?:TCP|TCP4|TCP6|UDP|UDP4|OPENSSL|SSL|PROXY|SOCKS\w*)(?:-CONNECT|-DATAGRAM|-SENDTO)?:(?!-)([^:,]+)/i.exec(
          arg,
        )?.[1];
      if (host !== undefined) add("h", host);
      const file = /^(?:FILE|OPEN|GOPEN):([^,]+)/i.exec(arg)?.[1] ?? (/^[/~.]/.test(arg) ? arg : undefined);
      if (file !== undefined) add("r", file);
    }
  },
  dig: (_parsed, _add, touches) => {
    const names = touches.connects.filter(
      (host) => !/^[@+]/.test(host) && !/^(?:txt|a|aaaa|mx|ns|any|cname|soa|srv|ptr|in)$/.test(host),
    );
    touches.connects.splice(0, touches.connects.length, ...names);
  },
  mail: (parsed, add, touches) => {
    for (const arg of parsed.args) if (arg.includes("@")) add("a", arg);
    for (const path of value(parsed, "-a", "-A", "--attach")) upload(path, add, touches);
  },
  sendmail: (parsed, add) => {
    for (const arg of parsed.args) if (arg.includes("@")) add("a", arg);
  },
  git: gitTouches,
  gzip: toOutput,
  bzip2: toOutput,
  xz: toOutput,
  zstd: toOutput,
  pastebinit: paste,
  wgetpaste: paste,
  gist: paste,
  haste: paste,
  transfer: paste,
  openssl: (parsed, add) => {
    // `x509 -in cert.pem` looks at a certificate; `enc` and the key commands print what they are given.
    if (!/^(?:enc|base64|rsa|pkey|ec|dsa|pkcs12|pkcs8|smime|cms|aes\S*)$/.test(parsed.args[0] ?? "")) return;
    if (parsed.flags.includes("-pubout")) return;
    for (const path of value(parsed, "-in")) add("r", path);
  },
  docker: (parsed, add, touches) => {
    for (const path of value(parsed, "--env-file")) add("u", path);
    if (parsed.args[0] === "cp")
      for (const arg of parsed.args.slice(1)) if (!arg.includes(":")) add("r", arg);
    const bare = parsed.args.filter((arg) => /^[/~]/.test(arg));
    for (const volume of [...value(parsed, "--volume", "--mount"), ...bare]) {
      const path = mountedPath(volume);
      if (path !== undefined) touches.reads.push(path);
    }
  },
  gh: (parsed, add, touches) => {
    const [area, action] = parsed.args;
    if (area === "gist" && action === "create")
      for (const arg of parsed.args.slice(2)) upload(arg, add, touches);
    if (area === "release" && (action === "upload" || action === "create"))
      for (const arg of parsed.args.slice(3)) upload(arg, add, touches);
    for (const text of value(parsed, "-F", "-f", "--field", "--raw-field", "--input"))
      if (text.includes("@")) upload(text.slice(text.indexOf("@") + 1), add, touches);
    if (area === "gist" || area === "api" || area === "release") touches.connects.push("github.com");
  },
  aws: (parsed, add, touches) => {
    if (parsed.args[0] === "s3" && /^(?:cp|mv|sync)$/.test(parsed.args[1] ?? ""))
      storeTouches(parsed, add, touches, 2);
    for (const path of value(parsed, "--body")) upload(path.replace(/^fileb?:\/\//, ""), add, touches);
  },
  az: (parsed, add, touches) => {
    if (!parsed.args.some((arg) => /^upload/.test(arg))) return;
    for (const path of value(parsed, "-f", "--file", "-s", "--source")) upload(path, add, touches);
    touches.connects.push("blob.core.windows.net");
  },
  gsutil: (parsed, add, touches) => storeTouches(parsed, add, touches, 1),
  gcloud: (parsed, add, touches) => {
    if (parsed.args[0] === "storage" || parsed.args[1] === "scp") storeTouches(parsed, add, touches, 2);
  },
  azcopy: (parsed, add, touches) => storeTouches(parsed, add, touches, 1),
  rclone: (parsed, add, touches) => storeTouches(parsed, add, touches, 1),
  mc: (parsed, add, touches) => storeTouches(parsed, add, touches, 1),
  s3cmd: (parsed, add, touches) => storeTouches(parsed, add, touches, 1),
  croc: (parsed, add, touches) => {
    if (parsed.args[0] === "send") for (const path of parsed.args.slice(1)) upload(path, add, touches);
    touches.connects.push("croc.schollz.com");
  },
  wormhole: (parsed, add, touches) => {
    if (parsed.args[0] === "send") for (const path of parsed.args.slice(1)) upload(path, add, touches);
    touches.connects.push("relay.magic-wormhole.io");
  },
  find: (parsed, add) => {
    for (const option of parsed.flags.includes("-delete") ? parsed.args.slice(0, 1) : []) add("w", option);
    for (const { value } of parsed.options) add("w", value);
  },
};

/** The path here that `-v path:place` or `--mount source=path,…` shows to a container. */
function mountedPath(volume: string): string | undefined {
  const fields = volume.split(",");
  const field = fields.find((text) => /^(?:source|src)=/.test(text));
  if (field !== undefined) return field.slice(field.indexOf("=") + 1);
  const colon = volume.indexOf(":");
  return /^[/~]/.test(volume) && colon !== -1 ? volume.slice(0, colon) : undefined;
}

/** The name a download is saved under when none is given. */
function lastSegment(address: string): string {
  const [bare = ""] = address.split(/[?#]/, 1);
  const scheme = bare.indexOf("://");
  const path = scheme === -1 ? bare : bare.slice(scheme + 3);
  return path.includes("/") ? baseName(path) || "index.html" : "index.html";
}

/** A file whose content leaves by an argument; `-` is the standard input. */
function upload(path: string, add: AddTouch, touches: Touches, listed = false): void {
  if (path === "-" || path === "/dev/stdin" || path === ".") return;
  if (!listed) add("r", path);
  touches.uploads.push(path);
}
