/** What browsers do for passkeys. */

/** Safe pages only, and browsers that read the server's form of the options. */
export function passkeysWork(): boolean {
  return typeof window.PublicKeyCredential?.parseCreationOptionsFromJSON === "function";
}

/** What the device answers; undefined: the person closed the browser's dialog. */
export async function makePasskey(options: object): Promise<object | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  try {
    const credential = await navigator.credentials.create({ publicKey });
    return (credential as PublicKeyCredential | null)?.toJSON();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
