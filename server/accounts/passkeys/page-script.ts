/**
 * The script of the pages for signing in: it uses and makes passkeys, which nothing else can. It shows its
 * buttons where the browser has what they need; without it the pages work as forms.
 */
export const pageScript = `"use strict";
{
  const known = window.PublicKeyCredential;
  const canUse = typeof known?.parseRequestOptionsFromJSON === "function";
  let refused = "";
  const call = async (path, fields = {}) => {
    const response = await fetch("/api/v1" + path, {
      method: "POST",
      headers: { "X-Parley-Client": "website" },
      body: new URLSearchParams(fields),
    });
    const answer = await response.json();
    if (answer.result !== "success") {
      // Sentences of the API are English.
      const isEnglish = document.documentElement.lang === "en";
      throw new Error(isEnglish ? answer.msg : refused);
    }
    return answer;
  };
  const bind = (id, work) => {
    const part = document.getElementById(id);
    if (!part || !canUse) return;
    const button = part.querySelector("button");
    const problem = part.querySelector(".problem");
    part.hidden = false;
    refused = part.dataset.refused;
    button.addEventListener("click", async () => {
      button.disabled = true;
      problem.textContent = "";
      try {
        await work(part);
      } catch (error) {
        // People who close the browser's dialog know why nothing happened.
        if (error.name !== "NotAllowedError") problem.textContent = error.message;
        else problem.textContent = part.dataset.closed;
      }
      button.disabled = false;
    });
  };
  bind("passkey", async (part) => {
    const { options } = await call("/session/passkey_options");
    const publicKey = known.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    await call("/session/passkey", { credential: JSON.stringify(credential.toJSON()) });
    location.assign(part.dataset.next);
  });
  bind("new-passkey", async (part) => {
    const { options } = await call("/passkeys/registration_options");
    const publicKey = known.parseCreationOptionsFromJSON(options);
    const credential = await navigator.credentials.create({ publicKey });
    const answer = await call("/passkeys", { credential: JSON.stringify(credential.toJSON()) });
    const codes = document.getElementById("recovery-codes");
    codes.querySelector("pre").textContent = (answer.recovery_codes ?? []).join("\\n");
    codes.hidden = false;
    document.getElementById("ways").hidden = true;
    codes.querySelector("h1").focus();
  });
}
`;
