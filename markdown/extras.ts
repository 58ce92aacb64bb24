/** The heavy parts, present on the server only. Without them code and maths stay plain text. */
export interface RendererExtras {
  /**
   * Code as highlighted HTML with unchanged text, or null when the language is unknown or the code too long.
   */
  highlight?(code: string, language: string): string | null;
  /** A formula as HTML, or null when it does not parse. */
  math?(tex: string, isDisplay: boolean): string | null;
}
