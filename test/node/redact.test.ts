import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/node/records/redact.ts";
import { isSecretField } from "../../src/node/records/secret-fields.ts";
import { runs } from "../support/long.ts";

const redactor = createRedactor({
  GITHUB_TOKEN: "plain-looking-value",
  HOME: "/home/someone",
  SHORT_TOKEN: "abc",
});
/** Put together here, so that no scanner takes this file for a leak. */
const secret = (...parts: readonly string[]): string => parts.join("");

describe("secrets are taken out of text", () => {
  it.each([
    ["a key of a model provider", secret("sk-", "ant-api03-", "abcdefghij0123456789"), "[redacted]"],
    ["a token of GitHub", secret("use gh", "p_", "0123456789abcdefghij0123 now"), "use [redacted] now"],
    ["a key id of AWS", secret("AK", "IA", "ABCDEFGHIJKLMNOP"), "[redacted]"],
    ["a token of npm", secret("np", "m_", "0123456789abcdefghij"), "[redacted]"],
    ["a token of GitLab", secret("gl", "pat-", "0123456789abcdefghij"), "[redacted]"],
    ["a token of Hugging Face", secret("h", "f_", "0123456789abcdefghij"), "[redacted]"],
    ["a key of Google", secret("AI", "za", "0123456789abcdefghij"), "[redacted]"],
    ["a token of Google", secret("ya", "29.", "0123456789abcdefghij"), "[redacted]"],
    ["a token of DigitalOcean", secret("dop", "_v1_", "0123456789abcdefghij"), "[redacted]"],
    ["a key of SendGrid", secret("S", "G.", "0123456789abcdefghij"), "[redacted]"],
    ["a key of Stripe", secret("r", "k_", "live_0123456789abcdefghij"), "[redacted]"],
    ["a token of a Slack app", secret("xa", "pp-", "0123456789abcdefghij"), "[redacted]"],
    ["a token of Slack", secret("xo", "xb-", "123456789012-abcdef"), "[redacted]"],
    ["a JSON web token", secret("ey", "JhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxIn0.c2ln"), "[redacted]"],
    [
      "a header",
      "curl -H 'Authorization: Bearer abcdef.123456'",
      "curl -H 'Authorization: [redacted] [redacted]'",
    ],
    [
      "credentials in an address",
      "git clone https://me:hunter22@example.org/x",
      "git clone https://me:[redacted]@example.org/x",
    ],
    [
      "an assignment",
      'API_KEY="abc123" DB_PASSWORD=hunter2 LANG=C run',
      'API_KEY="[redacted]" DB_PASSWORD=[redacted] LANG=C run',
    ],
    [
      "an option",
      "login --user me --password hunter2 --verbose",
      "login --user me --password [redacted] --verbose",
    ],
    [
      "JSON inside a text",
      '{\\"password\\": \\"hunter2\\", \\"n\\": 1}',
      '{\\"password\\": \\"[redacted]\\", \\"n\\": 1}',
    ],
    ["the value of a secret variable", "echo plain-looking-value", "echo [redacted]"],
    [
      "a private key",
      secret("-----BEGIN RSA PRIV", "ATE KEY-----\nMIIE\nabc\n-----END RSA PRIV", "ATE KEY-----"),
      secret("-----BEGIN RSA PRIV", "ATE KEY-----[redacted]-----END RSA PRIV", "ATE KEY-----"),
    ],
    [
      "a private key that is cut off",
      secret("x -----BEGIN PRIV", "ATE KEY-----\nMIIE\nab"),
      secret("x -----BEGIN PRIV", "ATE KEY-----[redacted]"),
    ],
  ])("%s", (_, text, clean) => {
    expect(redactor.text(text)).toBe(clean);
    expect(redactor.mayFind({ text: [text] })).toBe(true);
  });

  it.each([
    ["export PGPASSWORD=hunter2hunter2", "export PGPASSWORD=[redacted]"],
    ["DBPASS=hunter2 SMTP_PASS=hunter2 run", "DBPASS=[redacted] SMTP_PASS=[redacted] run"],
    ["SECRETKEY=hunter2", "SECRETKEY=[redacted]"],
    ["//registry.example.org/:_authToken=abcdef", "//registry.example.org/:_authToken=[redacted]"],
    ['password="correct horse battery staple" x', 'password="[redacted]" x'],
    ["--password='hunter two' x", "--password='[redacted]' x"],
    ["--token 'two words' x", "--token '[redacted]' x"],
    ['"password": "a \\"quoted\\" b", "n": 1', '"password": "[redacted]", "n": 1'],
    ['{\\"password\\": \\"two words\\", \\"n\\": 1}', '{\\"password\\": \\"[redacted]\\", \\"n\\": 1}'],
    ["DB_PASSWORD=abc,def;ghi&jkl", "DB_PASSWORD=[redacted]"],
    ["https://x/?token=abc&sort=up", "https://x/?token=[redacted]&sort=up"],
    ["TOKEN=abc&&ls", "TOKEN=[redacted]&&ls"],
    ["postgres://u:pa@ss@h/db", "postgres://u:[redacted]@h/db"],
    ['{"command":"DB_PASSWORD=hunter2 run"}', '{"command":"DB_PASSWORD=[redacted] run"}'],
    ["TOKEN: |\n  hunter2\n  more\nname: x", "TOKEN: [redacted]\nname: x"],
    ["mysql -u root -phunter2 db", "mysql -u root -p[redacted] db"],
    ["mysqldump -p'hunter two' db", "mysqldump -p'[redacted]' db"],
    ["curl -u admin:hunter2 https://x", "curl -u admin:[redacted] https://x"],
    ["curl -H 'A: b; c' --user 'me:two words' x", "curl -H 'A: b; c' --user 'me:[redacted]' x"],
    ["sshpass -p hunter2 ssh -p 22 host", "sshpass -p [redacted] ssh -p 22 host"],
    ["docker login -u me -p hunter2 host", "docker login -u me -p [redacted] host"],
    ["redis-cli -a hunter2 ping", "redis-cli -a [redacted] ping"],
    ["openssl rsa -passin pass:hunter2 -in k", "openssl rsa -passin pass:[redacted] -in k"],
  ])("however it is written: %j", (text, clean) => {
    expect(redactor.text(text)).toBe(clean);
    expect(redactor.mayFind({ text: [text] })).toBe(true);
  });

  it.each([
    ["ls -la /home/someone && cat token.txt"],
    ["the password is wrong, and abc is short"],
    ['curl -H "Authorization: $TOKEN"'],
    ["task-sk-list skip-this-very-long-name-of-a-thing"],
    ["https://example.org:8080/path?sort=key"],
    ["docker run -u node:node -p 8080:80 image"],
    ["curl -u $USER:$PASSWORD https://x"],
    ["docker run -u 1000:1000 image && mkdir -p a/b"],
    ["mysql db < dump.sql; mkdir -pv a"],
    ["mysql -u root -p db"],
    ["tests: 12 pass: 11 fail: 1"],
    ["COMPASS=north bypass=true keyboard: qwerty, primary_key=id"],
    ["the passwords are long; tokens: 12, max_tokens=100"],
    ["npm run pass-through -- --passWithNoTests"],
  ])("and nothing else: %s", (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it("in time linear in its length, whatever it is", () => {
    for (const unit of [
      "eyJaaaaaaaa",
      "sk-",
      "a",
      "-----BEGIN PRIVATE KEY-----",
      "Bearer ",
      "://a:",
      "token_",
      "password=",
      'password="',
      "password='a",
      'password=\\"',
      "password=a,",
      "TOKEN: |\n ",
      "curl -u a:",
      "mysql -p",
      "openssl -pass ",
    ]) {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(redactor.text(text).length).toBeGreaterThan(0);
    }
  });
});

describe("secrets are taken out of values", () => {
  it("by the name of their field, at any depth, with numbers of tokens left alone", () => {
    expect(
      redactor.value({
        password: "hunter2",
        headers: { Authorization: "x", "X-Api-Key": ["a", "b"], accept: "json" },
        usage: { max_tokens: 10, token_count: "12", total_tokens: 3 },
        dbPassword: "",
        command: "export DB_TOKEN=abcdef",
        list: [null, true, 1.5],
      }),
    ).toEqual({
      password: "[redacted]",
      headers: { Authorization: "[redacted]", "X-Api-Key": ["[redacted]", "[redacted]"], accept: "json" },
      usage: { max_tokens: 10, token_count: "12", total_tokens: 3 },
      dbPassword: "",
      command: "export DB_TOKEN=[redacted]",
      list: [null, true, 1.5],
    });
  });

  it("also where a value becomes another one when it is written", () => {
    const held = {
      at: new Date(0),
      from: new URL("https://me:hunter22@example.org/x"),
      of: { toJSON: () => ({ password: "hunter22" }) },
    };
    expect([redactor.value(held), redactor.mayFind(held)]).toEqual([
      {
        at: "1970-01-01T00:00:00.000Z",
        from: "https://me:[redacted]@example.org/x",
        of: { password: "[redacted]" },
      },
      true,
    ]);
  });

  it("and a secret variable's value survives nowhere in any value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, before, after) => {
        const clean = redactor.value({ value, text: `${before}plain-looking-value${after}` });
        expect(JSON.stringify(clean)).not.toContain("plain-looking-value");
      }),
      { numRuns: runs(100) },
    );
  });
});

it("a value of which it is said that nothing would be taken out stays as it is", () => {
  const words = fc.constantFrom(
    ..."token api_key passwd -u -p curl mysql login :// me:you@x plain-looking-value sk- Bearer abcdef0123456789 = ls auth: -secret --cookie ssh_key bypassPermissions".split(
      " ",
    ),
  );
  const texts = fc.array(fc.oneof(words, fc.string()), { maxLength: 4 }).map((parts) => parts.join(" "));
  const values = fc.letrec((tie) => ({
    value: fc.oneof(texts, fc.integer(), fc.array(tie("value")), fc.dictionary(texts, tie("value"))),
  })).value;
  fc.assert(
    fc.property(values, (value) => {
      if (!redactor.mayFind(value)) expect(redactor.value(value)).toBe(value);
    }),
    { numRuns: runs(200) },
  );
  expect(redactor.mayFind({ command: "npm run build", list: [1, null, "README.md"] })).toBe(false);
  expect(
    redactor.mayFind({ permission_mode: "bypassPermissions", hook: "keyboard", sort_key: "author" }),
  ).toBe(false);
  for (const value of [
    { ssh_key: "hunter22" },
    ["-secret", "hunter22"],
    "auth: hunter22",
    "--cookie hunter22",
  ])
    expect(redactor.mayFind(value)).toBe(true);
  expect(redactor.mayFind(["a", { b: "echo plain-looking-value" }])).toBe(true);
  expect(redactor.mayFind({ password: "hunter2" })).toBe(true);
});

it("a secret far inside a value is found in linear time, and the value is not touched", () => {
  let value: unknown = { password: "hunter2", plain: ["a text that stays"] };
  for (let depth = 0; depth < 90; depth += 1) value = { inner: value, beside: [depth] };
  const before = JSON.stringify(value);
  expect(JSON.stringify(redactor.value(value))).toBe(before.replace("hunter2", "[redacted]"));
  expect(JSON.stringify(value)).toBe(before);
});

it("names of secrets are told from other names", () => {
  const names = [
    "api_key",
    "apiKey",
    "AWS_SECRET_ACCESS_KEY",
    "GH_TOKEN",
    "Set-Cookie",
    "private-key",
    "client_secret",
    "auth",
    "PGPASSWORD",
    "DBPASS",
    "DB_PASS",
    "SECRETKEY",
    "_authToken",
  ];
  const others = [
    "PWD",
    "OLDPWD",
    "SSH_AUTH_SOCK",
    "tokens",
    "max_tokens",
    "author",
    "sort_key",
    "keyboard",
    "monkey",
    "bypass",
    "compass",
    "pass",
    "passes",
    "PASSED",
    "",
  ];
  expect([names.filter(isSecretField), others.filter(isSecretField)]).toEqual([names, []]);
});

it("a secret among the arguments of a program is told by the one before it", () => {
  const given = [
    "login",
    "--api-key",
    "abc",
    "--password",
    "--verbose",
    "--token",
    "$TOKEN",
    "-pass",
    "x",
    "--user",
    "me",
  ];
  expect(
    redactor.value({ command: given, list: ["--dbPassword", ["hunter2"], "--max-tokens", "5"] }),
  ).toEqual({
    command: given.map((argument) => (argument === "abc" ? "[redacted]" : argument)),
    list: ["--dbPassword", ["hunter2"], "--max-tokens", "5"],
  });
});
