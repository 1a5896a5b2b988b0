import type { ProgramFamily } from "../program-row.ts";

/** Processes, packages and settings of the machine. */
export const SYSTEM: ProgramFamily = () => ({
  systemctl: { values: "-t --type -p --property -H --host -n --lines", traits: ["subcommands"] },
  kill: { values: "-s -n --signal", same: "--signal=-s", traits: ["negatives"] },
  pkill: {
    values: "-u -U -g -G -t -P -s --signal --euid --uid",
    same: "--full=-f -HUP=-HUP -USR1=-USR1 -USR2=-USR2 -WINCH=-WINCH -CONT=-CONT",
  },
  killall: { values: "-u -s -y -o --user --signal" },
  // Without a dash, `e` shows the environment of each process.
  ps: { printsSecret: /^ (?:[a-df-z]*e[a-z]*|-[a-zA-Z]*E[a-zA-Z]*)(?: |$)/ },
  man: { values: "-P -S -s -M", starts: "-P --pager" },
  crontab: { values: "-u", access: "u" },
  iptables: {
    values: "-t -A -D -I -P -s -d -p -j --dport --sport -i -o -m --state",
    same: "--flush=-F --policy=-P",
  },
  useradd: { values: "-s -d -g -G -u -c -p" },
  brew: { traits: ["subcommands"] },
  apt: {
    values: "-o -c -t",
    same: "--simulate=-s --just-print=-s --recon=-s --no-act=-s",
    traits: ["subcommands"],
  },
  "apt-get aptitude": { like: "apt" },
  "ip6tables iptables-nft ip6tables-nft iptables-legacy ip6tables-legacy ebtables arptables": {
    like: "iptables",
  },
  // Their long options and commands begin with one dash.
  "dscl dseditgroup sysadminctl pwpolicy networksetup systemsetup": { traits: ["oneDash"] },
  expect: { commandArgument: /\bspawn\s+([^\n;]+)/s, traits: ["needsParser"] },
  "uname arch date nproc uuidgen dpkg lsb_release rpm getconf sw_vers tput expr bc": { traits: ["harmless"] },
  "at batch": { traits: ["runsStdinLater", "needsParser"] },
  newgrp: { traits: ["runsStdinLater"] },
  "ssh-agent": { traits: ["namesOnly"] },
});
