/**
 * Pictures, videos and sounds in the text of a message. Each has its size before it is loaded, so nothing
 * moves. Media of other hosts come through the server, or stay links.
 */
import { t } from "../../i18n/t.ts";
import { animation } from "../preferences/preferences.ts";
import { mediumOf, sizeOf, uploadPath } from "./medium.ts";
import { openViewer } from "./open-viewer.tsx";

const [MAX_WIDTH, MAX_HEIGHT] = [400, 300];
const SOUND = /\.(mp3|m4a|aac|ogg|oga|opus|wav|flac)$/i;
/** The addresses of previews that were hidden, until the page is left. */
const hidden = new Set<string>();

export function showMedia(element: HTMLElement): void {
  for (const picture of element.querySelectorAll<HTMLElement>(".message_embed_image"))
    showPagePicture(picture);
  for (const picture of element.querySelectorAll("img")) showPicture(picture);
  for (const video of element.querySelectorAll("video")) showVideo(video);
  for (const link of element.querySelectorAll("a")) offerSound(link);
  for (const preview of element.querySelectorAll<HTMLElement>(".message_inline_image, .message_embed"))
    addFold(preview);
}

function showPicture(image: HTMLImageElement): void {
  const source = image.getAttribute("src") ?? "";
  if (!isOwn(source)) {
    image.replaceWith(image.alt || image.title || source);
    return;
  }
  const link = image.closest("a");
  if (!image.alt) image.alt = link?.title ?? "";
  image.loading = "lazy";
  if (image.classList.contains("emoji") || image.closest(".message_embed")) return;
  const { width, height } = sizeOf(image);
  if (width && height) {
    const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
    image.width = Math.max(1, Math.round(width * scale));
    image.height = Math.max(1, Math.round(height * scale));
  } else image.classList.add("unsized");
  image.addEventListener("error", () => showFailure(image), { once: true });
  const medium = link && mediumOf(link);
  if (!link || !medium) return;
  link.setAttribute("aria-label", t("viewer.open", { title: medium.title }));
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openViewer(link, medium);
  });
  if (image.dataset.animated === "true") animate(image, link);
}

/** In a box of the same size, so that nothing moves. */
function showFailure(image: HTMLImageElement): void {
  const box = document.createElement("span");
  box.className = "no-picture";
  box.style.width = `${image.offsetWidth}px`;
  box.style.height = `${image.offsetHeight}px`;
  box.textContent = t("content.noPicture");
  image.replaceWith(box);
}

/** As the account has it: always, while the pointer or the focus is on it, or only in the viewer. */
function animate(image: HTMLImageElement, link: HTMLElement): void {
  const setting = animation();
  const still = image.src;
  const moving = still.replace(/\.webp$/, "-anim.webp");
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (setting === "always" && !isCalm) image.src = moving;
  if (setting !== "on_hover") return;
  const show = (source: string) => () => {
    image.src = source;
  };
  for (const type of ["pointerenter", "focus"]) link.addEventListener(type, show(moving));
  for (const type of ["pointerleave", "blur"]) link.addEventListener(type, show(still));
}

/** Its controls are of no use inside of a link. */
function showVideo(video: HTMLVideoElement): void {
  const link = video.closest("a");
  const source = video.getAttribute("src") ?? "";
  if (!link || !isOwn(source)) {
    video.replaceWith(source);
    return;
  }
  video.controls = true;
  video.playsInline = true;
  video.setAttribute("aria-label", mediumOf(link)?.title ?? "");
  link.replaceWith(video);
}

/** A sound that was uploaded can be played where it is linked. */
function offerSound(link: HTMLAnchorElement): void {
  const href = link.getAttribute("href") ?? "";
  const path = uploadPath(href);
  if (path === undefined || !SOUND.test(path)) return;
  const sound = document.createElement("audio");
  sound.controls = true;
  sound.preload = "none";
  sound.src = `/user_uploads/${path}`;
  sound.setAttribute("aria-label", link.textContent ?? "");
  const block = link.closest("p");
  if (block) block.after(sound);
  else link.after(sound);
}

/** The policy allows no style attributes; `html.ts` has kept the address. */
function showPagePicture(link: HTMLElement): void {
  const source = link.dataset.picture ?? "";
  if (!isOwn(source)) return;
  const image = document.createElement("img");
  image.src = source;
  image.alt = "";
  image.loading = "lazy";
  link.tabIndex = -1;
  link.setAttribute("aria-hidden", "true");
  link.append(image);
}

/** Previews can be hidden, and shown again. */
function addFold(preview: HTMLElement): void {
  const key = preview.querySelector("a")?.href ?? preview.querySelector("video")?.src ?? "";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "fold";
  const show = () => {
    const isHidden = hidden.has(key);
    preview.classList.toggle("folded", isHidden);
    button.textContent = t(isHidden ? "content.showPreview" : "content.hidePreview");
    button.setAttribute("aria-expanded", String(!isHidden));
  };
  button.addEventListener("click", () => {
    if (!hidden.delete(key)) hidden.add(key);
    show();
  });
  show();
  preview.append(button);
}

function isOwn(source: string): boolean {
  return (source.startsWith("/") && !source.startsWith("//")) || source.startsWith(`${location.origin}/`);
}
