import type { LanguageModelV3Message } from "@ai-sdk/provider";
import type {
  AgentMessage,
  MessageFromAssistant,
  MessageFromUser,
  ProviderMetadata,
} from "../conversation/messages.ts";

type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];

/** Providers reject a message without text; a model may say nothing, and a hook may empty a prompt. */
const NOTHING = "(nothing)";

/** Converts a message to the language-model specification. */
export function modelMessage(message: AgentMessage): LanguageModelV3Message {
  switch (message.role) {
    case "user":
      return { role: "user", content: userContent(message) };
    case "assistant":
      return { role: "assistant", content: assistantContent(message) };
    case "tool": {
      const [{ tool_use_id, tool_name, content, is_error }] = message.parts;
      const type = is_error === true ? "error-text" : "text";
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: tool_use_id,
            toolName: tool_name,
            output: { type, value: content },
          },
        ],
      };
    }
    default:
      return message satisfies never;
  }
}

/** The text of a hook's input as the model reads it. */
export function hookInputText({ hook, text }: { readonly hook: string; readonly text: string }): string {
  return `HookInput (${hook}): ${text}`;
}

function userContent({ parts }: MessageFromUser): { type: "text"; text: string }[] {
  return parts.map((part) => {
    if (part.type === "hook_input") return { type: "text", text: hookInputText(part) };
    if (part.type === "context" && part.role === "system")
      return { type: "text", text: `<system-reminder>\n${part.text}\n</system-reminder>` };
    return { type: "text", text: part.text === "" ? NOTHING : part.text };
  });
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
