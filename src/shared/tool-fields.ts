/**
 * The fields of the inputs of common tools, by our names of the tools, for messages about misspelt ones. Agents have more
 * of their own, so that a name which is not here is no mistake by itself.
 */
export const TOOL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Bash: ["command", "description", "timeout", "run_in_background"],
  Read: ["file_path", "offset", "limit", "pages"],
  Write: ["file_path", "content"],
  Edit: ["file_path", "old_string", "new_string", "replace_all"],
  MultiEdit: ["file_path", "edits"],
  NotebookEdit: ["notebook_path", "new_source", "cell_id", "cell_type", "edit_mode"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path", "glob", "type", "output_mode", "multiline", "head_limit"],
  WebFetch: ["url", "prompt"],
  WebSearch: ["query", "allowed_domains", "blocked_domains"],
};
