import type { JWTPayload } from "jose";
import type { JwtKey } from "./jwt-keys.ts";

/** How far the clocks of the server and of the one who signs may be apart. */
const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * The claims of a token that is signed by this key and valid now; otherwise undefined. A token with an
 * audience is meant for another service that may have the same key.
 */
export async function verifyToken(
  token: string,
  { key, algorithms }: JwtKey,
): Promise<JWTPayload | undefined> {
  const { errors, jwtVerify } = await loadJose();
  const options = { algorithms: [...algorithms], clockTolerance: CLOCK_TOLERANCE_SECONDS };
  try {
    const { payload } = await jwtVerify(token, key, options);
    return payload.aud === undefined ? payload : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** What a token claims. Nobody has looked at its signature. */
export async function readUnverifiedClaims(token: string): Promise<JWTPayload> {
  const { decodeJwt, errors } = await loadJose();
  try {
    return decodeJwt(token);
  } catch (error) {
    if (error instanceof errors.JOSEError) return {};
    throw error;
  }
}

/** Most servers never need it. */
function loadJose(): Promise<typeof import("jose")> {
  return import("jose");
}
