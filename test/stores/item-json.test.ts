import fc from "fast-check";
import { expect, it } from "vitest";
import { createRedactor } from "../../src/node/records/redact.ts";
import { ItemJson } from "../../src/stores/transcripts/item-json.ts";
import { runs } from "../support/soak.ts";

const SECRET = "correct-horse-battery-9";
const redactor = createRedactor({ SERVICE_TOKEN: SECRET });

const RUNS = {
  type: "hook_runs",
  hook_event_name: "PreToolUse",
  event_id: "mwi3oot216ill6l3zc-1",
  tool_use_id: undefined,
  said_nothing: Object.freeze(["PreToolUse#1", `named "${SECRET}"`]),
  runs: [],
  turn_id: "mwi3oot44bl2b0w-6",
  timestamp: "2026-11-15T17:20:26.808Z",
  count: -0,
  share: Number.NaN,
  done: true,
  nothing: null,
};

it("writes an item as JSON.stringify does, without secrets", () => {
  const json = new ItemJson(redactor);
  const expected = JSON.stringify(redactor.value(RUNS));
  expect(expected).toContain('"said_nothing":["PreToolUse#1","named \\"[redacted]\\""],"runs":[]');
  // The second time what it remembers is used.
  expect([json.write(RUNS), json.write(RUNS)]).toEqual([expected, expected]);
});

it("does not take a list that was changed for the one it was", () => {
  const json = new ItemJson(redactor);
  const names = ["one"];
  const first = json.write({ type: "names", ...{ names } });
  names.push(SECRET);
  expect([first, json.write({ type: "names", ...{ names } })]).toEqual([
    '{"type":"names","names":["one"]}',
    '{"type":"names","names":["one","[redacted]"]}',
  ]);
});

it("leaves items to others that hold secrets by name, other records, or what writes itself", () => {
  const json = new ItemJson(redactor);
  const items = [
    { password: "abc" },
    { [`at ${SECRET}`]: "value" },
    { runs: [{ name: "one" }] },
    { address: new URL("https://example.org") },
    { toJSON: () => SECRET },
    { list: Object.assign(["one"], { toJSON: () => SECRET }) },
    { command: ["login", "--api-key", "abc"] },
    { call: () => {} },
  ];
  expect(items.map((item) => json.write({ type: "item", ...item }))).toEqual(items.map(() => undefined));
});

it("never writes anything else than JSON.stringify would, nor a secret, whatever came before", () => {
  const json = new ItemJson(redactor);
  const texts = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          SECRET,
          "token=abc",
          "--password",
          "id-1",
          "2026-11-15T17:20:26.808Z",
          "Bearer abcdefgh",
          '"',
          "\\",
        ),
        fc.string({ unit: "binary", maxLength: 6 }),
      ),
      { maxLength: 3 },
    )
    .map((parts) => parts.join(""));
  const values = fc.oneof(
    texts,
    fc.array(texts, { maxLength: 3 }),
    fc.array(texts, { maxLength: 3 }).map((list) => Object.freeze(list)),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined),
    fc.jsonValue(),
  );
  const names = fc.oneof(texts, fc.constantFrom("turn_id", "names", "api_key", "__proto__", "7"));
  fc.assert(
    fc.property(fc.dictionary(names, values), texts, (fields, type) => {
      const item = { ...fields, type };
      const written = json.write(item);
      if (written === undefined) return;
      expect(written).toBe(JSON.stringify(redactor.value(item)));
      expect(written).not.toContain(SECRET);
    }),
    { numRuns: runs(1000, 20_000) },
  );
});
