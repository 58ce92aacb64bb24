/**
 * Pictures of other hosts, fetched once and kept for a week. What is kept was decoded and encoded again: a
 * client never gets bytes that another host chose, and a picture for messages is small whatever its host
 * sends.
 */
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import type { OrganizationId } from "../../../api/ids.ts";
import type { Database } from "../../platform/db/database.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import { ImageError } from "../../platform/images/image-error.ts";
import { formatOfHead } from "../../platform/images/image-format.ts";
import { makeThumbnail, type Thumbnail } from "../../platform/images/images.ts";
import type { ExternalAddress } from "./addresses.ts";
import { FetchError, type FetchFailure, type FetchOptions, type FetchParts, fetchOutside } from "./fetch.ts";
import { deleteSurplusImages, findImageFile, type ImageFile, putImage } from "./store.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const FETCH: FetchOptions = {
  accept: "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9",
  // The first bytes decide. Many hosts send no type, or a wrong one.
  hasType: (type) => !/^(text|video|audio)\/|^image\/svg|^application\/(xhtml|xml|json)/.test(type),
  maxBytes: MAX_BYTES,
  isCut: false,
  headMs: 5_000,
  timeoutMs: 15_000,
  isInBackground: false,
};
/** Twice the size at which messages show pictures, and enough for a screen. */
const SIZE = { width: 1680, height: 1120, fit: "inside" } as const;
const FRAMES = { maxFrames: 200 };

/** What an organization may keep. The oldest go first. */
export const KEPT_IMAGES = { bytes: 256 * 1024 * 1024, count: 10_000 };
export const KEPT_DAYS = 7;

/** How long a picture that could not be fetched is not tried again, and how many such are remembered. */
const FAILED_MS = 5 * 60_000;
const MAX_FAILED = 5_000;

export type ImageFailure = FetchFailure | "no-image";

/** What is sent to clients: always of one type. */
export const IMAGE_TYPE = "image/webp";

export type FoundImage = { fileName: string } | { failure: ImageFailure };

interface Parts extends FetchParts {
  database: Database;
  files: FileStorage;
}

export class ExternalImages {
  readonly #parts: Parts;
  readonly #underWay = new Map<string, Promise<FoundImage>>();
  readonly #failed = new Map<string, { until: number; failure: ImageFailure }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The file of a picture, which is fetched if it is not there. All who ask meanwhile get the same. */
  async find(organizationId: OrganizationId, address: ExternalAddress): Promise<FoundImage> {
    const key = address.digest.toString("hex");
    const failed = this.#failed.get(key);
    if (failed && failed.until > Date.now()) return { failure: failed.failure };
    let finding = this.#underWay.get(key);
    if (!finding) {
      finding = this.#find(organizationId, address, key).finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, finding);
    }
    return finding;
  }

  async #find(organizationId: OrganizationId, address: ExternalAddress, key: string): Promise<FoundImage> {
    const { database, files } = this.#parts;
    const known = await findImageFile(database, organizationId, address.digest);
    // A backup may hold the rows and not the files.
    if (known !== undefined && (await files.size(keyOf(organizationId, known))) !== undefined) {
      return { fileName: known };
    }
    try {
      return { fileName: await this.#fetchAndKeep(organizationId, address, known) };
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      if (failure !== "busy" && failure !== "stopped") this.#remember(key, failure);
      return { failure };
    }
  }

  async #fetchAndKeep(
    organizationId: OrganizationId,
    { url, digest }: ExternalAddress,
    replaced: string | undefined,
  ): Promise<string> {
    const { database, files } = this.#parts;
    const { bytes } = await this.#make(
      organizationId,
      (await fetchOutside(this.#parts, organizationId, url, FETCH)).body,
    );
    const fileName = randomBytes(16).toString("hex");
    await files.put(keyOf(organizationId, fileName), { bytes, contentType: IMAGE_TYPE });
    const kept = await putImage(database, organizationId, {
      digest,
      fileName,
      sizeBytes: bytes.length,
      replaced,
    });
    const surplus = await deleteSurplusImages(database, organizationId, KEPT_IMAGES);
    await deleteFiles(files, surplus);
    if (kept.unused !== undefined) await deleteFiles(files, [{ organizationId, fileName: kept.unused }]);
    return kept.used;
  }

  /** A moving picture that is too large to be kept so becomes a still one. */
  async #make(organizationId: OrganizationId, body: Buffer): Promise<Thumbnail> {
    if (formatOfHead(body) === undefined) throw new ImageError("format");
    const path = await this.#parts.files.temporaryPath();
    const holder = `pages outside of organization ${organizationId}`;
    try {
      await writeFile(path, body, { mode: 0o600 });
      const make = (isAnimated: boolean) =>
        makeThumbnail(path, { ...SIZE, ...FRAMES, isAnimated, holder, stillFormat: "webp" });
      return await make(true).catch((error) => {
        if (error instanceof ImageError && TOO_MUCH.has(error.problem)) return make(false);
        throw error;
      });
    } finally {
      await rm(path, { force: true });
    }
  }

  #remember(key: string, failure: ImageFailure): void {
    if (this.#failed.size >= MAX_FAILED) this.#failed.clear();
    this.#failed.set(key, { failure, until: Date.now() + FAILED_MS });
  }
}

const TOO_MUCH: ReadonlySet<string> = new Set(["frames", "size", "time"]);

function failureOf(error: unknown): ImageFailure | undefined {
  if (error instanceof FetchError) return error.failure;
  if (error instanceof ImageError) return error.problem === "busy" ? "busy" : "no-image";
  return undefined;
}

export function keyOf(organizationId: OrganizationId, fileName: string): string {
  return `${organizationId}/external/${fileName}`;
}

/** To be called when no row names them any more. */
export async function deleteFiles(files: FileStorage, gone: readonly ImageFile[]): Promise<void> {
  for (const { organizationId, fileName } of gone) await files.delete(keyOf(organizationId, fileName));
}
