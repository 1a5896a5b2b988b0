/** What everybody reads about hooks, files and programs that no person has trusted: after "it is", or by itself. */
export const NOT_TRUSTED = "not trusted yet";

/** The next step, where no model reads it: only a person may grant trust. */
export const TRUST_SHOWS = "tenterhook trust shows what would run";

/** The next step as a sentence of its own, which a reply to a model leaves out. */
export const TRUST_WAY_OUT = "Look at what it does and trust it with: tenterhook trust";
