/**
 * The encryption of a target: AES-256-GCM, with a key of its own for each thing that is written. That key
 * follows from a random value beside it, so no nonce is ever used twice. The name is authenticated with the
 * content: what is moved under another name, cut short or changed can't be opened. Files are lists of pieces
 * in the order of an authenticated list, so pieces that are left out or put into another order are noticed
 * too. Decision 68 says what remains visible.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
} from "node:crypto";
import { promisify } from "node:util";
import { BackupError } from "./target.ts";

/** What `parley-backup.json` says of it. */
export interface Encryption {
  scheme: typeof SCHEME;
  /** For the derivation of the key, in hexadecimal. */
  salt: string;
  /** Tells keys apart, and nothing about them. */
  keyId: string;
}

const SCHEME = "parley-1";
const CIPHER = "aes-256-gcm";
/** What each sealed thing begins with. */
const MAGIC = Buffer.from("PARLEY\x01");
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Each key is used for one message alone. */
const NONCE = Buffer.alloc(12);
/** Some 50 ms and 32 MiB for one guess of a passphrase. */
const STRETCHING = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const stretch = promisify<string, Buffer, number, typeof STRETCHING, Buffer>(scrypt);

interface Keys {
  content: Buffer;
  names: Buffer;
  id: string;
}

export class Seal {
  readonly #key: string;
  #salt: string | undefined;
  #keys: Keys | undefined;

  /** `key`: a random text or a passphrase. */
  constructor(key: string) {
    this.#key = key;
  }

  /** For a new target. Two processes that make one at the same time come to the same. */
  async create(installation: string): Promise<Encryption> {
    const salt = createHash("sha256").update(`parley backup ${installation}`).digest("hex");
    return { scheme: SCHEME, salt, keyId: (await this.#derive(salt)).id };
  }

  /** Throws a BackupError if the target has another key. `target`: its name. */
  async unlock({ scheme, salt, keyId }: Encryption, target: string): Promise<void> {
    if (scheme !== SCHEME)
      throw new BackupError(
        "backup-newer",
        `${target} was written by a newer Parley. Use that version to read it.`,
      );
    if ((await this.#derive(salt)).id === keyId) return;
    this.#keys = undefined;
    throw new BackupError(
      "backup-key",
      `The backups in ${target} were encrypted with another key than the one in PARLEY_BACKUP_KEY. Theirs has the id ${keyId}.`,
    );
  }

  seal(name: string, content: Buffer): Buffer {
    const salt = randomBytes(SALT_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keyOf(salt), NONCE);
    cipher.setAAD(associated(name));
    const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([MAGIC, salt, sealed, cipher.getAuthTag()]);
  }

  /** undefined: it is damaged, or was written under another name or with another key. */
  open(name: string, bytes: Buffer): Buffer | undefined {
    const start = MAGIC.length + SALT_BYTES;
    const end = bytes.length - TAG_BYTES;
    if (end < start || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
    const key = this.#keyOf(bytes.subarray(MAGIC.length, start));
    const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
    decipher.setAAD(associated(name));
    decipher.setAuthTag(bytes.subarray(end));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(start, end)), decipher.final()]);
    } catch {
      return undefined;
    }
  }

  /** The same for the same content. Without the key nobody can tell whether a target has a file of theirs. */
  nameOf(content: Buffer): string {
    return createHmac("sha256", this.#unlocked().names).update(content).digest("hex");
  }

  async #derive(salt: string): Promise<Keys> {
    if (this.#keys && this.#salt === salt) return this.#keys;
    const secret = await stretch(this.#key, Buffer.from(salt, "hex"), KEY_BYTES, STRETCHING);
    this.#salt = salt;
    this.#keys = {
      content: derived(secret, "content"),
      names: derived(secret, "names"),
      id: derived(secret, "id").toString("hex").slice(0, 16),
    };
    return this.#keys;
  }

  #keyOf(salt: Buffer): Buffer {
    return derived(this.#unlocked().content, "one", salt);
  }

  #unlocked(): Keys {
    if (!this.#keys) throw new Error("the target has not been unlocked");
    return this.#keys;
  }
}

function derived(secret: Buffer, use: string, salt: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, `parley backup ${use}`, KEY_BYTES));
}

function associated(name: string): Buffer {
  return Buffer.concat([MAGIC, Buffer.from(name)]);
}
