/** Whether a text is a complete http or https address, as it can be put into a link. */
export function isWebAddress(text: string): boolean {
  // The parser of URLs would drop spaces and line breaks, and complete what is missing.
  if (!/^https?:\/\/[^/\s\\]\S*$/i.test(text)) return false;
  return URL.canParse(text);
}
