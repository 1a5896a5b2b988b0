import type { AddAccess, Invocation, ProgramFamily, Wrapper } from "../program-row.ts";
import { reach, upload, valuesOf } from "../row-parts.ts";
import { SERVICE, serviceAt } from "../service-changes.ts";

const CONTAINER: Wrapper = {
  values:
    "-e --env --env-file -u --user -w --workdir -v --volume -p --publish --name --network --net --entrypoint --mount -l --label --platform --hostname -h --add-host -m --memory --cpus --cap-add --cap-drop --device --security-opt --restart --pid --ipc --gpus --shm-size --ulimit --userns --detach-keys --index --log-driver --tmpfs --dns",
  skip: 1,
};

const COPIES = /^(?:cp|mv|rsync|sync|copy|copyto|move|moveto|put|mirror|pipe|scp|upload|bisync)$/;

/** Copies between here and a store such as `s3://bucket`, named after the verb that is the argument before. */
function copiesAfter(first: number): AddAccess {
  return (parsed, add, touches) => {
    const copies = COPIES.test(parsed.args[first - 1] ?? "");
    const paths = copies ? parsed.args.slice(first) : parsed.args.filter((arg) => /^\w+:\/\//.test(arg));
    const stores = paths.filter((arg) => /^[\w-]+:/.test(arg));
    for (const store of stores) add("a", store);
    if (!copies || !/^[\w-]+:/.test(paths.at(-1) ?? "")) return;
    for (const path of paths.filter((arg) => !stores.includes(arg))) {
      add("r", path);
      touches.uploads.push(path);
    }
  };
}

function namesStdin({ words }: Invocation): boolean {
  return words.includes("-");
}

/** The path here that `-v path:place` or `--mount source=path,…` shows to a container. */
function mountedPath(volume: string): string | undefined {
  const fields = volume.split(",");
  const field = fields.find((text) => /^(?:source|src)=/.test(text));
  if (field !== undefined) return field.slice(field.indexOf("=") + 1);
  const colon = volume.indexOf(":");
  return /^[/~]/.test(volume) && colon !== -1 ? volume.slice(0, colon) : undefined;
}

/** Containers, clusters, clouds and what deploys to them. */
export const SERVICES: ProgramFamily = {
  docker: {
    values:
      "-H --host --context --config --volume -e --env --env-file -p --publish --name --network --net -w --workdir -u --user --entrypoint --file -t --tag --mount --filter --format -l --label --platform --build-arg -m --memory --cpus --restart -n --tail --since --until --project-name --profile --cap-add --device --security-opt --hostname -h --add-host --pid --ipc --gpus --shm-size --ulimit --log-driver --target",
    same: "--force=-f --all=-a --volumes=-V",
    addAccess: (parsed, add, touches) => {
      for (const path of valuesOf(parsed, "--env-file")) add("u", path);
      if (parsed.args[0] === "cp")
        for (const arg of parsed.args.slice(1)) if (!arg.includes(":")) add("r", arg);
      const bare = parsed.args.filter((arg) => /^[/~]/.test(arg));
      for (const volume of [...valuesOf(parsed, "--volume", "--mount"), ...bare]) {
        const path = mountedPath(volume);
        if (path !== undefined) touches.reads.push(path);
      }
    },
    reach: ({ parsed, touches }) =>
      parsed.args[0] === "cp" && parsed.args.at(-1)?.includes(":") === true
        ? reach("reads", touches.reads)
        : [],
    wrapsAfter: {
      exec: CONTAINER,
      run: CONTAINER,
      create: CONTAINER,
      "compose exec": CONTAINER,
      "compose run": CONTAINER,
      "container exec": CONTAINER,
      "container run": CONTAINER,
    },
    ...serviceAt("--context", "-H", "--host"),
    printsSecret: /^ (?:inspect .*(?:\.Config\.Env|\.Env\b)|compose config (?:.* )?--environment)/,
    traits: ["subcommands", "fetches"],
  },
  "podman nerdctl docker-compose": { like: "docker", wrapsAfter: { exec: CONTAINER, run: CONTAINER } },
  kubectl: {
    ...SERVICE,
    values:
      "-n --namespace --context --kubeconfig --cluster -f --filename -o --output -l --selector -c --container --field-selector --token --user -s --server --from-literal --from-file --replicas --image --grace-period --timeout --tail --since -k --kustomize --type -p --patch --as",
    same: "--namespace=-n --filename=-f --output=-o --all-namespaces=-A --selector=-l",
    access: "-*",
    optionAccess: { "-f": "a", "-k": "a" },
    addAccess: (parsed, _add, touches) => {
      // A file here is no address.
      const remote = valuesOf(parsed, "-f", "-k").some((value) => /^\w+:\/\//.test(value));
      if (!remote) touches.connects.length = 0;
    },
    wrapsAfter: {
      exec: { values: "-n --namespace -c --container -f", skip: 1 },
      run: { values: "-n --namespace --image --restart", afterDashes: true },
      debug: { values: "-n --namespace --image -c", afterDashes: true },
    },
    printsSecret:
      /^ (?:get (?:\S*,)?secrets?(?:[/,.]\S*)? (?:.* )?(?:-o|--output|--template)(?![ =]?(?:name|wide)\b)|config view .*--raw|create token\b)/,
    traits: ["subcommands", "fetches"],
  },
  oc: {
    ...SERVICE,
    like: "kubectl",
    wrapsAfter: { exec: { values: "-n --namespace -c --container", skip: 1 } },
    printsSecret: /^ whoami -t/,
  },
  k: { ...SERVICE, like: "kubectl" },
  helm: {
    ...SERVICE,
    values: "-n --namespace --kube-context -f --values --set --version --timeout --repo",
    traits: ["subcommands", "namesOnly"],
  },
  lxc: { wrapsAfter: { exec: { skip: 1 } } },
  crictl: { wrapsAfter: { exec: { values: "--timeout", skip: 1 } } },
  vagrant: { wrapsAfter: { ssh: { scripts: "-c --command", skip: 99 } } },
  virsh: { traits: ["subcommands"] },
  "terraform tofu terragrunt": {
    ...SERVICE,
    printsSecret: /^ output .*(?:secret|password|token)/,
    traits: ["oneDash", "subcommands", "namesOnly"],
  },
  pulumi: {
    ...SERVICE,
    values: "-s --stack -C --cwd",
    same: "--yes=-y --skip-preview=-f",
    printsSecret: /^ config .*--show-secrets/,
    traits: ["subcommands", "namesOnly"],
  },
  ansible: {
    ...SERVICE,
    values: "-a --args -m --module-name -i --inventory -u --user -e --extra-vars -l --limit -f -t",
    starts: "-a --args",
    traits: ["namesOnly"],
  },
  "ansible-playbook": { ...SERVICE, traits: ["namesOnly"] },
  "serverless sls sst netlify ntl railway render doctl eksctl gsutil-iam cdk cdktf sam eb cf argocd flux istioctl nomad kamal cap dokku flyway liquibase ecs-deploy skaffold werf":
    SERVICE,
  aws: {
    ...SERVICE,
    values:
      "--profile --region --cli-read-timeout --cli-connect-timeout --ca-bundle --color --page-size --max-items --endpoint-url --output --query --bucket --key --exclude --include --secret-id --name --names --instance-ids --db-instance-identifier --stack-name --cluster --function-name --table-name --body --acl --content-type --cidr --desired-count --desired-capacity --min-size --max-size --reserved-concurrent-executions --service --principal --policy-arn",
    addAccess: (parsed, add, touches) => {
      if (parsed.args[0] === "s3" && /^(?:cp|mv|sync)$/.test(parsed.args[1] ?? ""))
        copiesAfter(2)(parsed, add, touches);
      for (const path of valuesOf(parsed, "--body")) upload(path.replace(/^fileb?:\/\//, ""), add, touches);
    },
    printsSecret:
      /^ (?:secretsmanager get-secret-value|ssm get-parameters?\b.*--with-decryption|configure (?:get \S*(?:secret|token|key)|export-credentials)|sts (?:get-session-token|assume-role)|ecr get-login-password)/,
    sendsStdinWhen: namesStdin,
    traits: ["subcommands", "fetches"],
  },
  gcloud: {
    ...SERVICE,
    values: "--project --format --zone --region --filter --account",
    addAccess: (parsed, add, touches) => {
      if (parsed.args[0] === "storage" || parsed.args[1] === "scp") copiesAfter(2)(parsed, add, touches);
    },
    wrapsAfter: { "compute ssh": { values: "--zone --project", scripts: "--command", skip: 99 } },
    printsSecret:
      /^ (?:auth (?:application-default )?print-\S+|secrets versions access|iam service-accounts keys create)/,
    sendsStdinWhen: namesStdin,
    traits: ["subcommands", "fetches"],
  },
  gsutil: {
    ...SERVICE,
    values: "-h -o",
    addAccess: copiesAfter(1),
    sendsStdinWhen: namesStdin,
    traits: ["subcommands", "fetches"],
  },
  az: {
    ...SERVICE,
    values:
      "--name -n --resource-group -g --subscription --output -o --query --account-name --container-name --file -f --vault-name",
    addAccess: (parsed, add, touches) => {
      if (!parsed.args.some((arg) => /^upload/.test(arg))) return;
      for (const path of valuesOf(parsed, "-f", "--file", "-s", "--source")) upload(path, add, touches);
      touches.connects.push("blob.core.windows.net");
    },
    printsSecret: /^ (?:account get-access-token|keyvault secret (?:show|download))/,
    traits: ["subcommands", "fetches"],
  },
  azcopy: { addAccess: copiesAfter(1) },
  rclone: {
    values: "--config",
    addAccess: (parsed, add, touches) => {
      copiesAfter(1)(parsed, add, touches);
      const target = parsed.args.at(-1) ?? "";
      if (/^(?:copy|sync|move|copyto|moveto|bisync)$/.test(parsed.args[0] ?? "") && !target.includes(":"))
        add("w", target);
    },
    traits: ["subcommands", "fetches", "sendsStdin"],
  },
  "mc s3cmd": { addAccess: copiesAfter(1), sendsStdinWhen: namesStdin, traits: ["fetches"] },
  heroku: {
    ...SERVICE,
    values: "-a --app",
    wrapsAfter: { run: { values: "-a --app", text: true } },
    printsSecret: /^ (?:config(?:$| )|auth:token)/,
    traits: ["subcommands"],
  },
  "fly flyctl": {
    ...SERVICE,
    values: "-a --app",
    wrapsAfter: { "ssh console": { values: "-a", scripts: "-C --command", skip: 99 } },
    printsSecret: /^ auth token/,
    traits: ["subcommands"],
  },
  vercel: { ...SERVICE, values: "--token --scope", printsSecret: /^ env pull/, traits: ["subcommands"] },
  firebase: { ...SERVICE, values: "--project --token", traits: ["subcommands"] },
  "docker-credential-*": { printsSecret: /^ get/ },
};
