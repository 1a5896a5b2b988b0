import { describe, expect, it } from "vitest";
import { childEnvironment, isSecretName } from "../../src/node/process/environment.ts";

describe("a variable is withheld", () => {
  it.each(
    (
      "ANTHROPIC_API_KEY OPENAI_API_KEY GITHUB_TOKEN GH_TOKEN NPM_TOKEN NODE_AUTH_TOKEN AWS_SECRET_ACCESS_KEY " +
      "AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN DB_PASSWORD PGPASSWORD SMTP_PASS CLIENT_SECRET SECRET_KEY_BASE " +
      "GOOGLE_APPLICATION_CREDENTIALS STRIPE_KEY DATABASE_URL SENTRY_DSN SLACK_WEBHOOK_URL my_api_key ApiKey " +
      "GITHUB_PAT SIGNING_KEY AZURE_CLIENT_ID HF_TOKEN CLAUDE_CODE_OAUTH_TOKEN TOKEN PASSWORD npm_config__authToken"
    ).split(" "),
  )("when it is called %s", (name) => {
    expect(isSecretName(name)).toBe(true);
  });
});

describe("a variable passes", () => {
  it.each(
    (
      "PATH HOME USER SHELL LANG LC_ALL TERM TMPDIR PWD EDITOR NODE_OPTIONS VIRTUAL_ENV PYTHONPATH DISPLAY " +
      "SSH_AUTH_SOCK XDG_CONFIG_HOME CI TENTERHOOK_RUN TOKENIZERS_PARALLELISM MAX_THINKING_TOKENS KEYBOARD COMPAT PAGER"
    ).split(" "),
  )("when it is called %s", (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

it("withheld variables can be handed on by name, and unset ones are left out", () => {
  const environment = { PATH: "/bin", API_KEY: "1", NPM_TOKEN: "2", GONE: undefined };
  expect(childEnvironment(environment)).toEqual({ PATH: "/bin" });
  expect(childEnvironment(environment, ["NPM_TOKEN"])).toEqual({ PATH: "/bin", NPM_TOKEN: "2" });
});
