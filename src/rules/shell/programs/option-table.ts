/** How a program's options are written. */
export interface OptionSpelling {
  /** Options that take the next word as their value. */
  readonly values?: string;
  /** Spellings that mean the same: `long=short`, several on the right when one stands for many. */
  readonly same?: string;
  /** Long options begin with one dash (`-auto-approve`), so words are not split into letters. */
  readonly oneDash?: true;
  /** The first argument is a subcommand. */
  readonly subcommands?: true;
  /** A negative number after the first option is an argument, as the `-1` of `kill -9 -1`. */
  readonly negatives?: true;
}

const RECURSIVE_FORCE = "--recursive=-r -R=-r --force=-f --verbose=-v --interactive=-i --no-preserve-root=-N";

/**
 * Programs whose options must be understood to tell arguments from values and one spelling from another. A program
 * that is not here is read the common way: letters after one dash, words after two, no values.
 */
export const OPTION_TABLE: Readonly<Record<string, OptionSpelling>> = {
  sh: { values: "-c -o -O --rcfile --init-file" },
  rm: { same: RECURSIVE_FORCE },
  cp: { values: "-t --target-directory -S", same: `${RECURSIVE_FORCE} --archive=-a` },
  mv: { values: "-t --target-directory -S", same: RECURSIVE_FORCE },
  ln: { values: "-t -S", same: "--symbolic=-s --force=-f" },
  chmod: { values: "--reference", same: "--recursive=-R" },
  chown: { values: "--reference --from", same: "--recursive=-R" },
  chgrp: { values: "--reference", same: "--recursive=-R" },
  chattr: { same: "--recursive=-R" },
  setfacl: { values: "-m -x -M -X", same: "--recursive=-R" },
  shred: { values: "-n -s --iterations --size", same: "--remove=-u --zero=-z" },
  truncate: { values: "-s --size -r --reference -o", same: "--size=-s" },
  head: { values: "-n -c --lines --bytes", same: "--lines=-n --bytes=-c" },
  tail: { values: "-n -c --lines --bytes --pid -s", same: "--lines=-n --bytes=-c --follow=-f" },
  cut: { values: "-d -f -c -b --delimiter --fields" },
  sort: { values: "-o -k -t -T -S --output --key", same: "--output=-o" },
  split: { values: "-b -l -n -a -C" },
  csplit: { values: "-f -b -n --prefix", same: "--prefix=-f" },
  iconv: { values: "-f -t -o --from-code --to-code --output", same: "--output=-o" },
  gcc: { values: "-o -I -L -D -x -include" },
  cc: { values: "-o -I -L -D -x -include" },
  clang: { values: "-o -I -L -D -x -include" },
  xxd: { values: "-l -s -c -g -o -len -seek -cols", oneDash: true },
  od: { values: "-A -t -N -j -w -S" },
  hexdump: { values: "-n -s -e -f" },
  base64: { values: "-w --wrap", same: "--decode=-d -D=-d --wrap=-w" },
  base32: { values: "-w --wrap", same: "--decode=-d" },
  grep: {
    values: "-e -f -m -A -B -C -d --include --exclude --exclude-dir --directories --regexp --file",
    same: "-R=-r --recursive=-r --dereference-recursive=-r --directories=-d --regexp=-e --file=-f",
  },
  rg: {
    values: "-e -f -g -t -T -m -A -B -C -r --glob --type --regexp --file --replace",
    same: "--regexp=-e --file=-f --glob=-g",
  },
  sed: {
    values: "-e -f -l --expression --file",
    same: "--in-place=-i --expression=-e --file=-f --regexp-extended=-E -r=-E --quiet=-n",
  },
  awk: { values: "-F -v -f --file --field-separator --assign", same: "--file=-f" },
  jq: { values: "--arg --argjson --indent -f --from-file --slurpfile --rawfile" },
  tar: {
    values:
      "-f -C -T -X --file --directory --exclude --files-from --transform --to-command --checkpoint-action -I --use-compress-program --checkpoint",
    same: "--create=-c --extract=-x --get=-x --list=-t --file=-f --directory=-C --gzip=-z --append=-r --update=-u --files-from=-T",
  },
  zip: { values: "-P -b -n -x -i -t -T", same: "--recurse-paths=-r --password=-P --encrypt=-e" },
  unzip: { values: "-d -P -x" },
  "7z": { oneDash: true, subcommands: true },
  gpg: {
    values: "-o -r -u --output --recipient --local-user --homedir --passphrase --keyserver --passphrase-file",
    same: "--output=-o --decrypt=-d --encrypt=-e --symmetric=-c",
  },
  openssl: {
    values:
      "-in -out -k -K -iv -connect -inkey -passin -passout -pass -key -cert -CAfile -subj -days -newkey -keyout -servername -host -port",
    oneDash: true,
    subcommands: true,
  },
  curl: {
    values:
      "-X -H -d -F -o -T -u -A -e -b -c -x -m -w -r -K -C -E -Y -y -z -t -P -Q -U --request --header --data --data-raw --data-binary --data-ascii --data-urlencode --json --form --form-string --output --output-dir --upload-file --user --user-agent --referer --cookie --cookie-jar --proxy --max-time --connect-timeout --write-out --range --config --cert --key --cacert --resolve --retry --retry-delay --retry-max-time --url --interface --limit-rate --unix-socket --proxy-user --oauth2-bearer --max-redirs --ciphers --proto --tls-max --capath --dump-header -D --connect-to --preproxy --socks5 --socks5-hostname --mail-from --mail-rcpt --variable --expand-data --expand-url --aws-sigv4 --doh-url --netrc-file --url-query --rate",
    same: "--request=-X --header=-H --data=-d --data-ascii=-d --form=-F --output=-o --upload-file=-T --user=-u --user-agent=-A --referer=-e --cookie=-b --proxy=-x --config=-K --remote-name=-O --head=-I --get=-G --location=-L --silent=-s --fail=-f --insecure=-k",
  },
  wget: {
    values:
      "-O -o -a -P -i -U -t -T -w -Q -e --output-document --output-file --directory-prefix --input-file --user-agent --header --post-data --post-file --body-data --body-file --method --user --password --tries --timeout --certificate --private-key --referer --load-cookies --save-cookies",
    same: "--output-document=-O --directory-prefix=-P --input-file=-i --quiet=-q --mirror=-m --recursive=-r",
  },
  http: { values: "-a --auth -o --output -A --proxy --timeout --session" },
  nc: {
    values: "-w -p -s -e -c -X -x -i -q -g -G -I -O -T -V --exec --sh-exec --source-port --wait",
    same: "--exec=-e --sh-exec=-c --listen=-l",
  },
  socat: { values: "-T -t -b" },
  lftp: { values: "-e -c -u -p -f" },
  smbclient: { values: "-c -U -p -I -W -A" },
  telnet: { values: "-l -b -e -n" },
  ssh: { values: "-i -p -l -o -F -L -R -D -J -b -c -E -e -I -m -O -Q -S -W -w -B" },
  scp: { values: "-i -P -F -l -o -S -c -J" },
  sftp: { values: "-i -P -F -l -o -S -c -J -b -B -R" },
  rsync: {
    values:
      "-e --rsh --exclude --include --exclude-from --include-from --files-from --rsync-path --password-file --port --bwlimit --log-file --backup-dir --temp-dir -T --filter -f --compare-dest --link-dest --max-size --timeout",
    same: "--archive=-a --recursive=-r --rsh=-e",
  },
  ansible: { values: "-a --args -m --module-name -i --inventory -u --user -e --extra-vars -l --limit -f -t" },
  dig: { values: "-t -x -p -k -y -f -b -c -q" },
  host: { values: "-t -c -W -R -N" },
  nslookup: { oneDash: true },
  ping: { values: "-c -i -W -w -s -p -I -t" },
  mail: { values: "-s -r -c -b -a -A -S --subject --attach" },
  sendmail: { values: "-f -F" },
  git: {
    values:
      "-C -c --git-dir --work-tree --namespace --exec-path -m --message -F --file --author --date -b -B --branch --depth --since --until --grep --format --onto -X --strategy --exec --tree-filter --index-filter --msg-filter --env-filter --upload-pack --receive-pack --output --output-directory --extcmd --exclude -G -L --max-count",
    same: "--force=-f --delete=-d --all=-a",
    subcommands: true,
  },
  gh: {
    values:
      "-R --repo -t --title -b --body -F --body-file -f --field --raw-field -H -X --method -q --jq -d --desc --ref --json --template -l --label -B --base -L --limit",
    subcommands: true,
  },
  docker: {
    values:
      "-H --host --context --config --volume -e --env --env-file -p --publish --name --network --net -w --workdir -u --user --entrypoint --file -t --tag --mount --filter --format -l --label --platform --build-arg -m --memory --cpus --restart -n --tail --since --until --project-name --profile --cap-add --device --security-opt --hostname -h --add-host --pid --ipc --gpus --shm-size --ulimit --log-driver --target",
    same: "--force=-f --all=-a --volumes=-V",
    subcommands: true,
  },
  kubectl: {
    values:
      "-n --namespace --context --kubeconfig --cluster -f --filename -o --output -l --selector -c --container --field-selector --token --user -s --server --from-literal --from-file --replicas --image --grace-period --timeout --tail --since -k --kustomize --type -p --patch --as",
    same: "--namespace=-n --filename=-f --output=-o --all-namespaces=-A --selector=-l",
    subcommands: true,
  },
  helm: {
    values: "-n --namespace --kube-context -f --values --set --version --timeout --repo",
    subcommands: true,
  },
  terraform: { oneDash: true, subcommands: true },
  aws: {
    values:
      "--profile --region --endpoint-url --output --query --bucket --key --exclude --include --secret-id --name --names --instance-ids --db-instance-identifier --stack-name --cluster --function-name --table-name --body --acl --content-type",
    subcommands: true,
  },
  gcloud: { values: "--project --format --zone --region --filter --account", subcommands: true },
  gsutil: { values: "-h -o", subcommands: true },
  az: {
    values:
      "--name -n --resource-group -g --subscription --output -o --query --account-name --container-name --file -f --vault-name",
    subcommands: true,
  },
  npm: {
    values: "--prefix --workspace -w --registry --tag --otp --loglevel --userconfig",
    subcommands: true,
  },
  pnpm: { values: "-C --dir --filter -F --registry", subcommands: true },
  yarn: { values: "--cwd", subcommands: true },
  pip: {
    values: "-r --requirement -i --index-url --extra-index-url -t --target -c --constraint -e --editable",
    subcommands: true,
  },
  cargo: {
    values: "--manifest-path --target --features -p --package --bin --example --target-dir -j",
    subcommands: true,
  },
  systemctl: { values: "-t --type -p --property -H --host -n --lines", subcommands: true },
  psql: {
    values: "-c -f -h -p -U -d -o -v -F --command --file --host --port --username --dbname --output --set",
    same: "--command=-c --file=-f --host=-h --username=-U --dbname=-d",
  },
  mysql: {
    values: "-e -h -P -u -D --execute --host --port --user --database",
    same: "--execute=-e --host=-h --user=-u --database=-D",
  },
  mongosh: { values: "--eval --host --port -u -p --username --password --file -f" },
  "redis-cli": { values: "-h -p -a -n -u -s --pass --user" },
  sqlite3: { values: "-cmd -init -separator", oneDash: true },
  dropdb: { values: "-h -p -U --maintenance-db" },
  mysqladmin: { values: "-h -P -u" },
  kill: { values: "-s -n --signal", same: "--signal=-s", negatives: true },
  pkill: {
    values: "-u -U -g -G -t -P -s --signal --euid --uid",
    same: "--full=-f -HUP=-HUP -USR1=-USR1 -USR2=-USR2 -WINCH=-WINCH -CONT=-CONT",
  },
  killall: { values: "-u -s -y -o --user --signal" },
  python: { values: "-c -m -W -X", same: "--command=-c" },
  perl: { values: "-e -E -M -I", same: "" },
  ruby: { values: "-e -r -I -C" },
  node: {
    values: "-e -p -pe -r --eval --print --require --import --loader --env-file --input-type",
    same: "-pe=-e --eval=-e --print=-p --require=-r",
  },
  php: { values: "-r -f -d -c -S -t -B -R -F" },
  lua: { values: "-e -l" },
  find: { oneDash: true, values: "-fprintf -fprint -fprint0 -fls" },
  wipefs: { values: "-o -t", same: "--all=-a" },
  man: { values: "-P -S -s -M" },
  gdb: { values: "-ex -x -p --args", oneDash: true },
  make: { values: "-f -C -j -I --file --directory" },
  crontab: { values: "-u" },
  iptables: {
    values: "-t -A -D -I -P -s -d -p -j --dport --sport -i -o -m --state",
    same: "--flush=-F --policy=-P",
  },
  strings: { values: "-n -t -e" },
  useradd: { values: "-s -d -g -G -u -c -p" },
  virsh: { subcommands: true },
  zpool: { values: "-o -O", subcommands: true },
  zfs: { values: "-o", subcommands: true },
  vault: { values: "-field -format -address -namespace", oneDash: true, subcommands: true },
  rclone: { values: "--config", subcommands: true },
  heroku: { values: "-a --app", subcommands: true },
  fly: { values: "-a --app", subcommands: true },
  vercel: { values: "--token --scope", subcommands: true },
  firebase: { values: "--project --token", subcommands: true },
  pulumi: { values: "-s --stack -C --cwd", subcommands: true },
  brew: { subcommands: true },
  apt: { values: "-o -c -t", subcommands: true },
  security: { values: "-a -s -l -D -k", subcommands: true },
  op: { values: "--vault --account --format", subcommands: true },
  pass: { subcommands: true },
};
