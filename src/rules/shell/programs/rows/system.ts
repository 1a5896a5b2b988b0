import type { ProgramRows } from "../program-row.ts";
import { whole } from "../row-parts.ts";

/** Processes, disks, packages and settings of the machine. */
export const SYSTEM: ProgramRows = {
  systemctl: { options: { values: "-t --type -p --property -H --host -n --lines", subcommands: true } },
  kill: { options: { values: "-s -n --signal", same: "--signal=-s", negatives: true } },
  pkill: {
    options: {
      values: "-u -U -g -G -t -P -s --signal --euid --uid",
      same: "--full=-f -HUP=-HUP -USR1=-USR1 -USR2=-USR2 -WINCH=-WINCH -CONT=-CONT",
    },
  },
  killall: { options: { values: "-u -s -y -o --user --signal" } },
  wipefs: { options: { values: "-o -t", same: "--all=-a" }, access: "w*" },
  man: { options: { values: "-P -S -s -M" }, commandOptions: [whole("-P"), whole("--pager")] },
  crontab: { options: { values: "-u" }, access: "u" },
  iptables: {
    options: {
      values: "-t -A -D -I -P -s -d -p -j --dport --sport -i -o -m --state",
      same: "--flush=-F --policy=-P",
    },
  },
  useradd: { options: { values: "-s -d -g -G -u -c -p" } },
  zpool: { options: { values: "-o -O", subcommands: true } },
  zfs: { options: { values: "-o", subcommands: true } },
  brew: { options: { subcommands: true } },
  apt: { options: { values: "-o -c -t", subcommands: true } },
  "apt-get aptitude": { like: "apt" },
  ip6tables: { like: "iptables" },
  "mkfs mkfs.* mkswap badblocks blkdiscard sgdisk fdisk": { access: "w*" },
  parted: { access: "w -*" },
  expect: { needsParser: true, commandArgument: /\bspawn\s+([^\n;]+)/s },
  "uname arch date nproc uuidgen dpkg lsb_release rpm getconf sw_vers tput expr bc": { harmless: true },
  "at batch": { runsStdinLater: true, needsParser: true },
  newgrp: { runsStdinLater: true },
  "ssh-agent": { namesOnly: true },
};
