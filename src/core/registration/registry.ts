import { TenterhookError } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import {
  EventCatalogue,
  type EventDeclaration,
  type KnownEvent,
  undeclaredEvent,
} from "../events/known-events.ts";
import { toolOf } from "../match/tool-names.ts";
import type { RegisteredHook } from "./registered-hook.ts";

/** A hook, or the place where another set was included. */
type Entry = RegisteredHook | Registry;

/** What a set knows of an event, and the enabled hooks that could match it, in order. */
export interface Route {
  readonly known: KnownEvent;
  readonly candidates: readonly RegisteredHook[];
}

/** An event and its enabled hooks, in order: all, and those that remain once the tool is known. */
interface EventHooks {
  readonly known: KnownEvent;
  readonly all: readonly RegisteredHook[];
  readonly withoutTool: readonly RegisteredHook[];
  readonly byTool: Map<string, readonly RegisteredHook[]>;
}

/** Something to do before an event is decided; a promise when the event has to wait for it. */
export type BeforeEvent = () => Promise<void> | undefined;

const MOST_REMEMBERED = 1000;

/**
 * The hooks of a set in the order they are asked, and for each event and tool the ones that could match. These are
 * remembered until something changes, so an event costs as much as the hooks that could match, not as all there are.
 */
export class Registry {
  private readonly catalogue = new EventCatalogue();
  private entries: Entry[] = [];
  private readonly names = new Set<string>();
  private tasks: readonly { readonly task: BeforeEvent }[] = [];
  private number = 0;
  /** Grows with every change here. */
  private version = 0;
  private hooksByEvent = new Map<string, RegisteredHook[]>();
  private readonly remembered = new Map<string, EventHooks>();
  private rememberedVersion = -1;
  private includes: readonly Registry[] = [];

  /** Takes hooks out and adds others at the end, in order. Answers those that are gone. */
  replace(before: readonly RegisteredHook[], after: readonly RegisteredHook[]): readonly RegisteredHook[] {
    const there = new Set<Entry>(before.length === 0 ? [] : this.entries);
    const gone = before.filter((hook) => there.has(hook));
    const out = new Set<Entry>(gone);
    const free = new Set(gone.map(scopedName));
    const taken = new Set<string>();
    for (const hook of after) {
      const name = scopedName(hook);
      if (taken.has(name) || (this.names.has(name) && !free.has(name))) throw duplicate(hook);
      taken.add(name);
    }
    if (gone.length > 0) this.entries = this.entries.filter((entry) => !out.has(entry));
    for (const name of free) this.names.delete(name);
    for (const name of taken) this.names.add(name);
    this.entries.push(...after);
    this.version += 1;
    for (const hook of gone) hook.removed = true;
    for (const hook of after) hook.removed = false;
    return gone.filter(({ removed }) => removed);
  }

  /** Has something done before each event of this set, and of those that include it. */
  before(task: BeforeEvent): () => void {
    // Each call is one of its own, also for the same function.
    const own = { task };
    this.tasks = [...this.tasks, own];
    return () => {
      this.tasks = this.tasks.filter((other) => other !== own);
    };
  }

  /** True when there is something to do before an event. */
  hasTasks(): boolean {
    if (this.tasks.length > 0) return true;
    for (const other of this.includes) if (other.hasTasks()) return true;
    return false;
  }

  /** Does what is to be done before an event; a promise when that takes time. */
  runTasks(): Promise<unknown> | undefined {
    const waiting: Promise<unknown>[] = [];
    for (const { task } of this.tasks) {
      const doing = task();
      if (doing !== undefined) waiting.push(doing);
    }
    for (const other of this.includes) {
      const doing = other.runTasks();
      if (doing !== undefined) waiting.push(doing);
    }
    return waiting.length === 0 ? undefined : Promise.all(waiting);
  }

  /** A number no hook of this set was named by before. */
  nextNumber(): number {
    this.number += 1;
    return this.number;
  }

  include(other: Registry): void {
    if (other.reaches(this))
      throw new TenterhookError("include_cycle", "This hook set would include itself.");
    this.entries.push(other);
    this.includes = this.entries.filter((entry) => entry instanceof Registry);
    this.version += 1;
  }

  /** Turns every hook of this name on or off, in included sets too. */
  setEnabled(name: string, enabled: boolean): void {
    const hooks = this.all().filter((hook) => hook.hook.name === name);
    if (hooks.length === 0) {
      const names = this.all().map((hook) => hook.hook.name);
      throw new TenterhookError(
        "unknown_hook",
        `There is no hook ${JSON.stringify(name)}.${didYouMean(name, names)}`,
      );
    }
    for (const hook of hooks) hook.enabled = enabled;
    this.touch(new Set(hooks));
  }

  /** @throws TenterhookError `invalid_declaration`. */
  declare(name: string, declaration: EventDeclaration): void {
    this.catalogue.declare(name, declaration);
    this.version += 1;
  }

  /** The event's row: of the table, declared here or in an included set, or an agent's own. */
  find(event: string): KnownEvent | undefined {
    return this.declared(event) ?? undeclaredEvent(event);
  }

  /** Every event name known here, for suggestions. */
  eventNames(): readonly string[] {
    return [...this.catalogue.names(), ...this.includes.flatMap((other) => other.eventNames())];
  }

  /** All hooks in the order they are asked: priority, scope, then as they came. */
  all(): readonly RegisteredHook[] {
    return this.flat().sort((a, b) => a.hook.priority - b.hook.priority || a.scopeRank - b.scopeRank);
  }

  /** `undefined` for an unknown event. A `tools` filter never fits an event without a tool. */
  route(name: string, fields: Readonly<Record<string, unknown>>): Route | undefined {
    const event = this.eventHooks(name);
    if (event === undefined) return undefined;
    const { known, all, withoutTool, byTool } = event;
    const tool = toolOf(fields);
    if (tool === undefined) return { known, candidates: withoutTool };
    let candidates = byTool.get(tool);
    if (candidates === undefined) {
      candidates = all.filter((hook) => hook.tool === undefined || hook.tool(tool));
      if (byTool.size >= MOST_REMEMBERED) byTool.clear();
      byTool.set(tool, candidates);
    }
    return { known, candidates };
  }

  /** The enabled hooks that could match an event about this tool, in order. */
  candidates(event: string, tool: string): readonly RegisteredHook[] {
    return this.route(event, { tool })?.candidates ?? [];
  }

  /** False when no enabled hook listens to an event, whatever tool it is about. */
  hears(event: string): boolean {
    return (this.eventHooks(event)?.all.length ?? 0) > 0;
  }

  private eventHooks(name: string): EventHooks | undefined {
    const version = this.totalVersion();
    if (version !== this.rememberedVersion) {
      this.hooksByEvent = this.byEvent();
      this.remembered.clear();
      this.rememberedVersion = version;
    }
    const remembered = this.remembered.get(name);
    if (remembered !== undefined) return remembered;
    const known = this.find(name);
    if (known === undefined) return undefined;
    const all = this.hooksByEvent.get(name) ?? [];
    const withoutTool = all.filter((hook) => hook.tool === undefined);
    const event = { known, all, withoutTool, byTool: new Map() };
    if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
    this.remembered.set(name, event);
    return event;
  }

  private declared(event: string): KnownEvent | undefined {
    const found = this.catalogue.find(event);
    if (found !== undefined) return found;
    for (const other of this.includes) {
      const theirs = other.declared(event);
      if (theirs !== undefined) return theirs;
    }
    return undefined;
  }

  private byEvent(): Map<string, RegisteredHook[]> {
    const lists = new Map<string, RegisteredHook[]>();
    for (const hook of this.all()) {
      if (!hook.enabled) continue;
      for (const event of new Set(hook.hook.events)) {
        const list = lists.get(event);
        if (list === undefined) lists.set(event, [hook]);
        else list.push(hook);
      }
    }
    return lists;
  }

  private own(): readonly RegisteredHook[] {
    return this.entries.filter((entry): entry is RegisteredHook => !(entry instanceof Registry));
  }

  /** The hooks as they came. A set that is included in several ways is asked once. */
  private flat(seen = new Set<Registry>()): RegisteredHook[] {
    seen.add(this);
    return this.entries.flatMap((entry) => {
      if (!(entry instanceof Registry)) return [entry];
      return seen.has(entry) ? [] : entry.flat(seen);
    });
  }

  private reaches(target: Registry): boolean {
    return this === target || this.includes.some((other) => other.reaches(target));
  }

  /** Marks the sets that hold these hooks as changed, so that every set that includes them notices. */
  private touch(hooks: ReadonlySet<RegisteredHook>): void {
    if (this.own().some((hook) => hooks.has(hook))) this.version += 1;
    for (const other of this.includes) other.touch(hooks);
  }

  private totalVersion(): number {
    let total = this.version;
    for (const other of this.includes) total += other.totalVersion();
    return total;
  }
}

function duplicate({ hook }: RegisteredHook): TenterhookError {
  return new TenterhookError(
    "duplicate_hook",
    `There are two hooks called ${JSON.stringify(hook.name)} in the scope ${hook.origin.scope} of this set.`,
  );
}

function scopedName({ hook }: RegisteredHook): string {
  return `${hook.origin.scope} ${hook.name}`;
}
