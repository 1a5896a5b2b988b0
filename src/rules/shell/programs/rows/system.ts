import { KILLS_BY_NAME, KILLS_BY_PATTERN, KILLS_BY_PORT, KILLS_FOUND } from "../kills.ts";
import type { AddAccess, Invocation, ProgramFamily } from "../program-row.ts";

/** Changes the disks it names, unless one of these options makes it show or try only. */
function writesUnless(...harmless: readonly string[]): AddAccess {
  return (parsed, add) => {
    if (!parsed.flags.some((flag) => harmless.includes(flag))) for (const arg of parsed.args) add("w", arg);
  };
}

/** Changes the disks it names with one of these options only, whatever else it shows. */
function writesWith(options: string): AddAccess {
  const changing = new Set(options.split(" "));
  return (parsed, add) => {
    if (parsed.flags.some((flag) => changing.has(flag))) for (const arg of parsed.args) add("w", arg);
  };
}

const PARTED_SHOWS =
  /^(?:print|unit|align-check|help|version|quit|select|free|all|devices|list|[kKMGT]i?B|s|%|\d+)$/;

/** Without a command it asks for them, and a pipe may answer. */
const parted: AddAccess = (parsed, add) => {
  const [device, ...commands] = parsed.args;
  if (device === undefined || parsed.flags.some((flag) => /^(?:-l|--list|-v|--version)$/.test(flag))) return;
  if (commands.length === 0 || !commands.every((word) => PARTED_SHOWS.test(word))) add("w", device);
};

/** Without a dash, `e` shows the environment of each process; on macOS `-E` does. */
function shownEnvironments({ parsed: { args, flags } }: Invocation): readonly string[] {
  let isValue = false;
  let shows = flags.includes("-E");
  for (const arg of args) {
    const isLetters: boolean = !isValue && /^[a-zA-Z]+$/.test(arg);
    shows ||= isLetters && arg.includes("e");
    isValue = isLetters && /[kNoOpqtU]$/.test(arg);
  }
  return shows ? ["ps e"] : [];
}

/** Processes, packages, settings and disks of the machine. */
export const SYSTEM: ProgramFamily = {
  systemctl: { values: "-t --type -p --property -H --host -n --lines", traits: ["subcommands"] },
  kill: {
    values: "-s -n --signal",
    same: "--signal=-s",
    traits: ["negatives", "needsParser"],
    ...KILLS_FOUND,
  },
  pkill: {
    values: "-u -U -g -G -t -P -s --signal --euid --uid",
    same: "--full=-f -HUP=-HUP -USR1=-USR1 -USR2=-USR2 -WINCH=-WINCH -CONT=-CONT",
    ...KILLS_BY_PATTERN,
  },
  killall: { values: "-u -s -y -o --user --signal", ...KILLS_BY_NAME },
  "fuser kill-port": KILLS_BY_PORT,
  ps: {
    values:
      "-C -g -G -k -N -o -O -p -q -s -t -u -U --cols --columns --format --group --Group --lines --pid --ppid --quick-pid --rows --sid --sort --tty --user --User --width",
    printsSecret: shownEnvironments,
  },
  man: { values: "-P -S -s -M", starts: "-P --pager" },
  crontab: { values: "-u", access: "u" },
  "iptables ip6tables iptables-nft ip6tables-nft iptables-legacy ip6tables-legacy ebtables arptables": {
    values: "-t -A -D -I -P -s -d -p -j --dport --sport -i -o -m --state",
    same: "--flush=-F --policy=-P",
  },
  useradd: { values: "-s -d -g -G -u -c -p" },
  brew: { traits: ["subcommands"] },
  "apt apt-get aptitude": {
    values: "-o -c -t",
    same: "--simulate=-s --just-print=-s --recon=-s --no-act=-s",
    traits: ["subcommands"],
  },
  // Their long options and commands begin with one dash.
  "dscl dseditgroup sysadminctl pwpolicy networksetup systemsetup": { traits: ["oneDash"] },
  expect: { commandArgument: /\bspawn\s+([^\n;]+)/s, traits: ["needsParser"] },
  "uname date nproc uuidgen dpkg lsb_release rpm getconf sw_vers tput expr bc": { traits: ["harmless"] },
  "at batch": { traits: ["runsStdinLater", "needsParser"] },
  newgrp: { traits: ["runsStdinLater"] },
  "ssh-agent": { traits: ["namesOnly"] },
  // Disks, partitions and volumes.
  mount: {
    values: "-t -o -O -L -U --types --options --source --target",
    same: "--types=-t --options=-o",
  },
  "mkfs mkfs.* mkswap blkdiscard newfs": { addAccess: writesUnless("-V", "--version", "--help") },
  "mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.ntfs": {
    values: "-b -C -d -e -E -g -G -i -I -J -l -L -m -M -N -o -O -r -s -t -T -U -z",
    addAccess: writesUnless("-n", "-V"),
  },
  "mkfs.xfs": { values: "-b -d -i -l -L -m -n -p -r -s", addAccess: writesUnless("-N", "-V") },
  badblocks: { values: "-b -c -d -e -i -o -p -t", addAccess: writesWith("-w -n") },
  wipefs: {
    values: "-o -t -O --offset --types --output",
    same: "--all=-a --no-act=-n --offset=-o",
    addAccess: (parsed, add, touches) => {
      if (!parsed.flags.includes("-n")) writesWith("-a -o")(parsed, add, touches);
    },
  },
  sgdisk: {
    values:
      "-a -A -b -B -c -C -d -D -e -E -g -i -I -k -l -n -N -r -R -S -t -T -u -U --attributes --backup --change-name --delete --info --load-backup --new --largest-new --replicate --typecode",
    same: "--attributes=-A --change-name=-c --clear=-o --delete=-d --disk-guid=-U --gpttombr=-m --hybrid=-h --largest-new=-N --load-backup=-l --mbrtogpt=-g --move-second-header=-e --new=-n --partition-guid=-u --randomize-guids=-G --replicate=-R --resize-table=-S --sort=-s --transpose=-r --typecode=-t --zap=-z --zap-all=-Z",
    addAccess: writesWith("-A -c -o -d -U -m -h -N -l -g -e -n -u -G -R -S -s -r -t -z -Z"),
  },
  gdisk: { addAccess: writesUnless("-l", "-v") },
  fdisk: { addAccess: writesUnless("-l", "--list", "-s", "-x", "-v", "-V", "--version", "--help") },
  cfdisk: { addAccess: writesUnless("-r", "--read-only", "-v", "-V", "--version", "--help") },
  sfdisk: {
    same: "--list=-l --dump=-d --json=-J --verify=-V --no-act=-n --show-size=-s --list-free=-F --list-types=-T",
    addAccess: writesUnless("-l", "-d", "-J", "-V", "-n", "-s", "-F", "-T", "-v", "--version", "--help"),
  },
  parted: { addAccess: parted },
  tune2fs: {
    values: "-c -C -e -E -g -i -I -J -L -m -M -o -O -r -T -u -U -z",
    addAccess: writesWith("-c -C -e -E -g -i -I -j -J -L -m -M -o -O -Q -r -T -u -U"),
  },
  xfs_repair: { values: "-l -r -m -o -t", addAccess: writesWith("-L") },
  hdparm: {
    addAccess: writesWith("--security-erase --security-erase-enhanced --trim-sector-ranges --write-sector"),
  },
  "lvremove vgremove pvremove": { same: "--test=-t --force=-f --yes=-y" },
  // Takes the other commands of its family as subcommands.
  lvm: { wraps: {} },
  zpool: { values: "-o -O", traits: ["subcommands"] },
  zfs: { values: "-o", traits: ["subcommands"] },
  diskutil: { traits: ["subcommands"] },
  cryptsetup: { values: "-c -h -s -d -S", traits: ["subcommands"] },
};
