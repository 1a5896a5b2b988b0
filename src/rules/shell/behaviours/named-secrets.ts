import { WRAPPER_TABLE } from "../programs/wrapper-table.ts";

/** Programs that say or use the name of a file, or hand it to one that is looked at by itself. */
const ONLY_NAME = new Set([
  ...Object.keys(WRAPPER_TABLE).map((key) => key.split(" ", 1)[0]),
  ..."ls eza exa lsd tree test [ [[ stat file basename dirname realpath readlink du echo printf print find fd xargs parallel which type hash export declare typeset local readonly set unset alias cd pushd popd eval trap read mapfile let git hg svn jj docker docker-compose podman nerdctl kubectl oc helm terraform tofu terragrunt pulumi aws gcloud az ansible ansible-playbook npm pnpm yarn bun deno cargo go make ssh-add ssh-keygen ssh-agent mkcert direnv getfacl lsattr namei inotifywait fswatch eslint prettier biome dotenv-linter shellcheck gitleaks trufflehog sops age ansible-vault chattr restorecon install mktemp sh bash zsh dash ksh fish source . exit return wait jobs bat-extras shfmt editorconfig".split(
    " ",
  ),
]);

const LOOKS_SECRET =
  /(?:^|[/=@])(?:\.env(?:$|\.)|\.(?:ssh|aws|gnupg|kube|azure|npmrc|netrc|pgpass|pypirc|git-credentials|vault-token)(?:$|\/)|id_(?:rsa|dsa|ecdsa|ed25519)$|credentials|secrets?(?:$|[./]))|\.(?:pem|key|p12|pfx|jks|kdbx|tfstate)$/;
/** Code about secrets is no secret. */
const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cpp|cs|php|vue|svelte|md|rst|html|css)$/;
const USES_NEXT =
  /^--?(?:env|config|key|cert|ca|identity|kubeconfig|var-file|credential|private|public|tls|ssl)/;

/** Files with the look of a secret among the words of a program no table knows: it may do anything with them. */
export function namedSecrets(program: string, words: readonly string[]): readonly string[] {
  if (ONLY_NAME.has(program)) return [];
  return words.filter(
    (word, index) =>
      !word.startsWith("-") &&
      LOOKS_SECRET.test(word) &&
      !SOURCE.test(word) &&
      !USES_NEXT.test(words[index - 1] ?? ""),
  );
}
