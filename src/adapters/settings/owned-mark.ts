/** What a file says that is ours as a whole. */
export const OWNED_MARK = "tenterhook install wrote this file, and tenterhook uninstall removes it.";
