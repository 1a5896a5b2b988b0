import { isKnown } from "../../words/text.ts";
import { decodeBase64 } from "../emulate.ts";
import type { ProgramFamily } from "../program-row.ts";
import { valuesOf } from "../row-parts.ts";

/** Keys, certificates, and stores of passwords. */
export const SECRETS: ProgramFamily = {
  "gpg gpg2": {
    values: "-o -r -u --output --recipient --local-user --homedir --passphrase --keyserver --passphrase-file",
    same: "--output=-o --decrypt=-d --encrypt=-e --symmetric=-c",
    access: "r*",
    optionAccess: { "-o": "w" },
    traits: ["replaces"],
    printsSecret: /^ .*--export-secret-\S+/,
  },
  "age keytool certutil": { access: "r*" },
  sops: {
    access: "r*",
    wrapsAfter: { "exec-env": { skip: 1, text: true }, "exec-file": { skip: 1, text: true } },
    printsSecret: /^ (?:-d|--decrypt|decrypt)/,
  },
  openssl: {
    values:
      "-in -out -k -K -iv -connect -inkey -passin -passout -pass -key -cert -CAfile -subj -days -newkey -keyout -servername -host -port",
    access: "-*",
    optionAccess: { "-in": "u", "-out": "w", "-keyout": "w", "-inkey": "u", "-connect": "h", "-host": "h" },
    addAccess: (parsed, add) => {
      // `x509 -in cert.pem` looks at a certificate; `enc` and the key commands print what they are given.
      if (!/^(?:enc|base64|rsa|pkey|ec|dsa|pkcs12|pkcs8|smime|cms|aes\S*)$/.test(parsed.args[0] ?? ""))
        return;
      if (parsed.flags.includes("-pubout")) return;
      for (const path of valuesOf(parsed, "-in")) add("r", path);
    },
    output: (words, input) => {
      const decodes =
        words.includes("-d") && (words[0] === "base64" || words.includes("-base64") || words.includes("-a"));
      return decodes && input !== undefined && isKnown(input) && !words.includes("-in")
        ? decodeBase64(input)
        : undefined;
    },
    sendsStdinWhen: ({ words }) => words[0] === "s_client",
    // The output is emptied before the input is read.
    empties: ({ touches }) =>
      touches.writes.some((path) => [...touches.reads, ...touches.uses].includes(path)),
    carriesShell: "input",
    traits: ["oneDash", "subcommands", "filters", "replaces"],
  },
  security: {
    values: "-a -s -l -D -k",
    printsSecret: /^ (?:find-(?:generic|internet)-password|dump-keychain|export)/,
    traits: ["subcommands"],
  },
  op: {
    values: "--vault --account --format",
    wrapsAfter: { run: { values: "--env-file", afterDashes: "when given" } },
    printsSecret: /^ (?:read|item get|document get)/,
    traits: ["subcommands"],
  },
  pass: {
    printsSecret: /^ (?:show )?(?!(?:ls|list|find|search|git|init|help|version|grep)\b)[\w/-]+$/,
    traits: ["subcommands"],
  },
  bw: { printsSecret: /^ (?:get|list|export)/ },
  lpass: { printsSecret: /^ show/ },
  "secret-tool": { printsSecret: /^ (?:lookup|search)/ },
  keyring: { printsSecret: /^ get/ },
  vault: {
    values: "-field -format -address -namespace",
    printsSecret: /^ (?:read|kv get|print token|unwrap|token create)/,
    traits: ["oneDash", "subcommands"],
  },
  doppler: {
    wrapsAfter: {
      run: { values: "-p -c --project --config", scripts: "--command", afterDashes: "when given" },
    },
    printsSecret: /^ secrets(?! .*--only-names)(?:$| (?:get|download|substitute|-))/,
  },
  chezmoi: { printsSecret: /^ secret/ },
  "ansible-vault": { printsSecret: /^ (?:view|decrypt)/, traits: ["namesOnly"] },
  "aws-vault": {
    wrapsAfter: {
      exec: { values: "-d -t --duration --mfa-token --region", skip: 1, afterDashes: "when given" },
    },
  },
  chamber: { wrapsAfter: { exec: { values: "-b --backend", skip: 1, afterDashes: "when given" } } },
  "infisical teller": {
    wrapsAfter: {
      run: {
        values: "--env --path --projectId --token -c --config",
        scripts: "--command",
        afterDashes: "when given",
      },
    },
  },
  "kwallet-query pbpaste wl-paste": { printsSecret: /^/ },
  xclip: { printsSecret: /^ -o/ },
  "ssh-keygen": {
    values: "-f -N -t -b -C -P -I -n -O -Y -m -r -Z -a -V -z -w -D -M -s -R -F",
    addAccess: (parsed, add) => {
      const shows = parsed.flags.some((flag) => /^-[lyBeFLQ]$/.test(flag));
      for (const path of valuesOf(parsed, "-f")) add(shows ? "u" : "w", path);
    },
    printsSecret: /^ -y/,
    traits: ["namesOnly", "replaces"],
  },
  "age-keygen": {
    values: "-o --output",
    access: "u*",
    optionAccess: { "-o": "w", "--output": "w" },
    traits: ["namesOnly"],
  },
  "ssh-add mkcert dotenv-linter": { traits: ["namesOnly"] },
  dotenvx: { wrapsAfter: { run: { values: "-e -f -fk --env --env-file", afterDashes: "when given" } } },
  "dotenv dotenv-cli": {
    access: "-*",
    optionAccess: { "-e": "u" },
    wraps: { values: "-e -v -p -c -f" },
  },
  direnv: { wrapsAfter: { exec: { skip: 1 } } },
};
