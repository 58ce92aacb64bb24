/** What browsers do for passkeys. */
import type { CreatedCredential } from "../../api/accounts/passkeys.ts";

/** Safe pages only, and browsers that read the server's form of the options. */
export function passkeysWork(): boolean {
  return typeof window.PublicKeyCredential?.parseCreationOptionsFromJSON === "function";
}

/** What the device answers; undefined: the person closed the browser's dialog. */
export async function makePasskey(options: object): Promise<CreatedCredential | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  try {
    const credential = await navigator.credentials.create({ publicKey });
    // The form is that of the server, which checks it.
    return (credential as PublicKeyCredential | null)?.toJSON() as CreatedCredential | undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
