import { html, type Page } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";

export const OPERATOR_PATH = "/operator";
export const SIGN_OUT_PATH = "/operator/sign-out";
export const RETRY_PATH = "/operator/retry-mail";

export const offPage: Page = {
  title: "No operator's page · Parley",
  style,
  body: html`<main>
<h1>There is no operator's page</h1>
<p>If you run this server: set PARLEY_OPERATOR_KEY, and restart it.</p>
</main>`,
};

/** Asks for the key. */
export function keyPage(problem?: string): Page {
  return {
    title: problem === undefined ? "Operator · Parley" : "Please check: operator · Parley",
    style,
    body: html`<main>
<h1>Operator</h1>
<p>This page is for those who run the server. It shows how the whole installation is.</p>
<form method="post" action="${OPERATOR_PATH}">
<div class="field">
<label for="key">Key</label>
<input id="key" name="key" type="password" autocomplete="off" required maxlength="1000" aria-describedby="key-hint"${
      problem !== undefined && html` aria-invalid="true"`
    }>
<p class="hint" id="key-hint">The value of PARLEY_OPERATOR_KEY.</p>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
</div>
<button type="submit">Show</button>
</form>
</main>`,
  };
}
