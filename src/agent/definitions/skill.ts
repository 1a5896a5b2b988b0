/** Hooks that a skill or a kind of subagent brings with it, from its front matter. */
export interface OwnHooks {
  readonly kind: "skill" | "agent";
  /** The name of the skill or the kind. */
  readonly name: string;
  /** The real path of the file. */
  readonly file: string;
  /** The digest of what was read of it. */
  readonly value: string;
  /** As written: a list of definitions as in a configuration, or hooks by event, as Claude Code has them. */
  readonly hooks: unknown;
  /** Whose file it is. A project's hooks run only when the user has trusted the file. */
  readonly owner: "user" | "project";
  /** The folder in which scripts and relative commands start. */
  readonly root: string;
}

/** Instructions that an agent loads when it needs them. */
export interface Skill {
  readonly name: string;
  /** What it is for, for the model that chooses one. */
  readonly description: string;
  /** The real path of its folder, with `SKILL.md` and what that refers to. */
  readonly folder: string;
  /** The instructions. */
  readonly body: string;
  /** In force from its loading on. */
  readonly hooks?: OwnHooks;
  /** True: the model must not load it by itself. */
  readonly by_user_only?: boolean;
  /** Why it can't be used. */
  readonly problem?: string;
}
