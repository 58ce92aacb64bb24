/**
 * Previews of linked images, videos and pages. A preview stands after the paragraph with the link, or at the
 * end of the list item. It replaces a paragraph that holds only the address. Quotes get no previews, and
 * neither does a message with more than 24 previewable links. Previews of pages stand at the end of the
 * message.
 */
import { type Element, GLUED, newElement } from "./element.ts";
import { escapeAttribute, escapeCode } from "./escape.ts";
import type { LinkPreview } from "./lookups.ts";
import type { FoundLink, Session } from "./session.ts";
import { uploadPathOf } from "./url.ts";

const MAX_LINKS = 24;
const IMAGE = /\.(bmp|gif|jpe|jpeg|jpg|png|webp)$/i;
const UPLOADED_IMAGE = /\.(avif|bmp|gif|heic|heif|jpe|jpeg|jpg|png|tif|tiff|webp)$/i;
const VIDEO = /\.(mp4|webm|mov)$/i;
const YOUTUBE =
  /^https?:\/\/(?:(?:www\.|m\.)?youtube\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|embed\/|v\/)|youtu\.be\/)([\w-]{11})(?![\w-])/;

/** A link together with where it stands. */
export interface PlacedLink {
  link: FoundLink;
  block: Element;
  parent: Element;
  depth: number;
  isQuoted: boolean;
}

/** Puts the previews into the tree and notes what the message shows and links to. */
export function addPreviews(root: Element, placed: PlacedLink[], session: Session): void {
  const { facts } = session;
  facts.hasLink = placed.length > 0;
  for (const { link } of placed) noteAttachment(link.href, session);
  const inOrder = placed.filter((one) => !one.isQuoted).sort((a, b) => a.depth - b.depth);
  const urls = new Set(inOrder.map((one) => one.link.href));
  if (urls.size > MAX_LINKS) return;
  const lastOf = new Map<Element, Element>();
  const pages: string[] = [];
  for (const one of inOrder) {
    if (!urls.delete(one.link.href)) continue;
    const html = renderPreview(one.link, session);
    if (html !== null) {
      facts.hasImage = true;
      const isShown = session.lookups.inlinePreviews !== false || uploadPathOf(one.link.href) !== undefined;
      if (html !== NOT_SHOWN && isShown) place(root, one, html, lastOf);
    } else if (/^https?:/.test(one.link.href)) {
      facts.linkedUrls.push(one.link.href);
      pages.push(renderPage(one.link.href, session));
    }
  }
  for (const html of pages) if (html !== "") addGlued(root, html);
}

/** An image or a video that is not fetched for readers. */
const NOT_SHOWN = "";

function addGlued(parent: Element, html: string): void {
  parent.children.push(gluedElement(html));
}

function gluedElement(html: string): Element {
  const element = newElement(GLUED);
  element.html = html;
  return element;
}

/** What may stand in `url("…")` without an escape. */
const PLAIN_ADDRESS = /^[\w./:%-]+$/;

/** COMPAT: clients know a page's preview by exactly this form, and only with a picture. */
function renderPage(href: string, session: Session): string {
  const { lookups } = session;
  const page = lookups.linkPreview?.(href);
  const image = page && lookups.proxiedImageUrl?.(page.imageUrl);
  if (!image || !PLAIN_ADDRESS.test(image)) return "";
  const to = `href="${escapeAttribute(href)}"`;
  const picture = `<a class="message_embed_image" ${to} style="background-image: url(&quot;${image}&quot;)"></a>`;
  return `<div class="message_embed">${picture}<div class="data-container">${pageTexts(page, to)}</div></div>`;
}

function pageTexts({ title, description }: LinkPreview, to: string): string {
  // What a page says is no Markdown: nothing in it is taken for a character reference.
  const shown = (text: string) => escapeCode(text).replace(/"/g, "&quot;");
  const name =
    title === null
      ? ""
      : `<div class="message_embed_title"><a ${to} title="${shown(title)}">${shown(title)}</a></div>`;
  if (description === null) return name;
  return `${name}<div class="message_embed_description">${shown(description)}</div>`;
}

function noteAttachment(href: string, session: Session): void {
  const { facts } = session;
  const path = uploadPathOf(href);
  if (path === undefined) return;
  facts.hasAttachment = true;
  if (!facts.attachmentPaths.includes(path)) facts.attachmentPaths.push(path);
}

function place(root: Element, placed: PlacedLink, html: string, lastOf: Map<Element, Element>): void {
  const { block, parent, link } = placed;
  if (link.depth > 0 || (block.tag !== "p" && block.tag !== "li")) {
    addGlued(root, html);
  } else if (block.tag === "li") {
    if (link.isAlone) block.html = "";
    addGlued(block, html);
  } else {
    const preview = gluedElement(html);
    const after = lastOf.get(block) ?? block;
    parent.children.splice(parent.children.indexOf(after) + 1, 0, preview);
    lastOf.set(block, preview);
    if (link.isAlone && link.href === link.text) parent.children.splice(parent.children.indexOf(block), 1);
  }
}

function renderPreview(link: FoundLink, session: Session): string | null {
  const path = link.href.replace(/[?#].*$/, "");
  const title = link.text === link.href || link.text === "" ? "" : ` title="${escapeAttribute(link.text)}"`;
  const upload = uploadPathOf(link.href);
  if (upload !== undefined) return renderUpload(link.href, upload, title, session);
  if (!/^https?:/.test(link.href)) return null;
  if (IMAGE.test(path) && !/^https?:\/\/pasteboard\.co\//.test(link.href)) {
    const image = outsideImage(shownImage(link.href), session);
    return image === null ? NOT_SHOWN : frame("message_inline_image", link.href, title, image);
  }
  if (VIDEO.test(path)) return outsideVideo(link.href, title, session);
  const video = YOUTUBE.exec(link.href)?.[1];
  if (video === undefined) return null;
  const image = outsideImage(`https://i.ytimg.com/vi/${video}/mqdefault.jpg`, session);
  if (image === null) return NOT_SHOWN;
  return `<div class="youtube-video message_inline_image"><a data-id="${video}" href="${escapeAttribute(link.href)}"${title}>${image}</a></div>`;
}

function frame(className: string, href: string, title: string, media: string): string {
  return `<div class="${className}"><a href="${escapeAttribute(href)}"${title}>${media}</a></div>`;
}

/** null: it is not shown. */
function outsideImage(url: string, session: Session): string | null {
  const proxied = session.lookups.proxiedImageUrl?.(url);
  if (proxied === null) return null;
  if (proxied !== undefined) return `<img src="${escapeAttribute(proxied)}">`;
  const address = `/thumbnail?url=${encodeURIComponent(url)}`;
  return `<img data-src-fullsize="${address}&amp;size=full" src="${address}&amp;size=thumbnail">`;
}

/** Pages of Wikipedia and GitHub that show an image are not the image; these addresses are. */
function shownImage(url: string): string {
  return url
    .replace(/^(https?:\/\/[\w-]+\.wikipedia\.org\/wiki)\/File:/, "$1/Special:FilePath/File:")
    .replace(/^(https?:\/\/(?:www\.)?github\.com\/[^/]+\/[^/]+)\/blob\//, "$1/raw/");
}

function outsideVideo(url: string, title: string, session: Session): string {
  const { proxiedMediaUrl } = session.lookups;
  const src = proxiedMediaUrl ? proxiedMediaUrl(url) : url;
  if (src === null) return NOT_SHOWN;
  const original = src === url ? "" : ` data-video-original-url="${escapeAttribute(url)}"`;
  const video = `<video${original} preload="metadata" src="${escapeAttribute(src)}"></video>`;
  return frame("message_inline_image message_inline_video", url, title, video);
}

function renderUpload(href: string, path: string, title: string, session: Session): string | null {
  if (session.lookups.hasUpload?.(path) === false) return null;
  const address = `/user_uploads/${path}`;
  if (VIDEO.test(path)) {
    const video = `<video preload="metadata" src="${escapeAttribute(address)}"></video>`;
    return frame("message_inline_image message_inline_video", href, title, video);
  }
  if (!UPLOADED_IMAGE.test(path)) return null;
  if (session.lookups.uploadedImage === undefined) {
    return frame("message_inline_image", href, title, `<img src="${escapeAttribute(address)}">`);
  }
  const image = session.lookups.uploadedImage(path);
  if (image === undefined) return null;
  const facts =
    (image.isAnimated === true ? ' data-animated="true"' : "") +
    ` data-original-content-type="${escapeAttribute(image.contentType)}"` +
    ` data-original-dimensions="${image.width}x${image.height}"` +
    (image.transcoded ? ` data-transcoded-image="${escapeAttribute(image.transcoded)}"` : "");
  const source =
    image.thumbnail === null
      ? "/static/images/loading/loader-black.svg"
      : `/user_uploads/thumbnail/${path}/${image.thumbnail}`;
  const className = image.thumbnail === null ? ' class="image-loading-placeholder"' : "";
  return frame(
    "message_inline_image",
    href,
    title,
    `<img${className}${facts} src="${escapeAttribute(source)}">`,
  );
}
