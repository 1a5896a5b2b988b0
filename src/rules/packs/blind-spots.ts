/** What the rules of each hook do not see, and why: the reference shows it next to what they stop. */
export const BLIND_SPOTS: Readonly<Record<string, readonly string[]>> = {
  "safe-shell-files": [
    "What a script on disk deletes: `./clean.sh` is that program and no more, because scripts are not read.",
    "One named file of the project (`rm notes.txt`, `cp a b` over `b`): agents do that all day, and git has most of them. Files of data and secrets (`.env`, `app.db`) are asked about when they are there.",
    "Folders that tools make again (`node_modules`, `dist`, `target`, `/tmp/…`): they are known by their names, so sources in a folder called `dist` count as output.",
    "What editors, compilers and tests leave beside sources (`config.yml.bak`, `*.snap`, `*.js` together with `*.js.map`): a copy of data under such a name is a backup only when its name says so.",
    "One named file that a tool overwrites or deletes (Write, `delete_file`), unless it holds data or secrets: the pack does not check whether git has the old one.",
    "One line of an `.env` that is changed in its place (`sed -i`).",
    "Deletions by a program without a row in the tables: its arguments say nothing about what it does.",
    "Code in the index of an array that the shell evaluates by itself, in quotes (`[[ -v 'a[$(rm -rf x)]' ]]`, `let`, `read`, `unset`): nobody writes that by accident.",
  ],
  "safe-shell-disks": [
    "A device under another name (a link, a loop device that a program chooses): devices are known by their paths.",
    "What a program reads in a dialogue (`fdisk` that reads its answers from a file): the device counts, the answers are not read.",
  ],
  "safe-shell-system": [
    "Changes through a program's own interface (D-Bus, a settings application): nothing in the line names them.",
  ],
  "safe-shell-hooks": [
    "Hooks of another agent, or files that are edited under another path: only our own places are known.",
    "An agent or an editor of which no row is known, and a server of tools in a file under another name.",
  ],
  "safe-shell-git": [
    "An alias that the user's configuration defines (`git undo`): the configuration is not read. One that the line itself defines is followed.",
    "`git checkout NAME` with a branch of the same name as a folder: without the repository both look alike.",
    "A rebase, merge or `commit --amend`: the reflog keeps what was there.",
  ],
  "safe-shell-services": [
    "What is deleted by applying a file (`kubectl apply --prune`, a plan, a migration): files are not read.",
    "Calls of an interface by `curl` other than DELETE: what a POST does is known to the service only.",
    "A tool of another server whose name does not say that it deletes, and items of lists, labels and notes: those come and go all day.",
    "Statements of SQL in a file (`psql -f x.sql`), and those a program puts together.",
  ],
  "safe-shell-production": [
    "Which cluster, account or host a command without a place reaches: that is in its configuration, which is not read.",
    "Production under a name of its own (`--context blue`): prod, production, prd and live are known.",
    "What is ended by its number (`kill 4242`), or by a pattern that names a program of a project (`pkill -f server.js`): agents end what they have started all day.",
  ],
  "safe-shell-publishing": [
    "What a script of the project publishes under another name than publish or release, and what a push lets a build server publish.",
  ],
  "safe-shell-unread-code": [
    "Packages of a registry (`npm install x`, `npx x`) run code of their authors: to ask each time would be to ask all day.",
    "Code that is on disk before the line starts, no matter who wrote it.",
  ],
  "protect-secrets-sending": [
    "Data in the arguments of a program without a row (`mytool --data x`): it is not known to send anything.",
    "A secret in a variable whose name says nothing (`$X`), or typed out in a command. In the address of a WebFetch or a search it is known by its beginning (`ghp_`, `AKIA`).",
    "A secret with a general name in an authorization header (`$API_TOKEN`): that is how it is used, whichever the host.",
    "What goes to a host under the name of its own service (`$GITHUB_TOKEN` to `github.com`).",
  ],
  "protect-secrets-shells": [
    "A shell that a program on disk opens, and remote access that is installed as a service.",
  ],
  "protect-secrets-reading": [
    "Files that are used and not shown (`source .env`, `ssh -i key`, `docker run --env-file`): their content does not reach the model.",
    "A project's own `.npmrc`, `.yarnrc.yml` and `.azure`, which are shared settings; in a home they count.",
    "The names of variables (`cut -d= -f1 .env`, `grep PORT .env`), and lists of file names (Glob, `ls`).",
    "Secrets in files with an ordinary name. Add the paths of yours in a rule with `reads`.",
    "A search through a folder (`grep -r x .`): it would ask at each search. `reads` in a rule of your own does.",
  ],
  "protect-secrets-printing": [
    "A secret that a program prints in its log or its error, and one in a variable whose name says nothing.",
    "`env | grep WORD` with a word that no name of a secret has: the line shows what it looks for.",
  ],
  "protect-secrets-places": [
    "A push to a remote that was added in an earlier call: each line is judged by itself.",
    "A new service that takes data: hosts are known by their names.",
  ],
  "git-safety-losses": ["The same as `safe-shell-git`, whose rules these are."],
  "git-safety-shared": [
    "Which branch `git push` without a name pushes: that is in the repository's configuration.",
    "Branches that are protected under other names than main, master, trunk, production and release.",
  ],
  "no-network-connections": [
    "Connections of a program without a row (`./server`, `make`, `npm test`): to rule them out, use a sandbox without network.",
    "`npx TOOL` of a tool that projects install passes, also where it is not installed and would be fetched.",
    "`docker build` and `docker compose up` may fetch images, and run without one.",
  ],
};
