import { isSecretName } from "../../../node/process/environment.ts";

/** A variable as shells, Python, JavaScript and Ruby name it. */
const NAMED =
  /(?:\$\{?|\benv\.|\benviron(?:\.get)?\W{1,3}|\bgetenv\W{1,3}|\bENV\W{1,3}|\benv\W{1,3})([A-Za-z_]\w*)/g;

/** Programs and packages that read keys by themselves. */
const READ_BY: readonly (readonly [by: RegExp, names: readonly string[]])[] = [
  [/(?:^|[\s;&|("'`])gh\s+[a-z]/m, ["GH_TOKEN", "GITHUB_TOKEN"]],
  [
    /(?:^|[\s;&|("'`])claude\s+-|\banthropic\b/m,
    ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  ],
  [/^\s*(?:import|from)\s+openai\b|["']openai["']/m, ["OPENAI_API_KEY"]],
  [
    /(?:^|[\s;&|("'`])aws\s+[a-z]/m,
    ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"],
  ],
];

/** The keys and tokens that these texts (a command and the scripts it runs) use, and that would be withheld. */
export function secretsIn(texts: readonly string[]): readonly string[] {
  const found = texts.flatMap((text) => [
    ...[...text.matchAll(NAMED)].map(([, name = ""]) => name).filter((name) => name === name.toUpperCase()),
    ...READ_BY.flatMap(([by, names]) => (by.test(text) ? names : [])),
  ]);
  return [...new Set(found)].filter(isSecretName).sort();
}

/** Claude Code's own limit on continuations without a tool call between them. */
const CLAUDE_CAP = 8;
/** For a loop of the hook's own making, which Claude Code lets run while tools are called. */
const OWN_LOOP = 100;

/** A refusal in a script: exit code 2, or a reply that blocks. */
const BLOCKS = /\bblock\b|\bexit\W{0,2}2\b|\bexit_?code\W+2\b|\breturn 2\b/i;

/** How often Claude Code lets Stop hooks continue a turn without a tool call: as its variable says, else its default. */
export function claudeCap(cap: unknown): number {
  const given = Number(cap);
  return Number.isInteger(given) && given > 0 ? given : CLAUDE_CAP;
}

/** How often a Stop hook with these texts may keep a turn going; `undefined` when they show no way to do so. */
export function continuationsFor(texts: readonly string[], cap: unknown): number | undefined {
  if (!texts.some((text) => BLOCKS.test(text))) return undefined;
  const ceiling = claudeCap(cap);
  return texts.some((text) => /stop_?hook_?active/i.test(text)) ? ceiling : Math.max(ceiling, OWN_LOOP);
}
