import { isSecretName } from "../../node/process/environment.ts";

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
