/** The pictures that a text has: those on their way by their places, the others by their links. */

export interface PictureInText {
  /** What stands in the text. */
  mark: string;
  name: string;
  /** Where the server has it; undefined while it is on its way. */
  address: string | undefined;
}

const LINK = /\[([^[\]\n]*)\]\((\/user_uploads\/[^\s()]+\.(?:avif|gif|jpe?g|png|webp))\)/gi;
/** More of them would leave no room for the text. */
const MAX_SHOWN = 20;

/** `underWay`: the place and the name of each picture that is being uploaded. */
export function picturesIn(
  text: string,
  underWay: readonly { place: string; name: string }[],
): readonly PictureInText[] {
  const links = [...text.matchAll(LINK)].map(([mark, name = "", address]) => ({ mark, name, address }));
  const places = underWay
    .filter(({ place }) => text.includes(place))
    .map(({ place, name }) => ({ mark: place, name, address: undefined }));
  return [...links, ...places]
    .sort((a, b) => text.indexOf(a.mark) - text.indexOf(b.mark))
    .slice(0, MAX_SHOWN);
}

/** The text without it, and without the empty lines that it leaves. */
export function withoutPicture(text: string, { mark }: Pick<PictureInText, "mark">): string {
  const at = text.indexOf(mark);
  if (at < 0) return text;
  const [before, after] = [text.slice(0, at), text.slice(at + mark.length)];
  const hasOwnLine = /(^|\n)$/.test(before) && /^(\n|$)/.test(after);
  if (!hasOwnLine) return before + after;
  const [above, below] = [before.replace(/\n+$/, ""), after.replace(/^\n+/, "")];
  return above !== "" && below !== "" ? `${above}\n\n${below}` : above + below;
}
