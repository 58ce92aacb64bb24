/** Code in a fence that is longer than any inside. `language`: as Markdown here names it, or "". */
export function codeBlock(code: string, language = ""): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
