import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput as ResultOutput,
} from "@ai-sdk/provider";
import { frozenCopy, isRecord } from "../../core/base/json.ts";
import type { FilePart } from "../../core/contracts/content.ts";
import type { Tool } from "../../core/contracts/tool.ts";
import { wellFormed } from "../../shared/well-formed.ts";
import type {
  AgentMessage,
  MessageFromAssistant,
  MessageFromUser,
  ProviderMetadata,
  ToolResultPart,
} from "./messages.ts";

type UserContent = Extract<LanguageModelV3Message, { role: "user" }>["content"];
type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];

/** Providers reject a message without text; a model may say nothing, and a hook may empty a prompt. */
const NOTHING = "(nothing)";

/** A system prompt as the model gets it, well-formed. */
export function systemMessage(content: string): LanguageModelV3Message {
  return { role: "system", content: wellFormed(content) };
}

/** Converts a message to the language-model specification, well-formed. */
export function modelMessage(message: AgentMessage): LanguageModelV3Message {
  return wellFormed(converted(message));
}

function converted(message: AgentMessage): LanguageModelV3Message {
  switch (message.role) {
    case "user":
      return { role: "user", content: userContent(message) };
    case "assistant":
      return { role: "assistant", content: assistantContent(message) };
    case "tool": {
      const [{ tool_use_id, tool_name }] = message.parts;
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: tool_use_id,
            toolName: tool_name,
            output: outputOf(message.parts[0]),
          },
        ],
      };
    }
    default:
      return message satisfies never;
  }
}

/** A result with files is converted for each model: see `withFilesFor`. */
function outputOf({ content, is_error, files = [] }: ToolResultPart): ResultOutput {
  if (is_error === true) return { type: "error-text", value: content };
  if (files.length === 0) return { type: "text", value: content };
  const sent = files.map(({ media_type: mediaType, filename, data, url }) => {
    return url === undefined
      ? ({ type: "file-data", mediaType, data: data ?? "", filename } as const)
      : ({ type: "file-url", mediaType, url } as const);
  });
  return { type: "content", value: [{ type: "text", text: content }, ...sent] };
}

/** The text of a hook's input as the model reads it. */
export function hookInputText({ hook, text }: { readonly hook: string; readonly text: string }): string {
  return `HookInput (${hook}): ${text}`;
}

function userContent({ parts }: MessageFromUser): UserContent {
  return parts.map((part) => {
    if (part.type === "file") return sentFile(part);
    if (part.type === "hook_input") return { type: "text", text: hookInputText(part) };
    if (part.type === "context" && part.role === "system")
      return { type: "text", text: `<system-reminder>\n${part.text}\n</system-reminder>` };
    return { type: "text", text: part.text === "" ? NOTHING : part.text };
  });
}

function sentFile({ media_type: mediaType, filename, data, url }: FilePart): UserContent[number] {
  return {
    type: "file",
    mediaType,
    data: url === undefined ? (data ?? "") : new URL(url),
    filename,
  };
}

function assistantContent({ parts }: MessageFromAssistant): AssistantContent {
  const content: AssistantContent = [];
  for (const part of parts) {
    if (part.type === "tool_call") {
      const { tool_use_id, tool_name, tool_input } = part;
      content.push(
        withOptions(
          { type: "tool-call", toolCallId: tool_use_id, toolName: tool_name, input: tool_input },
          part,
        ),
      );
    } else if (part.text !== "" || part.provider_metadata !== undefined)
      content.push(withOptions({ type: part.type, text: part.text }, part));
  }
  if (content.length === 0) content.push({ type: "text", text: NOTHING });
  return content;
}

/** Sends back what the provider sent with a part. */
function withOptions<Content extends object>(
  content: Content,
  { provider_metadata }: { readonly provider_metadata?: ProviderMetadata },
): Content & { providerOptions?: ProviderMetadata } {
  return provider_metadata === undefined ? content : { ...content, providerOptions: provider_metadata };
}

/** A tool as the model and PreModelRequest hooks see it. */
export type ToolDefinition = Readonly<Pick<Tool, "name" | "description" | "input_schema">>;

/** The definitions of all tools; every request and event shares them. */
export interface ToolDefinitions {
  readonly shown: readonly ToolDefinition[];
  readonly sent: LanguageModelV3FunctionTool[];
}

export function defineTools(tools: Iterable<Tool>): ToolDefinitions {
  const shown = frozenCopy(
    [...tools].map(({ name, description, input_schema }) => ({ name, description, input_schema })),
  );
  return { shown, sent: sentTools(shown) };
}

/** Definitions in the form in which they are sent, well-formed. Invalid ones are left out. */
export function sentTools(tools: readonly unknown[]): LanguageModelV3FunctionTool[] {
  return wellFormed(tools).flatMap((tool): LanguageModelV3FunctionTool[] => {
    if (!isRecord(tool) || typeof tool.name !== "string" || !isSchema(tool.input_schema)) return [];
    const { name, description, input_schema: inputSchema } = tool;
    return [
      {
        type: "function",
        name,
        inputSchema,
        ...(typeof description === "string" ? { description } : {}),
      },
    ];
  });
}

/** The provider rejects an invalid schema. */
function isSchema(value: unknown): value is LanguageModelV3FunctionTool["inputSchema"] {
  return isRecord(value);
}
