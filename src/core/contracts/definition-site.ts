import type { SandboxMode } from "./tool.ts";

/** The place of a hook definition, and what its configuration gives its handler. */
export interface DefinitionSite {
  /** The folder its scripts, modules and relative commands start from. */
  readonly root: string;
  /** The folder of the project the hook works for, where that is another: `root` is then its configuration's own. */
  readonly project?: string;
  /**
   * Whose file it is in; absent for a hook from code. A hook of a project may run only what the user has trusted, so its
   * relative names start from `root`.
   */
  readonly owner?: "user" | "project";
  /** Says why what the hook runs must not run: it is not what was trusted. Asked right before something is started. */
  readonly refusal?: () => string | undefined;
  /** How llm and agent hooks judge when the definition does not say itself. */
  readonly judge?: {
    readonly model?: string;
    /** How long a verdict is cached; 0: not at all. */
    readonly cache_seconds?: number;
    /** Verdicts in one session. */
    readonly budget?: number;
  };
  /** MCP servers by name, as the configuration holds them. */
  readonly mcp_servers?: Readonly<Record<string, McpServer>>;
  /** What commands can change. Default `off`. */
  readonly sandbox?: SandboxMode;
  /** Permission rules of the configuration that forbid: they hold for an agent that judges too. */
  readonly forbids?: ForbiddingRules;
}

/** Permission rules, `Tool(specifier)`, that refuse a call or have a human asked about it. */
export interface ForbiddingRules {
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
}

/** How an MCP server is reached: a program, or an address. */
export interface McpServer {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
