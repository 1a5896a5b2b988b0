import { expect, it } from "vitest";
import { createRedactor } from "../../src/node/records/redact.ts";

it("the value of a secret variable is found as others write it: in JSON, in an address, without what surrounds it", () => {
  const value = 'pa"ss/wo\\rd+wörd';
  const redactor = createRedactor({ DB_PASSWORD: ` ${value}\n`, HALF_TOKEN: "half-\ud800-of-it" });
  const texts = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), "half-\ud800-of-it"];
  expect([
    texts.map((found) => redactor.text(`<${found}>`)),
    texts.map((found) => redactor.mayFind([found])),
  ]).toEqual([texts.map(() => "<[redacted]>"), texts.map(() => true)]);
});

it("a variable that was set or changed since is found when it looks again, and what it was stays secret", () => {
  const environment: Record<string, string> = { SERVICE_TOKEN: "first-value" };
  const redactor = createRedactor(environment);
  const texts = ["first-value", "second-value", "third-value"];
  const cleaned = () => texts.map((text) => redactor.text(text));
  expect([cleaned(), redactor.lookAgain(0)]).toEqual([["[redacted]", "second-value", "third-value"], false]);
  environment.SERVICE_TOKEN = "second-value";
  environment.OTHER_TOKEN = "third-value";
  environment.HOME = "/home/someone-else";
  expect([1, 1000, 2000].map((now) => redactor.lookAgain(now))).toEqual([false, true, false]);
  delete environment.OTHER_TOKEN;
  environment.SERVICE_TOKEN = "fourth-value";
  // The clock went back.
  expect([redactor.lookAgain(0), redactor.text("fourth-value"), cleaned()]).toEqual([
    true,
    "[redacted]",
    ["[redacted]", "[redacted]", "[redacted]"],
  ]);
});
