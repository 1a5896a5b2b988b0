/**
 * What an argument or option value is to its program.
 * `r` read, `u` read to be used and not shown, `w` written, `d` deleted, `m` moved away, `h` a host, `a` an address
 * (URL), `p` a path here (read) or on another machine, `q` one that is written, `-` nothing of these.
 */
export type Role = "r" | "u" | "w" | "d" | "m" | "h" | "a" | "p" | "q" | "-";

/** Adds one value by its role. */
export type AddTouch = (role: Role, value: string) => void;

/**
 * What a program touches. `args` gives the role of each argument; a role with `*` holds for as many as there are, and
 * a role after that for the last one. `options` gives the role of option values.
 */
export interface TouchRow {
  readonly args?: string;
  readonly options?: Readonly<Record<string, Role>>;
}

const reader: TouchRow = { args: "r*" };
const searcher: TouchRow = { args: "- r*", options: { "-f": "r" } };
const writer: TouchRow = { args: "w*" };
const measurer: TouchRow = { args: "u*" };
const packer: TouchRow = { args: "w*" };

const READERS =
  "cat less more most bat batcat view nl tac od hexdump xxd strings base64 base32 uuencode uniq cut paste join comm column fold fmt expand rev diff cmp vimdiff sdiff colordiff pr tail head sort csvtool xsv plutil zcat bzcat xzcat zless gunzip unxz bunzip2 iconv enscript lp lpr nkf rot13 jless glow mdcat pygmentize highlight ccat gpg age sops openssl keytool certutil qrencode basenc look ul ptx shuf tsort aspell xmllint";

/** Programs that tell something about a file without its content. */
const MEASURERS = "md5sum sha1sum sha256sum sha512sum shasum cksum b2sum wc tokei cloc";

const rows: Readonly<Record<string, TouchRow>> = {
  grep: searcher,
  rg: searcher,
  awk: { args: "- r*", options: { "-f": "u" } },
  sed: searcher,
  jq: { args: "- r*", options: { "-f": "u", "--slurpfile": "-" } },
  yq: searcher,
  sort: { args: "r*", options: { "-o": "w", "--files0-from": "r" } },
  split: { args: "r w" },
  csplit: { args: "r -*", options: { "-f": "w" } },
  iconv: { args: "r*", options: { "-o": "w" } },
  gcc: { args: "u*", options: { "-o": "w" } },
  cc: { args: "u*", options: { "-o": "w" } },
  clang: { args: "u*", options: { "-o": "w" } },
  ack: searcher,
  ed: writer,
  ex: writer,
  pico: writer,
  dos2unix: writer,
  unix2dos: writer,
  uniq: { args: "r w" },
  xxd: { args: "r w" },
  cp: { args: "r* w", options: { "-t": "w", "--target-directory": "w" } },
  install: { args: "r* w" },
  mv: { args: "m* w", options: { "-t": "w", "--target-directory": "w" } },
  rename: { args: "- m*" },
  ln: { args: "u* w" },
  rm: { args: "d*" },
  rmdir: { args: "d*" },
  unlink: { args: "d*" },
  shred: { args: "d*" },
  srm: { args: "d*" },
  wipe: { args: "d*" },
  trash: { args: "m*" },
  rimraf: { args: "d*" },
  "del-cli": { args: "d*" },
  del: { args: "d*" },
  truncate: writer,
  fallocate: writer,
  touch: writer,
  mkdir: writer,
  mkfifo: writer,
  mknod: { args: "w -*" },
  tee: writer,
  sponge: writer,
  chmod: { args: "- w*" },
  chown: { args: "- w*" },
  chgrp: { args: "- w*" },
  chattr: { args: "- w*" },
  setfacl: { args: "w*" },
  patch: writer,
  gzip: packer,
  bzip2: packer,
  xz: packer,
  zstd: packer,
  vi: writer,
  vim: writer,
  nvim: writer,
  nano: writer,
  emacs: writer,
  code: { args: "r*" },
  open: { args: "u*" },
  zip: { args: "w r*" },
  unzip: { args: "u", options: { "-d": "w" } },
  "7z": { args: "- w r*" },
  gpg: { args: "r*", options: { "-o": "w" } },
  openssl: { args: "-*", options: { "-in": "u", "-out": "w", "-inkey": "u", "-connect": "h", "-host": "h" } },
  curl: {
    args: "a*",
    options: {
      "-o": "w",
      "--output-dir": "w",
      "-T": "p",
      "--url": "a",
      "-K": "u",
      "--key": "u",
      "--cert": "u",
      "--cacert": "u",
      "-x": "h",
    },
  },
  wget: { args: "a*", options: { "-O": "w", "--post-file": "p", "--body-file": "p", "-i": "r", "-P": "w" } },
  http: { args: "-*" },
  aria2c: { args: "a*" },
  lynx: { args: "a*" },
  w3m: { args: "a*" },
  links: { args: "a*" },
  nc: { args: "h -*" },
  telnet: { args: "h -*" },
  ftp: { args: "h -*" },
  tftp: { args: "h -*" },
  ssh: { args: "h -*", options: { "-i": "u", "-J": "h" } },
  lftp: { args: "h -*" },
  smbclient: { args: "a -*" },
  sftp: { args: "h", options: { "-i": "u" } },
  sqlite3: { args: "r -*" },
  scp: { args: "p* q", options: { "-i": "u" } },
  rsync: { args: "p* q", options: { "--files-from": "u", "--password-file": "u" } },
  "ssh-copy-id": { args: "h", options: { "-i": "u" } },
  dig: { args: "h*" },
  nslookup: { args: "h*" },
  host: { args: "h*" },
  ping: { args: "h" },
  getent: { args: "- h" },
  traceroute: { args: "h" },
  whois: { args: "h" },
  nmap: { args: "h*" },
  source: { args: "u -*" },
  ".": { args: "u -*" },
  sh: { args: "u -*" },
  python: { args: "u -*" },
  node: { args: "u -*" },
  perl: { args: "u -*" },
  ruby: { args: "u -*" },
  psql: { args: "-*", options: { "-f": "u", "-h": "h", "-o": "w" } },
  mysql: { args: "-*", options: { "-h": "h" } },
  "redis-cli": { args: "-*", options: { "-h": "h" } },
  crontab: { args: "u" },
  mkfs: { args: "w*" },
  wipefs: writer,
  mkswap: writer,
  badblocks: writer,
  blkdiscard: writer,
  sgdisk: writer,
  fdisk: writer,
  parted: { args: "w -*" },
  dotenv: { args: "-*", options: { "-e": "u" } },
};
let readers: ReadonlySet<string> | undefined;
let measurers: ReadonlySet<string> | undefined;

/** What a program's arguments and option values are, when it is known. */
export function touchRow(program: string): TouchRow | undefined {
  if (Object.hasOwn(rows, program)) return rows[program];
  readers ??= new Set(READERS.split(" "));
  if (readers.has(program)) return reader;
  measurers ??= new Set(MEASURERS.split(" "));
  return measurers.has(program) ? measurer : undefined;
}
