import { isKnown } from "../../words/partly-known-text.ts";
import { decodeBase64 } from "../emulate.ts";
import type { ProgramRows } from "../program-row.ts";
import { valuesOf } from "../row-parts.ts";

/** Keys, certificates, and stores of passwords. */
export const SECRETS: ProgramRows = {
  gpg: {
    options: {
      values:
        "-o -r -u --output --recipient --local-user --homedir --passphrase --keyserver --passphrase-file",
      same: "--output=-o --decrypt=-d --encrypt=-e --symmetric=-c",
    },
    access: { args: "r*", options: { "-o": "w" } },
    filters: true,
    printsSecret: /^ .*--export-secret-\S+/,
  },
  gpg2: { like: "gpg" },
  "age keytool certutil": { access: "r*" },
  sops: { access: "r*", printsSecret: /^ (?:-d|--decrypt|decrypt)/ },
  openssl: {
    options: {
      values:
        "-in -out -k -K -iv -connect -inkey -passin -passout -pass -key -cert -CAfile -subj -days -newkey -keyout -servername -host -port",
      oneDash: true,
      subcommands: true,
    },
    access: {
      args: "-*",
      options: { "-in": "u", "-out": "w", "-inkey": "u", "-connect": "h", "-host": "h" },
      more: (parsed, add) => {
        // `x509 -in cert.pem` looks at a certificate; `enc` and the key commands print what they are given.
        if (!/^(?:enc|base64|rsa|pkey|ec|dsa|pkcs12|pkcs8|smime|cms|aes\S*)$/.test(parsed.args[0] ?? ""))
          return;
        if (parsed.flags.includes("-pubout")) return;
        for (const path of valuesOf(parsed, "-in")) add("r", path);
      },
    },
    output: (words, input) => {
      const decodes =
        words.includes("-d") && (words[0] === "base64" || words.includes("-base64") || words.includes("-a"));
      return decodes && input !== undefined && isKnown(input) && !words.includes("-in")
        ? decodeBase64(input)
        : undefined;
    },
    filters: true,
    sendsStdin: ({ words }) => words[0] === "s_client",
    carriesShell: "input",
  },
  security: {
    options: { values: "-a -s -l -D -k", subcommands: true },
    printsSecret: /^ (?:find-(?:generic|internet)-password|dump-keychain|export)/,
  },
  op: {
    options: { values: "--vault --account --format", subcommands: true },
    wrapsAfter: { run: { values: "--env-file", afterDashes: true } },
    printsSecret: /^ (?:read|item get|document get)/,
  },
  pass: { options: { subcommands: true }, printsSecret: /^ (?:show )?[\w/-]+$/ },
  bw: { printsSecret: /^ (?:get|list|export)/ },
  lpass: { printsSecret: /^ show/ },
  "secret-tool": { printsSecret: /^ (?:lookup|search)/ },
  keyring: { printsSecret: /^ get/ },
  vault: {
    options: { values: "-field -format -address -namespace", oneDash: true, subcommands: true },
    printsSecret: /^ (?:read|kv get|print token)/,
  },
  doppler: {
    wrapsAfter: { run: { values: "-p -c --project --config", afterDashes: true } },
    printsSecret: /^ secrets/,
  },
  chezmoi: { printsSecret: /^ secret/ },
  "ansible-vault": { printsSecret: /^ (?:view|decrypt)/, namesOnly: true },
  "aws-vault": { wrapsAfter: { exec: { afterDashes: true } } },
  "kwallet-query pbpaste wl-paste": { printsSecret: /^/ },
  xclip: { printsSecret: /^ -o/ },
  "ssh-keygen": { printsSecret: /^ -y/, namesOnly: true },
  "ssh-add mkcert dotenv-linter": { namesOnly: true },
  dotenv: { access: { args: "-*", options: { "-e": "u" } }, wraps: { values: "-e -v -p -c -f" } },
  direnv: { wrapsAfter: { exec: { skip: 1 } } },
};
