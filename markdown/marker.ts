/**
 * Markers stand in a text for HTML that is finished: OPEN number CLOSE for a phrase, OPEN "b" number CLOSE
 * for a block. The source is cleared of both characters first, so nobody can type one.
 */
export const OPEN = "\x02";
export const CLOSE = "\x03";

export const PHRASE_MARKER = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "g");
export const ANY_MARKER = new RegExp(`${OPEN}b?\\d+${CLOSE}`, "g");
export const ONE_PHRASE = new RegExp(`^${OPEN}\\d+${CLOSE}$`);
