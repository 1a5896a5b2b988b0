import { FETCHERS, LOCAL_USES } from "./network-programs.ts";
import { examples, onToolCall, type Pack, runsAny } from "./pack.ts";

/** No connection to another machine. */
export const noNetwork: Pack = {
  name: "no-network",
  description: "Denies every call that connects to another machine; connections to this machine are allowed.",
  definitions: [
    onToolCall(
      "no-network-connections",
      "Shell commands and tools may reach this machine only.",
      [
        {
          when: 'call connects "{*.[a-z*]*,[2-9]*,0[!.]*,0.[!0]*,1[!2]*,12[!7]*,[a-km-z]*,l[!o]*,lo[!c]*,[*]*}"',
          answer: "deny",
          reason: "This connects to another machine, and this session has no network access.",
        },
        {
          when: 'tool in ["WebFetch", "WebSearch"]',
          answer: "deny",
          reason: "This session has no network access.",
        },
        {
          when: `${runsAny(FETCHERS)} and not ${runsAny(LOCAL_USES)} and not call connects "*"`,
          answer: "deny",
          reason: "This program uses the network, and this session has no network access.",
        },
        {
          when: 'command runs "@remote-code" or command runs "@sends" or command runs "@reverse-shell"',
          answer: "deny",
          reason: "This exchanges data with another machine.",
        },
      ],
      [
        ...examples(
          [
            "curl https://example.com",
            "git fetch",
            "npm install",
            "cat x > /dev/tcp/192.0.2.1/80",
            "ssh host uptime",
            "python3 -m pip install x",
            "docker run alpine",
            "psql -h db.example.com",
            "python3 -c \"import socket; socket.create_connection(('192.0.2.1', 80))\"",
          ],
          [
            "curl http://localhost:3000/health",
            "curl -s 127.0.0.1:8080",
            "npm test",
            "git commit -m x",
            "git show HEAD:src/a.ts",
            "npx tsc --noEmit",
            "terraform fmt",
            "rsync -a src/ backup/",
            "ls",
          ],
        ),
        { match: { tool_name: "WebFetch", tool_input: { url: "https://example.com" } } },
        { not_match: { tool_name: "Read", tool_input: { file_path: "/project/a.ts" } } },
      ],
    ),
  ],
};
