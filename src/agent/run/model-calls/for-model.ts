import type { LanguageModelV3Message } from "@ai-sdk/provider";
import { isRecord } from "../../../core/base/json.ts";
import { type FilePart, fileMark } from "../../../core/contracts/content.ts";
import type { AgentModel, ModelCall } from "../../model/agent-model.ts";
import type { ModelRequest } from "./request.ts";

type UserPart = Extract<LanguageModelV3Message, { role: "user" }>["content"][number];
type SentFile = Extract<UserPart, { type: "file" }>;
type ToolPart = Extract<LanguageModelV3Message, { role: "tool" }>["content"][number];

/** Which files the models of a provider take. */
interface Takes {
  readonly provider: RegExp;
  readonly types: RegExp;
  /** Also as a part of a tool's result. */
  readonly in_results: boolean;
}

const IMAGES_AND_DOCUMENTS = /^image\/(?:png|jpeg|gif|webp|\*)$|^application\/pdf$/;

const PROVIDERS: readonly Takes[] = [
  { provider: /^anthropic\b/, types: IMAGES_AND_DOCUMENTS, in_results: true },
  { provider: /^(?:openai|azure)[\w-]*\.responses$/, types: IMAGES_AND_DOCUMENTS, in_results: true },
  { provider: /^google\b/, types: /./, in_results: true },
];

/** Chat completions, and models that are not known: what most of them take. */
const OTHERS: Takes = {
  provider: /./,
  types: /^image\/|^application\/pdf$|^audio\/(?:wav|mpeg|mp3)$/,
  in_results: false,
};

/**
 * Remembers that a model refused a request with files, so that it is sent without them: one damaged image must not stop a
 * session for good. Returns false when the request has no files that it could be because of.
 */
export function refuseFiles({ prompt }: ModelRequest, refused: WeakSet<object>): boolean {
  const sent = prompt.filter((message) => isWithFiles(message) && !refused.has(message));
  for (const message of sent) refused.add(message);
  return sent.length > 0;
}

/**
 * The request as a model takes it: files of results follow in a message of the user where a result can't have them, and a
 * sentence replaces a file that the model does not take at all. Nothing is left out silently.
 *
 * @param refused messages whose files the model has refused: a sentence replaces them.
 */
export function withFilesFor(request: ModelRequest, model: AgentModel, refused: WeakSet<object>): ModelCall {
  if (!request.prompt.some(isWithFiles)) return request;
  const takes = PROVIDERS.find(({ provider }) => provider.test(model.provider)) ?? OTHERS;
  const version = "specificationVersion" in model ? String(model.specificationVersion) : "v3";
  const plan = { takes, model, version };
  const prompt: object[] = [];
  let moved: object[] = [];
  for (const message of request.prompt) {
    if (message.role !== "tool" && moved.length > 0) {
      prompt.push({ role: "user", content: moved });
      moved = [];
    }
    const own: Plan = { ...plan, without: refused.has(message) };
    if (!isWithFiles(message)) prompt.push(message);
    else if (message.role === "user")
      prompt.push({ ...message, content: message.content.map((part) => userPart(part, own)) });
    else if (message.role === "tool")
      prompt.push({ ...message, content: message.content.map((part) => toolPart(part, own, moved)) });
  }
  if (moved.length > 0) prompt.push({ role: "user", content: moved });
  return { ...request, prompt };
}

interface Plan {
  readonly takes: Takes;
  readonly model: AgentModel;
  readonly without: boolean;
  readonly version: string;
}

function isWithFiles({ role, content }: LanguageModelV3Message): boolean {
  if (role === "user") return content.some(({ type }) => type === "file");
  return (
    role === "tool" && content.some((part) => part.type === "tool-result" && part.output.type === "content")
  );
}

function userPart(part: UserPart, plan: Plan): object {
  if (part.type !== "file") return part;
  const why = refusal(part, plan);
  return why === undefined ? ofVersion(part, plan) : { type: "text", text: fileMark(partOf(part), why) };
}

/** Why a model can't get a file; `undefined` when it can. */
function refusal(file: SentFile, { takes, model, without }: Plan): string | undefined {
  if (without) return "the model refused it";
  if (!takes.types.test(file.mediaType)) return "this model does not take this type";
  return file.data instanceof URL && !takesAddress(model, file.mediaType, file.data.href)
    ? "this model does not take its address"
    : undefined;
}

/** True when the provider fetches an address itself. A model that does not say so is given it. */
function takesAddress(model: object, mediaType: string, address: string): boolean {
  const supported = "supportedUrls" in model ? model.supportedUrls : undefined;
  if (!isRecord(supported) || "then" in supported) return true;
  return Object.entries(supported).some(([type, patterns]) => {
    const fits = type === "*" || type === "*/*" || type === mediaType || sameKind(type, mediaType);
    return (
      fits && Array.isArray(patterns) && patterns.some((one) => one instanceof RegExp && one.test(address))
    );
  });
}

function sameKind(pattern: string, mediaType: string): boolean {
  const [kind, rest] = mediaType.split("/");
  return pattern === `${kind}/*` || (rest === "*" && pattern.startsWith(`${kind}/`));
}

function toolPart(part: ToolPart, plan: Plan, moved: object[]): object {
  if (part.type !== "tool-result" || part.output.type !== "content") return part;
  const texts: string[] = [];
  const files: object[] = [];
  for (const item of part.output.value) {
    if (item.type === "text") texts.push(item.text);
    if (item.type !== "file-data" && item.type !== "file-url") continue;
    const file: SentFile = {
      type: "file",
      mediaType: item.mediaType ?? "image/*",
      data: item.type === "file-url" ? new URL(item.url) : item.data,
      ...("filename" in item && item.filename !== undefined ? { filename: item.filename } : {}),
    };
    // An address goes to the user's message: some providers would fetch that of a result on this machine.
    if (plan.takes.in_results && typeof file.data === "string" && refusal(file, plan) === undefined)
      files.push(inResult(file, file.data, plan));
    else {
      if (moved.length === 0) moved.push({ type: "text", text: "From the results of your tool calls:" });
      moved.push(userPart(file, plan));
    }
  }
  const text = texts.join("\n");
  const output =
    files.length === 0
      ? { type: "text", value: text }
      : { type: "content", value: [{ type: "text", text }, ...files] };
  return { ...part, output };
}

function inResult({ mediaType, filename }: SentFile, data: string, { version }: Plan): object {
  if (version === "v4") return { type: "file", mediaType, filename, data: { type: "data", data } };
  if (version === "v2") return { type: "media", mediaType, data };
  return mediaType.startsWith("image/")
    ? { type: "image-data", mediaType, data }
    : { type: "file-data", mediaType, data, filename };
}

function ofVersion(file: SentFile, { version }: Plan): object {
  if (version !== "v4") return file;
  const { data } = file;
  return { ...file, data: data instanceof URL ? { type: "url", url: data } : { type: "data", data } };
}

function partOf({ mediaType: media_type, filename, data }: SentFile): FilePart {
  return data instanceof URL
    ? { type: "file", media_type, filename, url: data.href }
    : { type: "file", media_type, filename, data: String(data) };
}
