import { style } from "../../platform/http/page-style.ts";

/** The look of the account pages, with room to read and a list of the pages. */
export const helpStyle = `${style}
:root { scroll-padding-top: 1rem; }
.help { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2rem; max-width: 62rem; margin: 0 auto;
  padding: 1.5rem; box-sizing: border-box; }
.help header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; }
.help header strong { font-size: 1.1rem; }
.help header strong a { display: flex; align-items: center; gap: .5rem; color: var(--fg); text-decoration: none; }
.help header p { margin: 0; margin-inline-start: auto; }
.help nav ul { margin: 0; padding: 0; list-style: none; position: sticky; top: 1.5rem; }
.help nav a { display: block; padding: .3rem .7rem; border-radius: 6px; color: var(--fg2); text-decoration: none; }
.help nav a:hover { background: var(--line); }
.help nav a[aria-current] { color: var(--fg); font-weight: 600; background: var(--line); }
.help main { max-width: none; margin: 0; min-width: 0; }
.help main > p:first-of-type { font-size: 1.07rem; color: var(--fg2); }
.help h1 { font-size: 1.7rem; }
.help h2 { margin: 2.2rem 0 .5rem; font-size: 1.2rem; }
.help li { margin: .3rem 0; }
.help code { padding: .1rem .3rem; font: .87em ui-monospace, Menlo, Consolas, monospace; background: var(--rail);
  border: 1px solid var(--line); border-radius: 4px; overflow-wrap: anywhere; }
.help pre code { padding: 0; border: 0; background: none; }
.help table { width: 100%; margin: 1rem 0; border-collapse: collapse; }
.help th, .help td { padding: .45rem .75rem .45rem 0; text-align: start; vertical-align: top;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
.help :is(th, td):first-child { min-width: 5.5rem; }
.help th { color: var(--fg2); font-weight: 600; }
.help blockquote { margin: 1rem 0; padding: .1rem 1rem; border-inline-start: 3px solid var(--acc); background: var(--rail);
  border-radius: 0 8px 8px 0; }
.help dl { margin: 1.5rem 0 0; }
.help dt { margin-top: 1.1rem; font-weight: 600; font-size: 1.07rem; }
.help dd { margin: .15rem 0 0; color: var(--fg2); }
.help .next { margin: 2.5rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); }
@media (max-width: 56rem) {
  .help { grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: 1rem 0 2rem; }
  .help header, .help nav { padding: 0 1.25rem; }
  .help nav { order: 3; }
  .help nav ul { position: static; }
  .help nav a { padding: .7rem .7rem; }
  .help main { border-inline: 0; border-radius: 0; padding: 1.25rem; min-height: 0; }
}
`;
