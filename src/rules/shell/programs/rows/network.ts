import { isThrowAway } from "../../judge/throw-away.ts";
import type { Walk } from "../../state/frame.ts";
import { remoteHost } from "../../words/hosts.ts";
import { isOutside, isWholeTree } from "../../words/paths.ts";
import { baseName, shown, unknownParts } from "../../words/text.ts";
import type { AddAccess, Invocation, ProgramFamily, WrittenCommand } from "../program-row.ts";
import { reach, readsWhenRecursive, upload, valuesOf } from "../row-parts.ts";
import { REMOTE_SHELL } from "../service-changes.ts";

const SSH = "-i -p -l -o -F -L -R -D -J -b -c -E -e -I -m -O -Q -S -W -w -B";
const SSH_COMMAND = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is;
/** `-d @file`; `-H @file` sends each line of the file as a header. */
const CURL_DATA =
  "-d --data-binary --data-urlencode --json -b --url-query -H --proxy-header --variable".split(" ");

/** The name a download is saved under when none is given. */
function lastSegment(address: string): string {
  const [bare = ""] = address.split(/[?#]/, 1);
  const scheme = bare.indexOf("://");
  const path = scheme === -1 ? bare : bare.slice(scheme + 3);
  return path.includes("/") ? baseName(path) || "index.html" : "index.html";
}

/** Lines of a dialogue that a shell runs here: `!command`. */
function escapes(_command: WrittenCommand, _walk: Walk, stdin: string | undefined): readonly string[] {
  return (stdin ?? "").split("\n").flatMap((line) => /^\s*!(.+)$/.exec(line)?.[1] ?? []);
}

/** Files named in the dialogue of a transfer program, as in `sftp host <<< "put file"`. */
function inTransfer({ stdin, words }: Invocation): readonly string[] {
  const text = [stdin.text ?? "", ...words, words.slice(words.indexOf("-c") + 1).join(" ")].join("\n");
  return text.split(/[\n;"']/).flatMap((statement) => {
    const [command = "", ...files] = statement.trim().split(/\s+/);
    const sends = /^(?:m?put|reput)$/.test(command) || (command === "mirror" && files.includes("-R"));
    return sends ? files.filter((file) => !file.startsWith("-")).slice(0, command === "mput" ? 64 : 1) : [];
  });
}

/** Files named in the settings that curl reads from a substitution or its input. */
function inSettings({ stdin, words, walk }: Invocation): readonly string[] {
  if (!words.some((word) => word === "-K" || word === "--config")) return [];
  const text = words
    .flatMap((word) => unknownParts(word))
    .map((part) => walk.substitutions.get(part)?.text ?? "");
  return [...[...text, stdin.text ?? ""].join("\n").matchAll(/[@=]"?@?((?:[~./]|\.)[^\s"]+)/g)].map(
    (match) => match[1] ?? "",
  );
}

/** Programs that put their files on a public site. */
const paste: AddAccess = (parsed, add, touches) => {
  for (const arg of parsed.args) upload(arg, add, touches);
  touches.connects.push("paste.invalid");
};

function sendsOver(relay: string): AddAccess {
  return (parsed, add, touches) => {
    if (parsed.args[0] === "send") for (const path of parsed.args.slice(1)) upload(path, add, touches);
    touches.connects.push(relay);
  };
}

/** What `rsync --delete` from nothing, onto a whole tree or onto one outside of the project leaves nothing of. */
function deletedAtTarget({ parsed, touches }: Invocation): readonly string[] {
  const tries = parsed.flags.some((flag) => flag === "-n" || flag === "--dry-run" || flag === "--list-only");
  if (tries || !parsed.flags.some((flag) => flag.startsWith("--del"))) return [];
  const fromNothing = touches.reads.some((path) => /empty|tmp\.X|\/dev\/null/.test(shown(path)));
  return touches.moves.filter(
    (path) => !isThrowAway(path) && (fromNothing || isWholeTree(path) || isOutside(path)),
  );
}

/** Programs that talk to other machines. */
export const NETWORK: ProgramFamily = {
  curl: {
    values:
      "-X -H -d -F -o -T -u -A -e -b -c -x -m -w -r -K -C -E -Y -y -z -t -P -Q -U --request --header --data --data-raw --data-binary --data-ascii --data-urlencode --json --form --form-string --output --output-dir --upload-file --user --user-agent --referer --cookie --cookie-jar --proxy --max-time --connect-timeout --write-out --range --config --cert --key --cacert --resolve --retry --retry-delay --retry-max-time --url --interface --limit-rate --unix-socket --proxy-user --oauth2-bearer --max-redirs --ciphers --proto --tls-max --capath --dump-header -D --connect-to --preproxy --socks5 --socks5-hostname --mail-from --mail-rcpt --variable --expand-data --expand-url --aws-sigv4 --proxy-header --doh-url --netrc-file --url-query --rate",
    same: "--request=-X --header=-H --data=-d --data-ascii=-d --form=-F --output=-o --upload-file=-T --user=-u --user-agent=-A --referer=-e --cookie=-b --proxy=-x --config=-K --remote-name=-O --head=-I --get=-G --location=-L --silent=-s --fail=-f --insecure=-k",
    access: "a*",
    optionAccess: {
      "-o": "w",
      "--output-dir": "w",
      "-T": "p",
      "--url": "a",
      "-K": "u",
      "--key": "u",
      "--cert": "u",
      "--cacert": "u",
      "--unix-socket": "r",
      "-x": "h",
    },
    addAccess: (parsed, add, touches) => {
      for (const text of valuesOf(parsed, ...CURL_DATA)) {
        const at = /^(?:[\w.-]*)@(.+)$/s.exec(text)?.[1];
        if (at !== undefined) upload(at, add, touches);
      }
      for (const text of valuesOf(parsed, "-F")) {
        const at = /^[^=]*=[@<]([^;,]+)/.exec(text)?.[1];
        if (at !== undefined) upload(at, add, touches);
      }
      if (parsed.flags.includes("-O")) for (const arg of parsed.args) add("w", lastSegment(arg));
      for (const path of valuesOf(parsed, "-T")) upload(path, add, touches, true);
    },
    dialogue: inSettings,
    traits: ["fetches", "harmless", "replaces"],
  },
  wget: {
    values:
      "-O -o -a -P -i -U -t -T -w -Q -e --output-document --output-file --directory-prefix --input-file --user-agent --header --post-data --post-file --body-data --body-file --method --user --password --tries --timeout --certificate --private-key --referer --load-cookies --save-cookies --use-askpass",
    starts: "--use-askpass",
    commandOptions: [["-e", /^use_?askpass\s*=\s*(.+)$/is]],
    same: "--output-document=-O --directory-prefix=-P --input-file=-i --quiet=-q --mirror=-m --recursive=-r",
    access: "a*",
    optionAccess: { "-O": "w", "--post-file": "p", "--body-file": "p", "-i": "r", "-P": "w" },
    addAccess: (parsed, add, touches) => {
      if (!parsed.flags.includes("-O")) for (const arg of parsed.args) add("w", lastSegment(arg));
      for (const path of valuesOf(parsed, "--post-file", "--body-file")) upload(path, add, touches, true);
    },
    traits: ["fetches", "harmless", "replaces"],
  },
  "http https xh": {
    values: "-a --auth -o --output -A --proxy --timeout --session",
    access: "-*",
    addAccess: (parsed, add, touches) => {
      const [address] = parsed.args.filter((arg) => !/^[A-Z]+$/.test(arg));
      if (address !== undefined) add("a", address.replace(/^:(?=\d|\/|$)/, "localhost:"));
      for (const arg of parsed.args) {
        const at = /^[\w.-]*(?:@|=@|:=@)(.+)$/.exec(arg)?.[1];
        if (at !== undefined) upload(at, add, touches);
      }
    },
    traits: ["fetches", "sendsStdin"],
  },
  "aria2c lynx w3m links": { access: "a*", traits: ["fetches"] },
  "nc ncat netcat": {
    values: "-w -p -s -e -c -X -x -i -q -g -G -I -O -T -V --exec --sh-exec --source-port --wait",
    same: "--exec=-e --sh-exec=-c --listen=-l --unixsock=-U",
    access: "h -*",
    addAccess: (parsed, add, touches) => {
      touches.connects.length = 0;
      const host = parsed.args.find((arg) => !/^\d+(?:-\d+)?$/.test(arg));
      if (host !== undefined) add(parsed.flags.includes("-U") ? "r" : "h", host);
      else if (parsed.flags.includes("-l")) touches.connects.push("0.0.0.0");
    },
    carriesShell: "input or option",
    traits: ["fetches", "sendsStdin"],
  },
  "nc.traditional nc.openbsd": { like: "nc", carriesShell: "input or option", traits: ["sendsStdin"] },
  socat: {
    values: "-T -t -b",
    addAccess: (parsed, add) => {
      for (const arg of parsed.args) {
        const host =
          /^(?:TCP|TCP4|TCP6|UDP|UDP4|OPENSSL|SSL|PROXY|SOCKS\w*)(?:-CONNECT|-DATAGRAM|-SENDTO)?:(?!-)([^:,]+)/i.exec(
            arg,
          )?.[1];
        if (host !== undefined) add("h", host);
        const file =
          /^(?:FILE|OPEN|GOPEN|UNIX(?:-CONNECT|-CLIENT|-SENDTO)?):([^,]+)/i.exec(arg)?.[1] ??
          (/^[/~.]/.test(arg) ? arg : undefined);
        if (file !== undefined) add("r", file);
      }
    },
    commandArgument: /(?:^|!!)(?:EXEC|SYSTEM|SHELL):(.+?)(?:,[a-z-]+(?:[=,].*)?|!!.*)?$/is,
    carriesShell: "address",
    traits: ["fetches", "sendsStdin"],
  },
  telnet: { values: "-l -b -e -n", access: "h -*", carriesShell: "input", traits: ["fetches", "sendsStdin"] },
  ftp: { access: "h -*", dialogue: inTransfer, otherCommands: escapes, traits: ["fetches", "sendsStdin"] },
  tftp: { access: "h -*", dialogue: inTransfer, traits: ["sendsStdin"] },
  lftp: {
    values: "-e -c -u -p -f",
    access: "h -*",
    dialogue: inTransfer,
    otherCommands: escapes,
    traits: ["sendsStdin"],
  },
  smbclient: { values: "-c -U -p -I -W -A", access: "a -*", dialogue: inTransfer },
  ssh: {
    ...REMOTE_SHELL,
    values: SSH,
    access: "h -*",
    optionAccess: { "-i": "u", "-J": "h" },
    wraps: { values: SSH, skip: 1, text: true },
    commandOptions: [["-o", SSH_COMMAND]],
    traits: ["fetches", "sendsStdin"],
  },
  sftp: {
    values: "-i -P -F -l -o -S -c -J -b -B -R",
    access: "h",
    optionAccess: { "-i": "u" },
    dialogue: inTransfer,
    otherCommands: escapes,
    starts: "-S -D",
    commandOptions: [["-o", SSH_COMMAND]],
    traits: ["fetches"],
  },
  scp: {
    values: "-i -P -F -l -o -S -c -J",
    access: "p* q",
    optionAccess: { "-i": "u" },
    addAccess: (parsed, _add, touches) => {
      if (remoteHost(parsed.args.at(-1) ?? "") !== undefined) touches.uploads.push(...touches.reads);
    },
    reach: readsWhenRecursive("-r"),
    traits: ["replaces"],
    starts: "-S",
    commandOptions: [["-o", SSH_COMMAND]],
  },
  rsync: {
    values:
      "-e --rsh --exclude --include --exclude-from --include-from --files-from --rsync-path --password-file --port --bwlimit --log-file --backup-dir --temp-dir -T --filter -f --compare-dest --link-dest --max-size --timeout",
    same: "--archive=-a --recursive=-r --rsh=-e",
    access: "p* q",
    optionAccess: { "--files-from": "u", "--password-file": "u" },
    addAccess: (parsed, add, touches) => {
      const tries = parsed.flags.some((flag) => /^(?:-n|--dry-run|--list-only)$/.test(flag));
      if (remoteHost(parsed.args.at(-1) ?? "") !== undefined)
        (tries ? touches.uses : touches.uploads).push(...(tries ? touches.reads.splice(0) : touches.reads));
      else if (parsed.flags.some((flag) => flag.startsWith("--del")) && parsed.args.length > 1)
        add("m", parsed.args.at(-1) ?? "");
    },
    reach: (invocation) => [
      ...readsWhenRecursive("-r", "-a")(invocation),
      ...reach("writes", invocation.touches.moves, { certain: false }),
    ],
    starts: "-e --rsh --rsync-path",
    renames: "file",
    loses: deletedAtTarget,
    traits: ["replaces"],
  },
  "ssh-copy-id": { access: "h", optionAccess: { "-i": "u" } },
  sshpass: { wraps: { values: "-p -f -P -d" } },
  autossh: { wraps: { values: "-M -i -p -l -o -F -L -R -D -J", skip: 1, text: true } },
  mosh: { wraps: { values: "--ssh", skip: 1 } },
  pssh: {
    wraps: {
      values: "-h --hosts -l --user -p --par -o --outdir -e --errdir -t --timeout -O -H --host",
      text: true,
    },
  },
  pdsh: { wraps: { values: "-w -x -l -t -u -f -R -g", text: true } },
  clush: { wraps: { values: "-w -x -g -X -l -f -t -u", text: true } },
  dig: {
    values: "-t -x -p -k -y -f -b -c -q",
    access: "h*",
    addAccess: (_parsed, _add, touches) => {
      const names = touches.connects.filter(
        (host) => !/^[@+]/.test(host) && !/^(?:txt|a|aaaa|mx|ns|any|cname|soa|srv|ptr|in)$/.test(host),
      );
      touches.connects.splice(0, touches.connects.length, ...names);
    },
    traits: ["fetches", "looksUpNames"],
  },
  "drill kdig doggo": { like: "dig", traits: ["looksUpNames"] },
  host: { values: "-t -c -W -R -N", access: "h*", traits: ["fetches", "looksUpNames"] },
  nslookup: { access: "h*", traits: ["oneDash", "fetches", "looksUpNames"] },
  resolvectl: { traits: ["looksUpNames"] },
  ping: { values: "-c -i -W -w -s -p -I -t", access: "h", traits: ["fetches", "looksUpNames"] },
  ping6: { like: "ping", traits: ["looksUpNames"] },
  getent: { access: "- h", printsSecret: /^ g?shadow\b/, traits: ["fetches", "looksUpNames"] },
  "traceroute whois": { access: "h", traits: ["fetches"] },
  tcpdump: { values: "-i -w -r -c -C -G -W -z -s", starts: "-z" },
  nmap: { access: "h*", traits: ["fetches"] },
  "mail mailx mutt": {
    values: "-s -r -c -b -a -A -S --subject --attach",
    addAccess: (parsed, add, touches) => {
      for (const arg of parsed.args) if (arg.includes("@")) add("a", arg);
      for (const path of valuesOf(parsed, "-a", "-A", "--attach")) upload(path, add, touches);
    },
    traits: ["sendsStdin"],
  },
  sendmail: {
    values: "-f -F",
    addAccess: (parsed, add) => {
      for (const arg of parsed.args) if (arg.includes("@")) add("a", arg);
    },
    traits: ["sendsStdin"],
  },
  "msmtp swaks logger": { traits: ["sendsStdin"] },
  "pastebinit wgetpaste gist": { addAccess: paste, traits: ["sendsStdin"] },
  "haste transfer": { addAccess: paste },
  croc: { addAccess: sendsOver("croc.schollz.com"), traits: ["sendsStdin"] },
  wormhole: { addAccess: sendsOver("relay.magic-wormhole.io"), traits: ["sendsStdin"] },
  urlencode: { traits: ["harmless"] },
  // A connection of zsh, as a descriptor of the shell.
  ztcp: { access: "h -*", traits: ["sendsStdin"] },
};
