import { FETCHERS, LOCAL_USES } from "./network-programs.ts";
import { onToolCall, type Pack, runsAny } from "./pack.ts";

/** No connection to another machine. */
export const noNetwork: Pack = {
  name: "no-network",
  description: "Denies every call that connects to another machine; connections to this machine are allowed.",
  definitions: [
    onToolCall("no-network-connections", "Shell commands and tools may reach this machine only.", [
      {
        id: "network-connection",
        when: 'call connects "{*.[a-z*]*,[2-9]*,0[!.]*,0.[!0]*,1[!2]*,12[!7]*,[a-km-z]*,l[!o]*,lo[!c]*,[*]*}"',
        answer: "deny",
        reason: "This connects to another machine, and this session has no network access.",
        instead: "Use what is on this machine, or ask the user to fetch it.",
        stops: [
          "curl https://example.com",
          "psql -h db.example.com",
          "python3 -c \"import socket; socket.create_connection(('192.0.2.1', 80))\"",
        ],
        passes: ["curl http://localhost:3000/health", "curl -s 127.0.0.1:8080", "rsync -a src/ backup/"],
      },
      {
        id: "network-tools",
        when: 'tool in ["WebFetch", "WebSearch"]',
        answer: "deny",
        reason: "This session has no network access.",
        instead: "Use what is on this machine, or ask the user to fetch it.",
        stops: [{ tool_name: "WebSearch", tool_input: { query: "x" } }],
        passes: [{ tool_name: "Read", tool_input: { file_path: "/project/a.ts" } }],
      },
      {
        id: "network-programs",
        when: `${runsAny(FETCHERS)} and not ${runsAny(LOCAL_USES)} and not call connects "*"`,
        answer: "deny",
        reason: "This program uses the network, and this session has no network access.",
        instead: "Use what is on this machine, or ask the user to fetch it.",
        stops: ["git fetch", "npm install", "python3 -m pip install x", "docker run alpine"],
        passes: [
          "npm test",
          "git commit -m x",
          "git show HEAD:src/a.ts",
          "npx tsc --noEmit",
          "terraform fmt",
        ],
      },
      {
        id: "network-exchange",
        when: 'command runs "@remote-code" or command runs "@sends" or command runs "@reverse-shell"',
        answer: "deny",
        reason: "This exchanges data with another machine.",
        instead: "Use what is on this machine, or ask the user to fetch it.",
        stops: ["nc -lvp 4444 -e /bin/sh"],
        passes: ["cp -r src backup", "ls"],
      },
    ]),
  ],
};
