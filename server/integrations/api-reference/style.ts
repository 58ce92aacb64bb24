/** The style sheet of all pages of the reference. */
export const pageStyle = `
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
nav a, .index a { margin-right: 0.75rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid #8886; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875em; }
pre { padding: 0.75rem; overflow-x: auto; border: 1px solid #8886; border-radius: 0.375rem; }
`;

/** Tables of events and errors. On a narrow screen, each row is a block, since columns would be too thin. */
export const tableStyle = `
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
td { overflow-wrap: break-word; }
.errors, .fields { table-layout: fixed; }
.fields th:nth-child(1) { width: 32%; }
.fields th:nth-child(2) { width: 24%; }
.errors th:nth-child(1) { width: 20rem; }
.errors th:nth-child(2) { width: 4rem; }
.errors th:nth-child(4) { width: 26%; }
td code { overflow-wrap: anywhere; }
@media (max-width: 44rem) {
  table, tbody, tr, td { display: block; width: auto; }
  thead { display: none; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid #8884; }
  td { padding: 0; border: 0; overflow-wrap: anywhere; }
}
`;

/**
 * The page of endpoints: the quick start above the viewer. The viewer's own sheet comes later, so that rules
 * for its parts begin with `body`. Its introduction and locks are hidden: the page and the texts have both.
 */
export const viewerStyle = `
body { max-width: 90rem; }
nav, .start { max-width: 75rem; margin: 0 auto; padding: 0 1.25rem; }
.start h2 { margin-top: 1rem; }
.samples { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); }
.samples figure { min-width: 0; margin: 0; }
.samples pre { margin: 0.25rem 0 0; }
html.dark-mode a:not([class]) { color: #8ab4f8; }
body .swagger-ui .information-container { display: none; }
body .swagger-ui .scheme-container { margin: 0; padding: 1rem 0; box-shadow: none; background: none; }
body .swagger-ui .opblock-summary .authorization__btn { display: none; }
html body .swagger-ui .responses-table .response-col_links { display: none; }
html.dark-mode .swagger-ui .headers .header-col { color: inherit; }
@media (max-width: 44rem) {
  body { padding: 0.5rem 0; }
  body .swagger-ui .wrapper { padding: 0 0.75rem; }
  body .swagger-ui .opblock .opblock-summary-operation-id { display: none; }
  body .swagger-ui .opblock .opblock-summary-path-description-wrapper { display: block; min-width: 0; padding: 0 0.5rem; }
  body .swagger-ui .opblock .opblock-summary-path { max-width: none; padding: 0; }
  body .swagger-ui .opblock .opblock-summary-description { padding: 0; }
  body .swagger-ui .opblock-tag { display: grid; grid-template-columns: 1fr auto; }
  body .swagger-ui .opblock-tag small { grid-column: 1; padding: 0; }
  body .swagger-ui .opblock-tag button { grid-area: 1 / 2; }
  body .swagger-ui .opblock-body table, body .swagger-ui .opblock-body table > tbody,
  body .swagger-ui .opblock-body table > tbody > tr,
  body .swagger-ui .opblock-body table > tbody > tr > td:not(.response-col_links) {
    display: block; width: auto; max-width: none;
  }
  body .swagger-ui .opblock-body table > thead { display: none; }
}
`;
