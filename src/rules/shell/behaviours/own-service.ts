/** Words that say "secret" and not whose. */
const GENERIC = new Set(
  "API APP ACCESS AUTH TOKEN KEY SECRET PASSWORD PASSWD PASS PAT JWT BEARER USER ADMIN CI MY PROD DEV TEST STAGING CLIENT SERVICE PERSONAL DEPLOY BOT ID URL SESSION LOGIN ACCOUNT PRIVATE READ WRITE RO RW".split(
    " ",
  ),
);

/** Short names of services, with a part of their host names. */
const HOST_WORDS: Readonly<Record<string, readonly string[]>> = {
  gh: ["github", "githubcopilot"],
  npm: ["npmjs"],
  node: ["npmjs"],
  aws: ["amazonaws", "aws"],
  gcp: ["googleapis", "google", "run.app"],
  gcloud: ["googleapis", "google", "run.app", "pkg.dev"],
  google: ["googleapis", "google"],
  az: ["azure", "microsoft", "windows"],
  hf: ["huggingface"],
  cf: ["cloudflare"],
  do: ["digitalocean"],
  tf: ["terraform", "hashicorp"],
  tg: ["telegram"],
  sentry: ["sentry"],
  glab: ["gitlab"],
  oc: ["openshift"],
};

/**
 * True when a secret goes to the service it belongs to: `$GITHUB_TOKEN` to `api.github.com`. A name that says nothing
 * of a service, such as `$API_TOKEN`, counts only inside an authorization header.
 */
export function isOwnService(name: string, hosts: readonly string[], header: boolean): boolean {
  const words = name
    .toUpperCase()
    .split("_")
    .filter((word) => word !== "" && !GENERIC.has(word))
    .map((word) => word.toLowerCase());
  if (words.length === 0) return header;
  return (
    hosts.length > 0 &&
    hosts.every((host) =>
      words.some((word) =>
        (HOST_WORDS[word] ?? [word]).some(
          (part) => part.length > 2 && labels(host).some((label) => label.includes(part)),
        ),
      ),
    )
  );
}

/** The labels that name who runs the host: not its subdomains, which anyone can choose. */
function labels(host: string): readonly string[] {
  return host.split(".").slice(-2);
}
