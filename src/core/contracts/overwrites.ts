/** What git does to the files it has checked out. */
export type GitChange =
  /** They become those of a revision. */
  | "checkout"
  /** They get the changes of a branch since it left this one. */
  | "merge"
  /** The same, of a branch that may be newer than what was fetched. */
  | "pull"
  /** They get the changes of one commit, or of a range. */
  | "commit"
  /** They get the changes of a stash. */
  | "stash"
  /** Only git knows which revision it takes. */
  | "unknown";

/** What determines which files of a folder a command changes, when it names none of them. */
export type OverwriteSource =
  /** All of them: the folder goes, is replaced or can't be reached any more. Or nobody knows. */
  | { readonly kind: "anything" }
  /** A file or folder that is copied there. */
  | { readonly kind: "copy"; readonly path: string }
  | { readonly kind: "archive"; readonly path: string }
  /** A patch: a file, or its text. */
  | { readonly kind: "patch"; readonly path: string }
  | { readonly kind: "patch"; readonly text: string }
  | {
      readonly kind: "git";
      readonly change: GitChange;
      readonly revision: string;
      /** What is pulled from: the name of a remote, a path or an address. */
      readonly remote?: string;
    };
