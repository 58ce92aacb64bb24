// What makes the client a program that can be installed: its icons, its manifest, and the worker that keeps
// its files for times without a network.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { catalogueLanguage } from "./catalogues.js";

const GROUND = "#2f5d62";
const BUBBLE = `<path d="M14 18h36v22H32l-9 8v-8h-9z" fill="#f4f1ea"/>
<path d="M21 26h22M21 32h14" stroke="${GROUND}" stroke-width="3" stroke-linecap="round"/>`;

/** Systems cut the maskable one to a shape of their own, so its edge is empty. */
const kinds = [
  { name: "icon-192", size: 192, purpose: "any" },
  { name: "icon-512", size: 512, purpose: "any" },
  { name: "maskable-512", size: 512, purpose: "maskable" },
  { name: "touch-180", size: 180, purpose: "touch" },
];

/**
 * The icons as files below assets/, drawn once for each build.
 * @typedef {{ file: string, bytes: Buffer, size: number, purpose: string }} Icon
 * @returns {Promise<Icon[]>}
 */
export function drawIcons() {
  return Promise.all(
    kinds.map(async ({ name, size, purpose }) => {
      const bytes = await sharp(Buffer.from(drawing(purpose)), { density: (72 * size) / 64 })
        .resize(size, size)
        .png({ compressionLevel: 9, palette: true })
        .toBuffer();
      return { file: `assets/${name}-${hashOf(bytes)}.png`, bytes, size, purpose };
    }),
  );
}

/** @param {string} purpose */
function drawing(purpose) {
  const isWhole = purpose !== "any";
  const shape = isWhole ? `<g transform="translate(9.6 9.6) scale(.7)">${BUBBLE}</g>` : BUBBLE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
<rect width="64" height="64" rx="${isWhole ? 0 : 14}" fill="${GROUND}"/>${shape}</svg>`;
}

/**
 * Writes the icons, the manifest, and the worker, beside the built page.
 * @param {string} root @param {string} folder
 */
export async function writeInstall(root, folder) {
  const icons = await drawIcons();
  for (const { file, bytes } of icons) fs.writeFileSync(path.join(folder, file), bytes);
  const html = fs.readFileSync(path.join(folder, "index.html"), "utf8");
  const [, build = ""] = /data-build="([^"]+)"/.exec(html) ?? [];
  const others = new Set(otherCatalogues(folder));
  const assets = fs
    .readdirSync(path.join(folder, "assets"))
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => `assets/${name}`)
    .filter((file) => !others.has(file));
  const shell = { build, files: ["/logo.svg", ...assets.map((file) => `/${file}`)] };
  const worker = fs.readFileSync(path.join(root, "web/service-worker.js"), "utf8");
  fs.writeFileSync(
    path.join(folder, "service-worker.js"),
    `const shell = ${JSON.stringify(shell)};\n${worker}`,
  );
  fs.writeFileSync(path.join(folder, "app.webmanifest"), JSON.stringify(manifest(icons)));
}

/** A browser fetches them when it needs them: those of all languages but English. @param {string} folder */
function otherCatalogues(folder) {
  /** @type {Record<string, { file: string }>} */
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "manifest.json"), "utf8"));
  return Object.entries(manifest)
    .filter(([source]) => ![undefined, "en"].includes(catalogueLanguage(source)))
    .map(([, { file }]) => file);
}

/** The server puts the organization's name into it. @param {Icon[]} icons */
function manifest(icons) {
  return {
    id: "/",
    name: "Parley",
    short_name: "Parley",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#f2f3f7",
    theme_color: "#f2f3f7",
    icons: icons
      .filter(({ purpose }) => purpose !== "touch")
      .map(({ file, size, purpose }) => ({
        src: `/${file}`,
        sizes: `${size}x${size}`,
        type: "image/png",
        purpose,
      })),
  };
}

/** @param {Buffer} bytes */
function hashOf(bytes) {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 8);
}
