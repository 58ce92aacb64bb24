/** A message's HTML as one plain text, as a list or a system shows it. Spoilers stay hidden. */
export function plainText(html: string, maxLength: number): string {
  const plain = html
    .replace(/<div class="spoiler-content"[\s\S]*?<\/div><\/div>/g, "…")
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&")
    .trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain;
}
