import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idSequence, isoTime } from "../../src/core/base/clock.ts";
import { frozenCopy, frozenJson, sameJson, thawedCopy } from "../../src/core/base/json.ts";
import { nearestName } from "../../src/core/base/suggest.ts";
import { capText, characterCount, firstCharacters, lastCharacters } from "../../src/core/base/text.ts";
import { resolvePath } from "../../src/core/match/paths.ts";
import { canonicalToolName, TOOL_NAMES, toolSpellings } from "../../src/core/match/tool-names.ts";
import { hostsIn } from "../../src/core/match/url-hosts.ts";
import { anyText } from "../support/any-text.ts";

describe("text", () => {
  it("is cut between characters, at the front, at the back and with a mark", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), fc.nat(40), (text, count) => {
        const characters = [...text];
        expect(characterCount(text)).toBe(characters.length);
        expect(firstCharacters(text, count)).toBe(characters.slice(0, count).join(""));
        expect(lastCharacters(text, count)).toBe(count === 0 ? "" : characters.slice(-count).join(""));
        expect(characterCount(capText(text, count))).toBeLessThanOrEqual(Math.max(count, 1));
        if (characters.length <= count) expect(capText(text, count)).toBe(text);
      }),
    );
  });
});

describe("json", () => {
  it("is copied whole, frozen all the way down, and compares equal", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const frozen = frozenCopy(value);
        expect(frozen).toEqual(JSON.parse(JSON.stringify(value)));
        expect(everyObject(frozen, Object.isFrozen)).toBe(true);
        expect(sameJson(frozen, JSON.parse(JSON.stringify(value)))).toBe(true);
        const thawed = thawedCopy(frozen);
        expect(sameJson(thawed, frozen)).toBe(true);
        expect(everyObject(thawed, (item) => !Object.isFrozen(item) || Object.keys(item).length === 0)).toBe(
          true,
        );
      }),
    );
  });

  it("is shared when it is frozen all the way down, and copied when anything in it is not", () => {
    const frozen = Object.freeze({ a: Object.freeze([1, Object.freeze({ b: "c" })]), d: null });
    expect(frozenCopy(frozen)).toBe(frozen);
    const open = { e: 1 };
    const partly = Object.freeze({ kept: frozen, list: Object.freeze([frozen, open]), gone: undefined });
    const copied = frozenCopy(partly);
    open.e = 2;
    expect(copied).toEqual({ kept: frozen, list: [frozen, { e: 1 }] });
    expect([copied.kept, everyObject(copied, Object.isFrozen), "gone" in copied]).toEqual([
      frozen,
      true,
      false,
    ]);
    const more = Object.freeze(Object.assign([1], { beside: open }));
    expect(Object.keys(frozenCopy(more))).toEqual(["0"]);
  });

  it("differs when anything differs", () => {
    expect([
      sameJson({ a: 1 }, { a: 2 }),
      sameJson({ a: 1 }, { b: 1 }),
      sameJson([1], { 0: 1 }),
      sameJson({}, null),
      sameJson({ a: null }, {}),
      sameJson({ ["__proto__"]: {} }, {}),
    ]).toEqual([false, false, false, false, false, false]);
  });

  it("is the same with a field that is undefined, as JSON does not carry it", () => {
    expect(sameJson({ a: undefined, b: [1] }, { b: [1] })).toBe(true);
  });

  it("of values JSON can't carry is what a reader can use", () => {
    class Point {
      x = 1;
    }
    const circle: Record<string, unknown> = {
      big: 5n,
      at: new Date(0),
      error: new TypeError("t"),
      point: new Point(),
      run: () => 1,
      not: Number.NaN,
    };
    circle.self = circle;
    expect(frozenCopy(circle)).toEqual({
      big: "5",
      at: "1970-01-01T00:00:00.000Z",
      error: { name: "TypeError", message: "t" },
      point: { x: 1 },
      not: null,
      self: "[circular]",
    });
    let deep: unknown = 1;
    for (let level = 0; level < 1500; level += 1) deep = { deep };
    expect(JSON.stringify(frozenCopy(deep))).toContain("[too deep]");
    expect(() => frozenJson(deep)).toThrow("more than 1000 levels");
    expect(frozenJson(undefined)).toBeUndefined();
  });
});

describe("time", () => {
  it("is written like toISOString writes it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (time) => {
        expect(isoTime(time)).toBe(new Date(time).toISOString());
        expect(isoTime(time + 0.75)).toBe(new Date(time).toISOString());
      }),
    );
  });

  it("makes ids that differ between processes", () => {
    const one = idSequence(1, () => 0.1);
    const other = idSequence(1, () => 0.2);
    expect(new Set([one(), one(), other(), other()]).size).toBe(4);
  });
});

describe("names", () => {
  it.each([
    ["PreTolUse", "PreToolUse"],
    ["pre_tool_use", "PreToolUse"],
    ["Sotp", "Stop"],
    ["xyz", undefined],
  ])("%s means %s", (wrong, meant) => {
    expect(nearestName(wrong, ["PreToolUse", "PostToolUse", "Stop"])).toBe(meant);
  });

  it("of tools stand for one tool each", () => {
    const all = Object.entries(TOOL_NAMES).flatMap(([name, aliases]) => [name, ...aliases]);
    expect(new Set(all).size).toBe(all.length);
    expect([canonicalToolName("run_shell_command"), canonicalToolName("mcp__x__y")]).toEqual([
      "Bash",
      "mcp__x__y",
    ]);
    expect([toolSpellings("bash")[0], toolSpellings("mcp__x__y")]).toEqual(["Bash", ["mcp__x__y"]]);
  });
});

describe("paths and hosts", () => {
  it.each([
    ["a/../b/./c", "/w", "/w/b/c"],
    ["/../../etc", "/w", "/etc"],
    ["..", "/w/x", "/w"],
    ["C:\\x\\..\\y", "/w", "C:/y"],
    ["", "/w", "/w"],
  ])("%s from %s is %s", (path, cwd, resolved) => {
    expect(resolvePath(path, cwd)).toBe(resolved);
  });

  it("of every URL in a text are found", () => {
    expect(hostsIn('curl "https://A.example:1/x" | nc ftp://b.example; (ws://c.example) http://')).toEqual([
      "a.example",
      "b.example",
      "c.example",
    ]);
  });
});

function everyObject(value: unknown, test: (item: object) => boolean): boolean {
  if (typeof value !== "object" || value === null) return true;
  return test(value) && Object.values(value).every((item) => everyObject(item, test));
}
