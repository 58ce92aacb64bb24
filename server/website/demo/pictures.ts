/** The pictures of the conversations, drawn as pixels: no decoder is loaded for them. */
import { writeFile } from "node:fs/promises";
import { storeUpload } from "../../content/uploads/receive.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { encodePixels } from "../../platform/images/png.ts";
import type { Services } from "../../services.ts";

const WIDTH = 640;
const HEIGHT = 280;

/** Uploads each picture as the person who posts it. Returns Markdown links by the pictures' names. */
export async function drawPictures(
  services: Pick<Services, "config" | "files">,
  posterOf: (name: string) => Viewer,
): Promise<Map<string, string>> {
  const links = new Map<string, string>();
  for (const [name, colourAt] of [
    ["tide curve", tideCurve],
    ["currents", currents],
  ] as const) {
    const fileName = `${name.replace(" ", "-")}.png`;
    const bytes = encodePixels(WIDTH, HEIGHT, colourAt);
    const path = await services.files.temporaryPath();
    await writeFile(path, bytes);
    const image = { width: WIDTH, height: HEIGHT, isAnimated: false };
    const upload = await storeUpload(services, posterOf(name), { path, fileName, size: bytes.length, image });
    links.set(name, `[${fileName}](/user_uploads/${upload.path})`);
  }
  return links;
}

const SKY = 0xf6f9fd;
const GRID = 0xdee5f0;
const WATER = 0x7eb0e8;
const DEEP = 0x3a6ebe;
const LINE = 0x183e82;
const WARNING = 0xf8e2b0;
const NOW = 0xd65838;

/** A day and a half of two unequal tides, the grid of the hours, and the line for now. */
function tideCurve(x: number, y: number): number {
  const hours = (x / WIDTH) * 36;
  const height =
    2.2 + 1.55 * Math.cos((hours / 12.42) * 2 * Math.PI) + 0.35 * Math.cos((hours / 24.8) * 2 * Math.PI);
  const level = (metres: number) => HEIGHT - 27 - metres * 54;
  const below = y - level(height);
  if (Math.abs(x - WIDTH * 0.36) < 1.5) return NOW;
  const edge = clamp(2.6 - Math.abs(below));
  const depth = clamp((y - level(4.2)) / (HEIGHT - level(4.2)));
  const ground = y > level(0.75) ? WARNING : x % 53 === 0 || (y - level(0)) % 54 === 0 ? GRID : SKY;
  const filled = below > 0 ? mix(WATER, DEEP, depth) : ground;
  return mix(filled, LINE, edge);
}

const LAND = 0xe8e0ca;
const COAST = 0x968462;
const CALM = 0xdeeef6;
const WHITE = 0xffffff;
const FAST = 0x145c94;

/** Water that flows around two islands: its lines, and darker where it is fast. */
function currents(x: number, y: number): number {
  const islands = [
    { x: 200, y: 133, radius: 41 },
    { x: 427, y: 167, radius: 29 },
  ];
  let stream = y + 17 * Math.sin(x / 87);
  let speed = 0.35 + 0.15 * Math.sin(x / 133 + y / 60);
  for (const island of islands) {
    const [fromX, fromY] = [x - island.x, y - island.y];
    const distance = Math.hypot(fromX, fromY * 1.25);
    if (distance < island.radius) return mix(LAND, COAST, clamp((distance - island.radius + 5) / 5));
    stream -= (fromY * island.radius ** 2) / distance ** 2;
    speed += 0.6 * Math.exp(-(((distance - island.radius) / 23) ** 2)) * Math.abs(fromY / distance);
  }
  const line = clamp(1.4 - Math.abs(((stream + 4000) % 10) - 5) * 0.9);
  return mix(mix(CALM, FAST, clamp(speed)), WHITE, line * 0.6);
}

function clamp(value: number): number {
  return Math.max(0, Math.min(1, value));
}

/** A colour between two others. */
function mix(from: number, to: number, part: number): number {
  return between(from, to, part, 16) | between(from, to, part, 8) | between(from, to, part, 0);
}

function between(from: number, to: number, part: number, shift: number): number {
  const start = (from >> shift) & 0xff;
  return Math.round(start + (((to >> shift) & 0xff) - start) * part) << shift;
}
