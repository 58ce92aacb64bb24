/** The archive can't be imported. The message is a sentence for the person who named it. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
}
