import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  createHooks,
  type Decision,
  type Effect,
  EVENTS,
  type EventDeclaration,
  TenterhookError,
} from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import type { Adapter, DecodedEvent, NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { effectsOf } from "../../../src/adapters/codec/table-codec.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import { isOwnEvent } from "../../../src/core/events/known-events.ts";
import { runs } from "../../support/long.ts";
import { outcomesFor } from "./outcomes-for.ts";

/** What an agent understood of a reply: written from its documentation, not from our adapter. */
export interface Understood {
  /** What becomes of the call: it goes on, runs unasked, a human is asked, or it is refused. */
  readonly verdict: "continue" | "allow" | "ask" | "deny";
  readonly effects: ReadonlySet<Effect>;
  /** The run ends. */
  readonly ends: boolean;
  /** What was said to the user. */
  readonly shown: string;
}

/** An adapter with what is known of its agent from outside. */
export interface AdapterCase {
  readonly adapter: Adapter;
  /** What the real agent does with a reply to this payload. */
  readonly understands: (reply: NativeReply, payload: NativePayload) => Understood;
  /** The gates of ours on which this agent can't be stopped by any reply. The user is told. */
  readonly unstoppable: readonly string[];
  /** What it is written when there is nothing to say. Default: nothing. */
  readonly silence?: string;
  /** The folder of a payload. Default: its `cwd`. */
  readonly folderOf?: (payload: NativePayload) => unknown;
  /** The key with the name of the event. Default: `hook_event_name`. */
  readonly eventKey?: string;
}

/** An adapter's recorded payloads, and what hooks make of them. */
export interface RecordedCalls {
  /** The payload in this file of test/fixtures/AGENT. */
  recorded(name: string): NativePayload;
  /** The reply to a payload when one hook says this. */
  replyTo(payload: NativePayload, ...outcomes: readonly object[]): Promise<NativeReply>;
}

/** The suite every adapter passes, on the payloads in test/fixtures/AGENT. */
export function adapterSuite({
  adapter,
  understands,
  unstoppable,
  silence = "",
  folderOf = ({ cwd }) => cwd,
  eventKey = "hook_event_name",
}: AdapterCase): RecordedCalls {
  const fixtures = join(import.meta.dirname, "../../fixtures", adapter.name);
  const recorded = (name: string): NativePayload =>
    JSON.parse(readFileSync(join(fixtures, `${name}.json`), "utf8"));
  const payloads = readdirSync(fixtures)
    .map((file) => file.replace(/\.json$/, ""))
    .map((name): [string, NativePayload] => [name, recorded(name)]);

  /** A hook set that knows the agent's own events, with one hook on this event. */
  const decide = async (event: DecodedEvent, outcomes: readonly object[]): Promise<Decision> => {
    const hooks = createHooks();
    for (const [name, declaration] of Object.entries(adapter.declarations)) {
      if (isOwnEvent(name)) hooks.declare(name, declaration);
    }
    internals(hooks).register(event.hook_event_name, { name: "hook" }, { type: "test", run: () => outcomes });
    return hooks.fireUntyped(event);
  };
  const allowedOn = ({ hook_event_name: name }: DecodedEvent): readonly Effect[] => {
    const table: Readonly<Record<string, { readonly effects: readonly Effect[] }>> = {
      ...EVENTS,
      ...adapter.declarations,
    };
    return [
      ...(table[name]?.effects ?? []),
      "user_message",
      ...(name === "SessionEnd" ? [] : ["abort" as const]),
    ];
  };

  describe("a recorded payload", () => {
    it.each(payloads)("%s becomes a valid event that keeps the payload untouched", async (_name, payload) => {
      const before = JSON.stringify(payload);
      const event = adapter.decode(payload);
      expect(event).toMatchObject({ host: adapter.name, native: payload, cwd: folderOf(payload) });
      expect(JSON.stringify(event.native)).toBe(before);
      await expect(decide(event, [])).resolves.toMatchObject({
        action: "continue",
        runs: [{ name: "hook" }],
      });
    });

    it.each(payloads)("%s without a word from any hook gets no reply", async (_name, payload) => {
      const event = adapter.decode(payload);
      expect(adapter.encode(await decide(event, []), event)).toEqual({
        stdout: silence,
        stderr: "",
        exit_code: 0,
        losses: [],
      });
    });
  });

  describe("whatever hooks decide", () => {
    it.each(payloads)("on %s the agent does it, or the loss is declared", async (_name, payload) => {
      const event = adapter.decode(payload);
      await fc.assert(
        fc.asyncProperty(outcomesFor(event, allowedOn(event)), async (outcomes) => {
          const decision = await decide(event, outcomes);
          const reply = adapter.encode(decision, event);
          const understood = understands(reply, payload);
          const lost = new Map(reply.losses.map(({ effect, became }) => [effect, became]));
          if ([...lost.values()].includes("deny")) {
            expect(understood.verdict === "deny" || understood.ends).toBe(true);
            return;
          }
          for (const effect of effectsOf(decision)) {
            // A refused call runs with no input at all.
            if (effect === "rewrite" && understood.verdict === "deny") continue;
            if (lost.has(effect) && (effect === "allow" || lost.has("user_message"))) continue;
            if (lost.has(effect)) expect(understood.shown).toContain(effect.replaceAll("_", " "));
            else expect([...understood.effects]).toContain(effect);
          }
          expect(understood.ends).toBe(decision.abort !== undefined && !lost.has("abort"));
          if (lost.has("user_message")) return;
          for (const { text } of decision.user_messages) expect(understood.shown).toContain(text);
        }),
        { numRuns: runs(10) },
      );
    });

    it.each(payloads)("on %s a refusal is never read as a yes", async (_name, payload) => {
      const event = adapter.decode(payload);
      const refusals = allowedOn(event).filter((effect) => effect === "deny" || effect === "ask");
      for (const type of refusals) {
        const reply = adapter.encode(await decide(event, [{ type, reason: "no" }]), event);
        const understood = understands(reply, payload);
        if (unstoppable.includes(event.hook_event_name)) {
          const lost = reply.losses.filter(({ effect }) => effect !== "user_message");
          expect(lost).toMatchObject([{ effect: type, became: "observe" }]);
          expect(understood.shown).toContain("no\n");
        } else expect(["ask", "deny"].includes(understood.verdict) || understood.ends).toBe(true);
      }
    });
  });

  describe("a payload nobody expected", () => {
    const isGate = ({ hook_event_name: name }: DecodedEvent): boolean => {
      const table: Readonly<Record<string, { readonly gate: boolean }>> = EVENTS;
      const declared: Readonly<Record<string, EventDeclaration>> = adapter.declarations;
      if (unstoppable.includes(name)) return false;
      return table[name]?.gate ?? declared[name]?.effects.includes("deny") ?? true;
    };

    const decoded = (payload: NativePayload): DecodedEvent | undefined => {
      try {
        return adapter.decode(payload);
      } catch {
        return undefined;
      }
    };

    it.each(payloads)(
      "%s with parts missing, changed or new never crashes and never opens a gate",
      async (_name, payload) => {
        const key = fc.constantFrom(...Object.keys(payload), "future_field", "__proto__", "constructor");
        const broken = fc
          .array(fc.tuple(key, fc.option(fc.jsonValue(), { nil: undefined })), { minLength: 1, maxLength: 4 })
          .map((changes) => ({ ...payload, ...Object.fromEntries(changes) }));
        await fc.assert(
          fc.asyncProperty(broken, async (changed) => {
            const given: NativePayload = JSON.parse(JSON.stringify(changed));
            let reply: NativeReply;
            try {
              const event = adapter.decode(given);
              const refusable = allowedOn(event).includes("deny") && isGate(event);
              reply = adapter.encode(
                await decide(event, refusable ? [{ type: "deny", reason: "no" }] : []),
                event,
              );
              if (!refusable) return;
            } catch (error) {
              reply = adapter.refuse(given, String(error));
              // What is left of the payload may be that of another event.
              const left = decoded(given);
              if (left !== undefined && !isGate(left)) return;
            }
            const understood = understands(reply, given);
            expect(understood.verdict === "deny" || understood.ends || reply.exit_code === 2).toBe(true);
          }),
          { numRuns: runs(10) },
        );
      },
    );

    it.each(payloads)(
      "%s with an object that is no text in place of any text is read or refused with a reason",
      (_name, payload) => {
        for (const given of withoutText(payload)) {
          const changed = isRecord(given) ? given : {};
          expect(adapter.refuse(changed, "no").losses).toBeInstanceOf(Array);
          try {
            adapter.decode(changed);
          } catch (error) {
            expect(error).toBeInstanceOf(TenterhookError);
          }
        }
      },
    );

    it("of an event that does not exist yet is watched and gets no reply", async () => {
      const payload = { ...payloads[0]?.[1], [eventKey]: "SomethingOfNextYear" };
      const event = adapter.decode(payload);
      expect(event.hook_event_name).toBe(`${adapter.name}:SomethingOfNextYear`);
      expect(adapter.encode(await decide(event, []), event).stdout).toBe(silence);
    });

    it("of an event that does not exist yet is refused when a hook refuses, or ends the run, or fails", async () => {
      const payload = { ...payloads[0]?.[1], [eventKey]: "SomethingOfNextYear" };
      const event = adapter.decode(payload);
      for (const type of ["deny", "abort"] as const) {
        const reply = adapter.encode(await decide(event, [{ type, reason: "no" }]), event);
        expect(understands(reply, payload).verdict).toBe("deny");
      }
      // An outcome no event allows is a failure, and gates fail closed.
      const reply = adapter.encode(await decide(event, [{ type: "retry" }]), event);
      expect(understands(reply, payload).verdict).toBe("deny");
    });

    it.each(["__proto__", "constructor", "toString"])(
      "called %s is an event like any other",
      async (name) => {
        const payload = { ...payloads[0]?.[1], [eventKey]: name };
        const event = adapter.decode(payload);
        expect(adapter.encode(await decide(event, []), event).stdout).toBe(silence);
      },
    );

    it.each([["a text"], [null], [[1]], [42]])("%j is refused", (payload) => {
      expect(adapter.refuse(payload, "That is no payload.").exit_code).toBe(2);
      expect(isRecord(payload)).toBe(false);
    });
  });

  return {
    recorded,
    replyTo: async (payload, ...outcomes) => {
      const event = adapter.decode(payload);
      return adapter.encode(await decide(event, outcomes), event);
    },
  };
}

/** A value with one of its texts replaced, for each of them, by an object that can't become one. */
function withoutText(value: unknown): readonly unknown[] {
  if (typeof value === "string") return [{ toString: null }];
  if (Array.isArray(value))
    return value.flatMap((item, at) => withoutText(item).map((other) => value.with(at, other)));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    withoutText(inner).map((other) => ({ ...value, [key]: other })),
  );
}
