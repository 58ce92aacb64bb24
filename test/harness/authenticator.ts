/** A device with passkeys, as a browser shows it to the server. The machine tests have real browsers. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

interface Flags {
  /** Whether the device has checked its user; so by default. */
  isVerified?: boolean;
}

interface Ceremony extends Flags {
  challenge: string;
  origin: string;
  rpId: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** One passkey. Its counter goes up with each use. */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  counter = 0;

  constructor() {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  /** The answer to the options of a registration. `attestation` replaces its format and statement. */
  create(ceremony: Ceremony, attestation: { format?: string; statement?: CborMap } = {}) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const key = Buffer.concat([Buffer.alloc(16), length, this.id, this.#coseKey()]);
    const object = cbor(
      new Map<string | number, CborValue>([
        ["fmt", attestation.format ?? "none"],
        ["attStmt", attestation.statement ?? new Map()],
        ["authData", Buffer.concat([this.#data(ceremony, HAS_KEY), key])],
      ]),
    );
    return {
      id: this.id.toString("base64url"),
      type: "public-key",
      response: {
        clientDataJSON: clientData("webauthn.create", ceremony).toString("base64url"),
        attestationObject: object.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** The answer to the options of a sign-in. */
  get(ceremony: Ceremony) {
    this.counter += 1;
    const client = clientData("webauthn.get", ceremony);
    const data = this.#data(ceremony, 0);
    const signature = sign("sha256", Buffer.concat([data, sha256(client)]), this.#privateKey);
    return {
      id: this.id.toString("base64url"),
      type: "public-key",
      response: {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      },
    };
  }

  #data({ rpId, isVerified = true }: Ceremony, more: number): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | more);
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(Buffer.from(rpId)), rest]);
  }

  /** ES256, by the numbers of COSE. */
  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#publicKey.export({ format: "jwk" });
    return cbor(
      new Map<string | number, CborValue>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
  }
}

function clientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

type CborValue = number | string | Buffer | CborMap;
interface CborMap extends Map<string | number, CborValue> {}

/** As much of CBOR as devices need. */
function cbor(value: CborValue): Buffer {
  if (typeof value === "number") return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === "string")
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  const pairs = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)]);
  return Buffer.concat([cborHead(5, value.size), ...pairs]);
}

function cborHead(major: number, count: number): Buffer {
  const kind = major << 5;
  if (count < 24) return Buffer.from([kind | count]);
  return count < 256 ? Buffer.from([kind | 24, count]) : Buffer.from([kind | 25, count >> 8, count & 255]);
}
