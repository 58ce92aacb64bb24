/** A client may be told at most this many characters of a file's name. */
const MAX_CHARACTERS = 200;
/** Longer endings are cut like the rest of a name. */
const MAX_ENDING = 20;
const NAMELESS = "uploaded-file";

/** Controls, marks that turn the direction of text, line separators, and what file systems do not take. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}<>:"|?*]/gu;

/**
 * A file's name for people, from what a client sent. It is one segment of a path, shows what it ends with,
 * and is never empty. No path on this machine is made of it.
 */
export function displayName(given: string): string {
  const last = given.split(/[\\/]/).at(-1) as string;
  const plain = last
    .normalize("NFC")
    .replace(UNSAFE, "")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  if (plain === "") return NAMELESS;
  const characters = [...plain];
  if (characters.length <= MAX_CHARACTERS) return plain;
  const dot = characters.lastIndexOf(".");
  const ending = dot > 0 && characters.length - dot <= MAX_ENDING ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_CHARACTERS - ending.length), ...ending].join("");
}
