import { isRecord } from "../../core/base/json.ts";
import {
  type Check,
  flag,
  list,
  listOf,
  must,
  object,
  oneOf,
  seconds,
  shape,
  text,
  texts,
} from "../settings/shape.ts";

/*
 * Claude Code ignores a whole settings file, our hooks included, when one setting has the wrong type; without a
 * terminal it says so only in its log. On most events it skips single hooks that it can't load; on the two events that
 * guard calls such a hook makes it ignore the file. All of this was seen in the program itself.
 */

const url = must("a URL", (value) => typeof value === "string" && URL.canParse(value));
const namedTexts = must(
  "an object of strings",
  (value) => isRecord(value) && Object.values(value).every((one) => typeof one === "string"),
);

const ANY_HANDLER = { if: text, timeout: seconds, statusMessage: text, once: flag };
const onFailure = oneOf("continue", "block");

const HANDLERS: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  [
    "command",
    shape({
      needs: { command: text },
      may: {
        ...ANY_HANDLER,
        args: texts,
        shell: oneOf("bash", "powershell"),
        onFailure,
        async: flag,
        asyncRewake: flag,
        rewakeMessage: text,
      },
    }),
  ],
  [
    "http",
    shape({
      needs: { url },
      may: { ...ANY_HANDLER, headers: namedTexts, allowedEnvVars: texts, onFailure },
    }),
  ],
  ["prompt", shape({ needs: { prompt: text }, may: { ...ANY_HANDLER, model: text } })],
  ["agent", shape({ needs: { prompt: text }, may: { ...ANY_HANDLER, model: text } })],
  ["mcp_tool", shape({ needs: { server: text, tool: text }, may: { ...ANY_HANDLER, input: object } })],
]);

const knownType = shape({ needs: { type: oneOf(...HANDLERS.keys()) } });

export const wrongHandler: Check = (handler, path) =>
  knownType(handler, path) ?? (isRecord(handler) ? HANDLERS.get(handler.type)?.(handler, path) : undefined);

const groups = listOf(shape({ needs: { hooks: listOf(wrongHandler) }, may: { matcher: text } }));

/** The first setting that makes Claude Code ignore the file. There are many more settings; unknown ones are accepted. */
export const wrongSetting: Check = shape({
  may: {
    // The events on which a hook that can't be loaded makes Claude Code ignore the file.
    hooks: shape({ may: { PreToolUse: groups, PermissionRequest: groups } }),
    disableAllHooks: flag,
    model: text,
    permissions: shape({
      may: {
        allow: list,
        deny: list,
        ask: list,
        defaultMode: oneOf("acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"),
      },
    }),
  },
});
