import type { ProgramRows } from "../program-row.ts";

/** Processes, disks, packages and settings of the machine. */
export const SYSTEM: ProgramRows = {
  systemctl: { values: "-t --type -p --property -H --host -n --lines", traits: ["subcommands"] },
  kill: { values: "-s -n --signal", same: "--signal=-s", traits: ["negatives"] },
  pkill: {
    values: "-u -U -g -G -t -P -s --signal --euid --uid",
    same: "--full=-f -HUP=-HUP -USR1=-USR1 -USR2=-USR2 -WINCH=-WINCH -CONT=-CONT",
  },
  killall: { values: "-u -s -y -o --user --signal" },
  wipefs: { values: "-o -t", same: "--all=-a", access: "w*" },
  man: { values: "-P -S -s -M", starts: "-P --pager" },
  crontab: { values: "-u", access: "u" },
  iptables: {
    values: "-t -A -D -I -P -s -d -p -j --dport --sport -i -o -m --state",
    same: "--flush=-F --policy=-P",
  },
  useradd: { values: "-s -d -g -G -u -c -p" },
  zpool: { values: "-o -O", traits: ["subcommands"] },
  zfs: { values: "-o", traits: ["subcommands"] },
  brew: { traits: ["subcommands"] },
  apt: { values: "-o -c -t", traits: ["subcommands"] },
  "apt-get aptitude": { like: "apt" },
  ip6tables: { like: "iptables" },
  "mkfs mkfs.* mkswap badblocks blkdiscard sgdisk fdisk": { access: "w*" },
  parted: { access: "w -*" },
  expect: { commandArgument: /\bspawn\s+([^\n;]+)/s, traits: ["needsParser"] },
  "uname arch date nproc uuidgen dpkg lsb_release rpm getconf sw_vers tput expr bc": { traits: ["harmless"] },
  "at batch": { traits: ["runsStdinLater", "needsParser"] },
  newgrp: { traits: ["runsStdinLater"] },
  "ssh-agent": { traits: ["namesOnly"] },
};
