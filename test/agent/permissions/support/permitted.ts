import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import type { ToolAnnotations } from "../../../../src/core/contracts/tool.ts";
import { nodeFilesBelow } from "../../../../src/handlers/permissions/files-below.ts";
import type {
  PermissionPorts,
  PermissionSettings,
  RequestedCall,
} from "../../../../src/handlers/permissions/permission-types.ts";
import { createPermissions } from "../../../../src/handlers/permissions/permissions.ts";
import { nodePaths, nodeRulePorts } from "../../../../src/node/ports.ts";

// Test files of a worker share this module, and so its folder.
const folder = realpathSync(mkdtempSync(join(inject("sharedFolder"), "permissions-")));

/** A workspace with a file, a folder of secrets and links that lead out of it and around in it. */
export const WORKSPACE = join(folder, "project");
/** A folder beside it. */
export const OUTSIDE = join(folder, "elsewhere");
mkdirSync(join(WORKSPACE, "src"), { recursive: true });
mkdirSync(join(WORKSPACE, "secrets"));
mkdirSync(OUTSIDE);
writeFileSync(join(WORKSPACE, "src", "a.ts"), "");
symlinkSync(OUTSIDE, join(WORKSPACE, "out"));
symlinkSync(join(WORKSPACE, "secrets"), join(WORKSPACE, "src", "innocent"));

export const ports: PermissionPorts = {
  paths: nodePaths,
  rules: nodeRulePorts,
  filesBelow: nodeFilesBelow(),
  workspace: [WORKSPACE],
};

/** What the tools of an agent say of themselves. */
const ANNOTATIONS: Readonly<Record<string, ToolAnnotations>> = {
  Read: { read_only: true },
  Grep: { read_only: true },
  Glob: { read_only: true },
  TodoWrite: { read_only: true },
  WebFetch: { read_only: true, open_world: true },
  Write: { edits_files: true },
  Edit: { edits_files: true },
  apply_patch: { edits_files: true, destructive: true },
};

/** A call in the workspace. */
export function call(
  tool_name: string,
  tool_input: unknown,
  more: Partial<RequestedCall> = {},
): RequestedCall {
  return { tool_name, tool_input, cwd: WORKSPACE, annotations: ANNOTATIONS[tool_name], ...more };
}

/** A shell line in the workspace. */
export function bash(command: string): RequestedCall {
  return call("Bash", { command });
}

/** What is done with a call. */
export async function actionOf(
  settings: PermissionSettings,
  asked: RequestedCall,
  given: PermissionPorts = ports,
): Promise<string> {
  return (await createPermissions(settings, given).decide(asked)).action;
}
