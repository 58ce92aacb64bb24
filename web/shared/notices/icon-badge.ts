/** The number on the page's icon, and on that of the installed program. */
import { createEffect } from "solid-js";
import { iconCount } from "../../../client/notices.ts";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";

const SIZE = 64;
let shown = 0;

/** As long as the owner lives. */
export function followIconCount(): void {
  const count = live(["unreads", "settings", "userTopics", "generation"], () => iconCount(state.model));
  createEffect(() => void showIconCount(count()));
}

async function showIconCount(count: number): Promise<void> {
  if (count === shown) return;
  shown = count;
  if ("setAppBadge" in navigator) void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge());
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  const picture = count > 0 ? await draw(count > 99 ? "99+" : String(count)) : undefined;
  if (count !== shown) return;
  link.type = picture ? "image/png" : "image/svg+xml";
  link.href = picture ?? "/logo.svg";
}

async function draw(text: string): Promise<string | undefined> {
  const logo = new Image(SIZE, SIZE);
  logo.src = "/logo.svg";
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const pen = canvas.getContext("2d");
  try {
    await logo.decode();
  } catch {
    return undefined;
  }
  if (!pen) return undefined;
  pen.drawImage(logo, 0, 0, SIZE, SIZE);
  const width = 18 + 15 * text.length;
  pen.fillStyle = "#c62828";
  pen.beginPath();
  pen.roundRect(SIZE - width, SIZE - 34, width, 34, 17);
  pen.fill();
  pen.fillStyle = "#ffffff";
  pen.font = "bold 28px sans-serif";
  pen.textAlign = "center";
  pen.fillText(text, SIZE - width / 2, SIZE - 7);
  return canvas.toDataURL("image/png");
}
