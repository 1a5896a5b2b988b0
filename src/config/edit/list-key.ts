/** The lists of names in `hooks`. */
export type ListKey = "disabled" | "use";
