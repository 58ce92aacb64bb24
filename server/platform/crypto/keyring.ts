import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomInt } from "node:crypto";
import { FaultError } from "../faults/fault-error.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const API_KEY_LENGTH = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The message is a sentence for the person who runs the server. */
export class DecryptError extends FaultError {
  override name = "DecryptError";
}

/**
 * The keys that are derived from PARLEY_SECRET. API keys are stored encrypted, beside a keyed hash for
 * looking them up. So a copy of the database alone reveals no key. One-time tokens are stored as a keyed hash
 * only.
 */
export class Keyring {
  /** Tells keyrings of different secrets apart, and nothing of the secret. */
  readonly check: Buffer;
  readonly #encryption: Buffer;
  readonly #hashing: Buffer;
  readonly #signing: Buffer;

  constructor(secret: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "parley", purpose, 32));
    this.check = createHmac("sha256", derive("check")).update("parley").digest();
    this.#encryption = derive("encryption");
    this.#hashing = derive("hashing");
    this.#signing = derive("outside addresses");
  }

  /** 32 letters and digits. */
  newApiKey(): string {
    return Array.from({ length: API_KEY_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  }

  /** 43 characters that need no escaping in a URL. */
  newToken(): string {
    return randomBytes(32).toString("base64url");
  }

  /** The hash by which a token is found; undefined for a text that can't be a token. */
  hashToken(text: string): Buffer | undefined {
    return TOKEN.test(text) ? this.hash(text) : undefined;
  }

  hash(secret: string): Buffer {
    return createHmac("sha256", this.#hashing).update(secret).digest();
  }

  /** Signs what messages show publicly, with a key of its own. */
  signAddress(text: string): Buffer {
    return createHmac("sha256", this.#signing).update(text).digest();
  }

  encrypt(secret: string): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#encryption, nonce);
    return Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  }

  canDecrypt(encrypted: Buffer): boolean {
    try {
      this.#decrypt(encrypted);
      return true;
    } catch {
      return false;
    }
  }

  /** Throws a DecryptError if the data was encrypted with another secret, or was changed. */
  decrypt(encrypted: Buffer): string {
    try {
      return this.#decrypt(encrypted);
    } catch (error) {
      throw new DecryptError(
        "secret-lost",
        "Something in the database was encrypted with another secret, or is damaged. Run parley doctor.",
        { cause: error },
      );
    }
  }

  #decrypt(encrypted: Buffer): string {
    const decipher = createDecipheriv("aes-256-gcm", this.#encryption, encrypted.subarray(0, 12));
    decipher.setAuthTag(encrypted.subarray(-16));
    return decipher.update(encrypted.subarray(12, -16), undefined, "utf8") + decipher.final("utf8");
  }
}
