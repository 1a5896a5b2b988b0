import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";
import { isRecord } from "../../../src/core/base/json.ts";

/** A message of Cursor's protocol. */
export interface Message {
  toBinary(): Uint8Array;
  toJson(): unknown;
}

export interface MessageType {
  fromBinary(bytes: Uint8Array): Message;
  fromJson(value: unknown): Message;
}

const MODULES = /generated\/(?:agent\/v1|aiserver\/v1\/bidi)/;

/**
 * The types of the messages between Cursor's agent and its backend, by name. The package does not export them: its main
 * file is run here with one more export, in memory.
 */
export function cursorMessages(sdk: string): (name: string) => MessageType {
  const folder = join(realpathSync(sdk), "dist/cjs");
  const file = join(folder, "index.js");
  const text = readFileSync(file, "utf8");
  const bundler = /(\w+)\.m=\w+,\1\.n=/.exec(text)?.[1];
  if (bundler === undefined) throw new Error(`${file} is not built as it was in 1.0.32.`);
  const module: { exports: unknown; found?: unknown } = { exports: {} };
  const patched = text.replace(`${bundler}.n=`, `module.found=${bundler},${bundler}.n=`);
  const run = compileFunction(patched, ["exports", "require", "module", "__filename", "__dirname"], {
    filename: file,
  });
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  const { found } = module;
  if (!isBundler(found)) throw new Error(`${file} is not built as it was in 1.0.32.`);
  for (const name of readdirSync(folder))
    if (/^\d+\.js$/.test(name)) found.f.require(Number.parseInt(name, 10), []);
  const types = new Map<unknown, MessageType>();
  for (const id of Object.keys(found.m).filter((one) => MODULES.test(one)))
    for (const type of Object.values(found(id)))
      if (isMessageType(type)) types.set(Reflect.get(type, "typeName"), type);
  return (name) => {
    const type = types.get(name);
    if (type === undefined) throw new Error(`Cursor's agent has no message ${name}.`);
    return type;
  };
}

interface Bundler {
  (id: string): object;
  readonly m: object;
  readonly f: { readonly require: (chunk: number, promises: unknown[]) => void };
}

function isBundler(value: unknown): value is Bundler {
  return typeof value === "function" && isRecord(Reflect.get(value, "f"));
}

function isMessageType(value: unknown): value is MessageType {
  return typeof value === "function" && "typeName" in value && "fromBinary" in value;
}
