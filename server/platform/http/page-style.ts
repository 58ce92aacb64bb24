/** The style sheet of the server's own pages. */
export const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 0; font-size: 1.1rem; }
label { display: block; font-weight: 600; }
input { width: 100%; box-sizing: border-box; padding: 0.5rem; font: inherit; border: 1px solid GrayText; border-radius: 4px; }
input[aria-invalid] { border-color: light-dark(#b3261e, #f2b8b5); }
.field { margin: 1.25rem 0; }
.hint, .problem { margin: 0.25rem 0 0; font-size: 0.9rem; }
.problem { color: light-dark(#b3261e, #f2b8b5); }
button { padding: 0.6rem 1.2rem; font: inherit; font-weight: 600; cursor: pointer; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid GrayText; border-radius: 4px; }
`;
