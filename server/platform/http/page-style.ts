/** The style sheet of the server's own pages, in the colours of the web client, light and dark. */
export const style = `
:root { color-scheme: light dark; font: 15px/1.467 "Inter var", Inter, ui-sans-serif, system-ui, sans-serif;
  --bg: light-dark(oklch(.995 .001 265), oklch(.20 .010 265)); --rail: light-dark(oklch(.965 .005 265), oklch(.17 .010 265));
  --line: light-dark(oklch(.90 .006 265), oklch(.30 .012 265)); --ctl: light-dark(oklch(.60 .012 265), oklch(.56 .014 265));
  --fg: light-dark(oklch(.22 .015 265), oklch(.93 .005 265)); --fg2: light-dark(oklch(.42 .015 265), oklch(.77 .010 265));
  --acc: light-dark(oklch(.52 .19 265), oklch(.56 .18 265)); --link: light-dark(oklch(.48 .17 258), oklch(.77 .11 255));
  --bad: light-dark(oklch(.53 .20 25), oklch(.72 .16 25)); }
body { margin: 0; color: var(--fg); background: var(--rail); }
main { max-width: 26rem; margin: 3rem auto; padding: 1.5rem 2rem 2rem; background: var(--bg);
  border: 1px solid var(--line); border-radius: 10px; }
main:has(pre:not(.wrapped)) { max-width: 40rem; }
h1 { margin: 0 0 1rem; font-size: 1.4rem; font-weight: 600; line-height: 1.25; }
h2 { margin: 1.5rem 0 0; font-size: 1.1rem; }
a { color: var(--link); text-underline-offset: 2px; }
label { display: block; font-weight: 550; }
input { width: 100%; box-sizing: border-box; padding: 0.5rem 0.6rem; font: inherit; color: inherit; background: var(--bg);
  border: 1px solid var(--ctl); border-radius: 6px; }
input[aria-invalid] { border-color: var(--bad); }
:focus-visible { outline: 2px solid var(--acc); outline-offset: 1px; }
.field { margin: 1.25rem 0; }
.hint, .problem { margin: 0.25rem 0 0; font-size: 0.9rem; }
.hint { color: var(--fg2); }
.problem { color: var(--bad); }
button { padding: 0.55rem 1.2rem; font: inherit; font-weight: 550; color: #fff; background: var(--acc); border: 0;
  border-radius: 6px; cursor: pointer; }
form button, #passkey button, #new-passkey button { width: 100%; }
a.button { display: block; box-sizing: border-box; padding: 0.55rem 1.2rem; font-weight: 550; text-align: center;
  color: inherit; text-decoration: none; border: 1px solid var(--ctl); border-radius: 6px; }
.picture { margin: 0 0 0.75rem; }
.picture img { display: block; border-radius: 10px; }
.about { margin: -0.5rem 0 1.25rem; color: var(--fg2); overflow-wrap: anywhere; }
.or { display: flex; align-items: center; gap: 0.75rem; color: var(--fg2); }
.or::before, .or::after { flex: 1; content: ""; border-top: 1px solid var(--line); }
.demo { margin-top: 1.5rem; padding-top: 0.25rem; border-top: 1px solid var(--line); }
.demo form { margin-top: 0.5rem; }
button.second { color: var(--fg); background: none; border: 1px solid var(--ctl); }
pre { overflow-x: auto; padding: 0.75rem; background: var(--rail); border: 1px solid var(--line); border-radius: 8px; }
pre.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 30rem) { main { margin: 0; border: 0; border-radius: 0; min-height: 100dvh; box-sizing: border-box; } }
`;
