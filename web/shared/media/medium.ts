/** Pictures and videos of messages, as the viewer shows them. */
import { parseInert } from "../text/html.ts";

export interface Medium {
  kind: "picture" | "video";
  /** What is shown large: a file of this server, or another host's picture that comes through it. */
  source: string;
  /** What the message links to. */
  href: string;
  title: string;
  /** undefined: not known before it is loaded. */
  width: number | undefined;
  height: number | undefined;
}

const UPLOADS = /^\/?user_uploads\/(.+)$/;

/** undefined: a link that the viewer has no picture of, such as that to a video of another host. */
export function mediumOf(link: Element): Medium | undefined {
  const preview = link.closest(".message_inline_image");
  if (!preview || preview.classList.contains("youtube-video")) return undefined;
  const href = link.getAttribute("href") ?? "";
  const title = link.getAttribute("title") || fileName(href);
  const video = link.querySelector("video");
  const size = { width: undefined, height: undefined };
  if (video) return { kind: "video", source: video.getAttribute("src") ?? "", href, title, ...size };
  const image = link.querySelector("img");
  return image
    ? { kind: "picture", source: sourceOf(href, image), href, title, ...sizeOf(image) }
    : undefined;
}

/** All of a message's HTML, in their order. */
export function mediaOf(html: string): Medium[] {
  if (!html.includes("message_inline_image")) return [];
  const links = parseInert(html).querySelectorAll(".message_inline_image a");
  return [...links].flatMap((link) => mediumOf(link) ?? []);
}

/** The path below the folder of uploads; undefined: it is of another host. */
export function uploadPath(href: string): string | undefined {
  const path = href.startsWith(location.origin) ? href.slice(location.origin.length) : href;
  return UPLOADS.exec(path)?.[1];
}

/** As the server knows the size; undefined: it is another host's. */
export function sizeOf(image: HTMLImageElement): Pick<Medium, "width" | "height"> {
  const [width, height] = (image.dataset.originalDimensions ?? "").split("x").map(Number);
  return width && height ? { width, height } : { width: undefined, height: undefined };
}

/** The file itself, unless browsers can't show its format. */
function sourceOf(href: string, image: HTMLImageElement): string {
  const path = uploadPath(href);
  if (path === undefined) return image.getAttribute("src") ?? "";
  const { transcodedImage } = image.dataset;
  return transcodedImage ? `/user_uploads/thumbnail/${path}/${transcodedImage}` : `/user_uploads/${path}`;
}

function fileName(href: string): string {
  const name =
    href
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ?? "";
  try {
    return decodeURIComponent(name) || href;
  } catch {
    return name;
  }
}
