import { decodeBase64 } from "../emulate.ts";
import type { Invocation, ProgramFamily, ProgramRow, Role, WrittenCommand } from "../program-row.ts";
import { codeAfter, has, reach } from "../row-parts.ts";

const VALUES =
  "-path -literalpath -filepath -destination -value -encoding -filter -include -exclude -erroraction -newname -itemtype -name -stream";
const SAME =
  "-literalpath=-path -filepath=-path -lp=-path -pspath=-path -recurse=-r -force=-f -f=-f -r=-r -whatif=--what-if -wi=--what-if";

/** A command of PowerShell. `role` is that of the path it takes. */
function cmdlet(role: Role, others = "", row: ProgramRow = {}): ProgramRow {
  return {
    values: VALUES,
    same: SAME,
    access: `${role}${others}`,
    optionAccess: { "-path": role, "-destination": "w" },
    traits: ["cmdlet"],
    ...row,
  };
}

const isRecursive = (flags: readonly string[]): boolean => flags.some((flag) => /^-r/i.test(flag));

/** `Get-ChildItem src | Remove-Item -Recurse`: what the pipe names. */
function piped({ parsed, stdin }: Invocation): readonly string[] {
  if (parsed.args.length > 0 || stdin.from.length === 0) return [];
  if (!isRecursive([...parsed.flags, ...stdin.from.flatMap(({ flags }) => flags)])) return [];
  const named = stdin.from.flatMap(({ args }) => args);
  return named.length > 0 ? named : ["."];
}

/** Options of PowerShell itself, up to the command. */
const OWN_OPTIONS =
  /^\S+(?:\s+-(?:nop\w*|noni\w*|nol\w*|noe\w*|sta|mta|(?:ex\w*|ep|w\w*|v\w*|inp\w*|o\w*|config\w*|wd|workingd\w*)\s+\S+))*\s*/i;

/** The text that PowerShell runs: words, or in base64. */
function powershellText({ text }: WrittenCommand): readonly string[] {
  const rest = text.replace(OWN_OPTIONS, "");
  const encoded = /^-e(?:c|n\w*)?\s+(\S+)/i.exec(rest)?.[1];
  // A variable that nobody knows, where the text can't be decoded.
  if (encoded !== undefined) return [decodeBase64(encoded)?.replaceAll("\0", "") ?? "$encoded"];
  const command = rest.replace(/^-c(?:o\w*)?\s+/i, "");
  return command === "" || command.startsWith("-") ? [] : [command];
}

const POWERSHELL: ProgramRow = {
  code: codeAfter("-c", "-Command"),
  otherCommands: powershellText,
  traits: ["interpreter", "needsParser"],
};

/** Commands of PowerShell and of the command prompt. */
export const WINDOWS: ProgramFamily = {
  "pwsh powershell": POWERSHELL,
  cmd: {
    wrapsAfter: { "/c": { text: true }, "/C": { text: true }, "/k": { text: true }, "/K": { text: true } },
  },
  wsl: { wraps: { values: "-d -u --distribution --user --cd", folder: "--cd" } },
  "remove-item ri": cmdlet("d", "*", {
    // Elsewhere a quoted "-WhatIf" can be content; here it is an error.
    addAccess: (parsed, _add, touches) => {
      if (parsed.flags.includes("--what-if")) touches.deletes.splice(0);
    },
    loses: piped,
    reach: (invocation) => (has(invocation, "-r") ? reach("writes", invocation.touches.deletes) : []),
  }),
  "rd erase": {
    addAccess: ({ args }, add) => {
      for (const arg of args) if (!/^\/[a-z]$/i.test(arg)) add("d", arg);
    },
    traits: ["deletesFolders"],
  },
  "set-content add-content out-file new-item": cmdlet("w", " -*"),
  "clear-content clc": cmdlet("w", "*", { empties: () => true }),
  "move-item mi": cmdlet("m", " w"),
  "rename-item rni ren": cmdlet("m", " -"),
  "copy-item": cmdlet("r", " w"),
  "get-content gc": cmdlet("r", "*"),
  "get-childitem gci dir": { values: VALUES, same: SAME, traits: ["cmdlet", "namesOnly"] },
};
